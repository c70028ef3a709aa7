"""The embedder that is always there: what it knows of words, in two languages."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.llm.local_embedder import LocalEmbedder
from fabula.llm.static_table import load_table, save_table
from fabula.llm.static_words import RowFinder

EMBEDDER = LocalEmbedder()


class Twin(NamedTuple):
    """An entry in two languages, and a question after it that has hardly a word of it."""

    zh: str
    zh_asked: str
    en: str
    en_asked: str


TWINS = (
    Twin(
        "寒霜剑，剑身透明如冰，握在手里会让人手指发麻。",
        "那把冷得冻手的兵器",
        "Frostblade, a sword clear as ice that numbs the fingers of whoever holds it.",
        "the weapon so cold it hurts to grip",
    ),
    Twin(
        "青云宗建在云海之上，每十年招收一次弟子。",
        "山顶门派多久收一回学生",
        "The Azure Cloud Sect stands above the sea of clouds and takes new disciples every ten years.",
        "how often does the school on the mountain accept students",
    ),
    Twin(
        "老周守了三十年灯塔，从不让灯熄灭。",
        "谁负责看守海边的灯",
        "Old Zhou has kept the lighthouse for thirty years and never let the lamp go out.",
        "who looks after the light by the sea",
    ),
    Twin(
        "她小时候家里失火，父母都没有逃出来，从此怕火。",
        "她为什么害怕火焰",
        "Her home burned down when she was small and her parents died; she has feared fire ever since.",
        "why is she scared of flames",
    ),
    Twin(
        "林逸左臂上有一道被狼咬过的伤疤。",
        "他胳膊上的疤是怎么来的",
        "Lin Yi has a scar on his left arm where a wolf bit him.",
        "how did he get the mark on his arm",
    ),
    Twin(
        "皇帝病重，太子和三皇子暗中争夺皇位。",
        "谁想继承王位",
        "The emperor is gravely ill, and the princes fight in secret for the throne.",
        "who wants to become the next ruler",
    ),
    Twin(
        "酒馆老板娘收留了一个不会说话的孩子。",
        "谁领养了那个哑巴小孩",
        "The mistress of the tavern took in a child who cannot speak.",
        "who adopted the mute kid",
    ),
    Twin(
        "潮水每天涨落两次，渔民按它出海打鱼。",
        "捕鱼的人什么时候下海",
        "The tide comes and goes twice a day, and the fishermen sail by it.",
        "when do people go out to catch fish",
    ),
    Twin(
        "血契一旦签下，背叛者会在七日内死去。",
        "违背誓约会有什么下场",
        "Once a blood pact is signed, the one who betrays it dies within seven days.",
        "what happens to someone who breaks the oath",
    ),
    Twin(
        "苏瑶是医馆的女大夫，擅长解毒。",
        "谁会治疗中毒的人",
        "Su Yao is the doctor of the clinic and skilled in antidotes.",
        "who can cure poisoning",
    ),
    Twin(
        "地下藏书阁里收着禁书，只有长老能进。",
        "哪里有不许看的书",
        "The library underground holds forbidden books; only elders may enter.",
        "where are the banned volumes kept",
    ),
    Twin(
        "北境常年下雪，一年只有两个月能种粮食。",
        "寒冷的地方怎么种庄稼",
        "It snows all year in the north; grain grows for only two months.",
        "farming in the cold region",
    ),
    Twin(
        "商会垄断了盐的买卖，价格一年涨了三倍。",
        "为什么调味品变贵了",
        "The guild controls the trade in salt, and the price has tripled in a year.",
        "why did seasoning become expensive",
    ),
    Twin(
        "他欠了赌坊一大笔钱，只好替人走私还债。",
        "他为什么去干违法的运输",
        "He owes the gambling house a fortune and smuggles goods to pay it back.",
        "why does he transport illegal cargo",
    ),
    Twin(
        "古井底下关着一只会模仿人声的怪物。",
        "水井里藏着什么妖物",
        "A creature that copies human voices is locked at the bottom of the old well.",
        "what monster is trapped down there",
    ),
    Twin(
        "两家结了世仇，因为当年的一桩命案。",
        "他们的祖辈为什么互相仇恨",
        "The two families have been enemies for generations because of a murder long ago.",
        "why do the clans hate each other",
    ),
    Twin(
        "将军战死沙场，妻子把他的盔甲埋在后院。",
        "阵亡军官的遗物在哪里",
        "The general fell in battle, and his wife buried his armour behind the house.",
        "where are the dead officer's belongings",
    ),
    Twin(
        "机器人管家出厂时被写入不能伤害主人的规则。",
        "人工智能仆人有什么限制",
        "The robot butler was built with a rule that it may not harm its owner.",
        "limits on the artificial servant",
    ),
    Twin(
        "飞船的能源只够跳跃一次，不能返航。",
        "为什么回不了地球",
        "The ship has energy for a single jump and cannot come back.",
        "why can they not return home",
    ),
    Twin(
        "她在集市上卖自己做的香料和草药。",
        "她靠什么谋生",
        "She sells spices and herbs of her own making in the market.",
        "what does she do for a living",
    ),
    Twin(
        "月圆之夜，村里的人都锁好门窗，不敢出去。",
        "村民在什么时候躲在家里",
        "On nights of the full moon the villagers lock their doors and dare not go out.",
        "when do people stay indoors out of fear",
    ),
    Twin(
        "他是双胞胎里的弟弟，一直活在哥哥的影子里。",
        "他和兄长的关系如何",
        "He is the younger of twins and has always lived in his brother's shadow.",
        "his feelings about his sibling",
    ),
    Twin(
        "王都的地下水道是乞丐帮的地盘。",
        "叫花子住在什么地方",
        "The sewers under the capital belong to the beggars' gang.",
        "where do the homeless live",
    ),
    Twin(
        "女巫用头发和蜡做成人偶诅咒仇人。",
        "害人的邪术怎么施展",
        "The witch makes dolls of hair and wax to curse those she hates.",
        "how is the evil magic done",
    ),
    Twin(
        "学院禁止学生在夜里使用火系法术。",
        "校规不许做什么",
        "The academy forbids students to use fire spells at night.",
        "what is not allowed at school",
    ),
    Twin(
        "老人临死前把钥匙交给孙女，让她不要打开箱子。",
        "祖父留下了什么遗言",
        "Before he died the old man gave his granddaughter the key and told her not to open the chest.",
        "grandfather's last wish",
    ),
    Twin(
        "桥被洪水冲垮，商队只能绕远路走山道。",
        "道路为什么不通",
        "The flood swept the bridge away, and caravans must go round by the mountain road.",
        "why is the way blocked",
    ),
    Twin(
        "新娘在婚礼当天逃走，和一个画师私奔了。",
        "结婚那天女方去了哪里",
        "The bride ran away on her wedding day with a painter.",
        "where did the woman go on the day of the marriage",
    ),
    Twin(
        "龙守着山洞里的金币，睡了一百年。",
        "谁看管宝藏",
        "The dragon guards the gold in the cave and has slept for a hundred years.",
        "who protects the treasure",
    ),
    Twin(
        "侦探发现死者的手表停在三点，凶手伪造了时间。",
        "破案的关键线索是什么",
        "The detective found the dead man's watch stopped at three: the murderer faked the time.",
        "the clue that solves the crime",
    ),
)


def likeness(one: str, other: str) -> float:
    question = EMBEDDER.embed([one], kind="query")[0]
    return float(question @ EMBEDDER.embed([other], kind="document")[0])


@pytest.mark.parametrize(
    ("asked", "entry", "least"),
    [
        ("zh_asked", "zh", 0.8),
        ("en_asked", "en", 0.75),
        ("zh_asked", "en", 0.7),
        ("en_asked", "zh", 0.7),
        ("zh", "en", 0.95),
    ],
)
def test_an_entry_is_found_by_what_it_means(asked: str, entry: str, least: float) -> None:
    questions = EMBEDDER.embed([getattr(twin, asked) for twin in TWINS], kind="query")
    entries = EMBEDDER.embed([getattr(twin, entry) for twin in TWINS], kind="document")
    cosines = questions @ entries.T
    ranks = 1 + (cosines > np.diag(cosines)[:, None]).sum(axis=1)
    assert float((1 / ranks).mean()) > least


def test_a_text_in_both_languages_is_like_both() -> None:
    mixed = "他拔出 sword，冲向 dragon"
    for word in ("宝剑与巨龙", "sword and dragon"):
        assert likeness(mixed, word) > likeness(mixed, "厨房里的面包") + 0.1


@pytest.mark.parametrize(
    ("one", "same"),
    [("劍客與龍", "剑客与龙"), ("Ｄｒａｇｏｎ", "dragon"), ("CAFÉ", "cafe"), ("雪\n\n夜", "雪，夜")],
)
def test_scripts_widths_cases_and_accents_are_read_alike(one: str, same: str) -> None:
    assert likeness(one, same) == pytest.approx(1)


def test_what_has_no_known_word_has_no_direction() -> None:
    rows = EMBEDDER.embed(["", "……！？", "Ωμέγα", "🐉", "雪"], kind="document")
    assert np.linalg.norm(rows, axis=1) == pytest.approx([0, 0, 0, 0, 1])


@given(st.lists(st.text(), max_size=5))
def test_a_row_depends_on_its_text_alone(texts: list[str]) -> None:
    rows = EMBEDDER.embed(texts, kind="document")
    assert rows.shape == (len(texts), EMBEDDER.dimensions)
    for row, text in zip(rows, texts, strict=True):
        assert row.tolist() == EMBEDDER.embed([text], kind="query")[0].tolist()
        assert np.linalg.norm(row) == pytest.approx(1) or not row.any()


def test_the_table_is_read_when_the_first_text_comes() -> None:
    fresh = LocalEmbedder()
    assert (fresh.model, fresh.dimensions) == ("fabula-static-1", 256)
    assert vars(fresh) == {}
    fresh.embed(["雪"], kind="query")
    assert vars(fresh) != {}


def test_a_saved_table_is_nearly_what_it_was(tmp_path: Path) -> None:
    words = ["雪", "雪夜", "snow", "##fall"]
    vectors = np.random.default_rng(3).standard_normal((4, 64)).astype(np.float32)
    save_table(tmp_path / "t.npz", words, vectors, {"劍": "剑"})
    table = load_table(tmp_path / "t.npz")
    kept = table.rows * table.scales[:, None]
    cosines = (kept * vectors).sum(axis=1) / np.linalg.norm(kept, axis=1) / np.linalg.norm(vectors, axis=1)
    assert cosines.min() > 0.98
    assert list(table.rows_of) == words
    assert table.simplified == {ord("劍"): ord("剑")}


def test_the_longest_words_and_pieces_are_taken() -> None:
    rows = {word: row for row, word in enumerate(["雪", "夜", "雪夜", "snow", "##fall", "##s", "fall"])}
    finder = RowFinder(rows, {})
    assert finder.rows("雪夜雪 Snowfalls, fall! 山 xyz") == [2, 0, 3, 4, 5, 6]
