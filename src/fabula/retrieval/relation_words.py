"""Words for relations between people, in Chinese and English, in one table of roles.

A role is what one entity is to another; each has an opposite (`father` and `child`). A role may belong to a
wider one (father and mother are parents), and some are composed of two (a grandparent is the parent of a
parent), so that a question can be answered by relations that nobody wrote down as such.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from fabula.matching import Hit, Matcher, Term, fold

# role < wider role / opposite role: words. A word may occur in several rows.
_TABLE = """
enemy / enemy: 敌人 仇敌 仇人 仇家 死敌 宿敌 死对头 对头 冤家 敌手 敌对 为敌 结仇 enemy enemies foe nemesis
    adversary archenemy arch-enemy sworn_enemy hostile hates
rival < enemy / rival: 对手 劲敌 竞争者 情敌 竞争对手 rival rivals competitor opponent rivalry
friend / friend: 朋友 好友 挚友 知己 密友 好朋友 好兄弟 闺蜜 知交 故交 旧友 友人 至交 friend friends pal
    buddy befriended friendship confidant
ally < friend / ally: 盟友 同盟 伙伴 搭档 战友 同伴 同伙 队友 ally allies allied partner companion comrade
    teammate sidekick
mentor / disciple: 师父 师傅 师尊 老师 导师 恩师 业师 教师 先生 指导 传授 教导 mentor mentors teacher tutor
    master taught teaches trained instructor governess governor
disciple / mentor: 徒弟 弟子 学生 徒儿 门生 爱徒 门徒 传人 师从 拜师 disciple student apprentice pupil protege
    studied
fellow / fellow: 师兄 师弟 师姐 师妹 同门 师兄弟 师姐妹 师兄妹 同学 同窗 classmate fellow schoolmate
neighbour / neighbour: 邻居 邻里 neighbour neighbor
colleague < fellow / colleague: 同事 同僚 colleague coworker co-worker
spouse / spouse: 夫妻 夫妇 配偶 伴侣 成亲 结婚 成婚 spouse married marries marriage couple
husband < spouse / wife: 丈夫 夫君 相公 老公 夫婿 官人 驸马 husband widow widower
wife < spouse / husband: 妻子 夫人 老婆 娘子 太太 媳妇 发妻 正室 王妃 皇后 王后 wife wives consort queen_of
concubine < wife / husband: 侧室 姨娘 小妾 二房 侍妾 偏房 妃子 concubine mistress
lover / lover: 恋人 情人 爱人 相好 心上人 情侣 暧昧 心仪对象 意中人 男友 女友 恋慕 爱慕 暗恋 lover lovers
    girlfriend boyfriend beloved sweetheart affair loves
betrothed < lover / betrothed: 未婚夫 未婚妻 未婚夫妻 订婚 婚约 fiance fiancé fiancee fiancée betrothed
    engaged
parent / child: 父母 双亲 爹娘 抚养 育有 parent parents raised
father < parent / child: 父亲 爹爹 爸爸 老爸 生父 亲爹 亲生父亲 父王 父皇 养父 义父 继父 干爹 乾爹 father
    dad papa pap fathered stepfather
mother < parent / child: 母亲 娘亲 妈妈 老妈 生母 亲娘 母后 母妃 养母 义母 继母 干娘 乾娘 乳母 mother mom
    mum mamma stepmother
child / parent: 孩子 儿女 子女 后代 后人 child children baby offspring
son < child / parent: 儿子 长子 次子 独子 幼子 养子 义子 继子 干儿子 私生子 遗腹子 son sons stepson
daughter < child / parent: 女儿 长女 次女 独女 幼女 养女 义女 继女 干女儿 千金 闺女 daughter daughters
    stepdaughter
sibling / sibling: 兄弟姐妹 兄妹 姐弟 手足 胞兄妹 双胞胎 孪生 sibling siblings twin twins
brother < sibling / sibling: 哥哥 弟弟 兄长 大哥 兄弟 胞兄 胞弟 长兄 二弟 brother brothers half-brother
sister < sibling / sibling: 姐姐 妹妹 姊姊 姊妹 姐妹 胞妹 胞姐 长姐 大姐 sister sisters half-sister
sworn < sibling / sworn: 结拜 结拜兄弟 结义 义兄 义弟 义妹 义姐 把兄弟 拜把子 结拜兄弟姐妹 结拜姐妹 金兰
    sworn_brother sworn_sister
grandparent / grandchild: 祖父母 grandparent grandparents ancestor
grandfather < grandparent / grandchild: 爷爷 祖父 外公 外祖父 姥爷 grandfather grandpa
grandmother < grandparent / grandchild: 奶奶 祖母 外婆 外祖母 姥姥 grandmother grandma
grandchild / grandparent: 孙辈 grandchild grandchildren descendant
grandson < grandchild / grandparent: 孙子 孙儿 外孙 长孙 grandson
granddaughter < grandchild / grandparent: 孙女 外孙女 granddaughter
elder / younger: 长辈
uncle < elder / younger: 叔叔 伯父 伯伯 叔父 舅舅 舅父 姑父 姑丈 姨父 姨丈 大伯 二叔 uncle
aunt < elder / younger: 姑姑 姑母 姑妈 姨妈 姨母 阿姨 舅母 舅妈 婶婶 婶子 伯母 aunt auntie
younger / elder: 晚辈 小辈
nephew < younger / elder: 侄子 侄儿 外甥 内侄 nephew
niece < younger / elder: 侄女 侄女儿 外甥女 内侄女 niece
cousin / cousin: 表兄 表弟 表哥 表姐 表妹 表兄妹 表姐妹 表兄弟 表亲 堂兄 堂弟 堂哥 堂姐 堂妹 堂兄弟 cousin
    cousins
in_law_parent / in_law_child: 公婆 parent-in-law
father_in_law < in_law_parent / in_law_child: 岳父 公公 丈人 老丈人 岳丈 father-in-law
mother_in_law < in_law_parent / in_law_child: 岳母 婆婆 丈母娘 mother-in-law
in_law_child / in_law_parent: 女婿 儿媳 儿媳妇 媳妇儿 son-in-law daughter-in-law
in_law_sibling / in_law_sibling: 嫂子 嫂嫂 弟媳 弟妹 姐夫 妹夫 小姑 小姑子 小叔子 大伯子 小舅子 大姨子
    小姨子 妯娌 连襟 brother-in-law sister-in-law
kin / kin: 亲戚 亲属 亲人 家人 族人 家族 relative relatives kinsman family relation
master / servant: 主人 主子 东家 雇主 少主 主母 employer master owner mistress
servant / master: 仆人 丫环 丫头 丫鬟 小厮 侍女 老奴 奴婢 奴仆 奴才 家仆 仆从 侍从 宫女 书童 陪房 管家 婢女
    servant maid valet footman butler coachman housekeeper slave page employed
leader / follower: 上司 首领 主公 老大 掌门 大王 国王 君主 皇帝 统领 领袖 头领 上级 帮主 教主 族长
    队长 宗主 寨主 boss chief commander captain leader lord king ruler leads supervisor
follower / leader: 手下 部下 下属 随从 部将 臣子 臣下 属下 麾下 侍卫 护卫 保镖 谋士 小弟 跟班 亲信 心腹
    subordinate follower henchman bodyguard guard retainer lieutenant serves
member / group: 成员 属于 隶属 弟子 加入 belongs_to belongs member joined
group / member: 门派 宗门 势力 组织 帮派 阵营 家族 所属 faction clan sect guild organisation organization
owner / possession: 拥有 持有 所有者 持有者 主人 owner owns possesses wields bearer holder
possession / owner: 武器 佩剑 兵器 法宝 宝物 坐骑 财物 信物 weapon sword possession treasure mount horse
place / dweller: 住处 居所 家乡 故乡 老家 住在 home residence hometown birthplace lives
dweller / place: 居民 住户 位于 处在 住在 发生于 located_at located_in occurs_at located lives inhabitant
    resident
participant / event: 参与 参加 参战 participates_in participant attended fought_in
event / participant: 战役 大战 battle war event
maker / work: 打造 铸造 制作 创造 炼制 缔造 creator maker made forged crafted created built designer
    designed smith inventor invented
author < maker / work: 作者 作家 写下 撰写 author wrote written writer novelist poet
director < maker / work: 导演 执导 director directed directs filmmaker
composer < maker / work: 作曲 谱曲 配乐 composer composed music score soundtrack
performer < maker / work: 演唱 主唱 歌手 表演者 performer performed singer sung sang recorded rapper band
    artist recording musician vocalist
actor < maker / work: 主演 饰演 演员 starring stars actor actress cast played plays
painter < maker / work: 画家 绘制 painter painted
founder < maker / work: 创始人 创立 建立 开山祖师 founder founded established
producer < maker / work: 制片 producer produced
work / maker: 作品 杰作 work creation
killer / victim: 凶手 杀死 杀害 杀了 害死 killer killed kills murderer murdered slew assassin
victim / killer: 被害人 遇害 victim slain
saviour / saved: 恩人 救命恩人 搭救 救了 saviour savior rescued saved rescuer
saved / saviour: 获救 被救
former_self / later_self: 前世 前身 转世 reincarnation incarnation
later_self / former_self: 今生 后身
successor / predecessor: 继承人 继任 传人 接班人 successor heir inherited succeeded
predecessor / successor: 前任 前辈 先祖 predecessor ancestor
admirer < lover / beloved: 崇拜者 追求者 仰慕者 admirer suitor
beloved < lover / admirer: 偶像
"""

# Roles composed of two hops, the nearer first.
_MADE_OF = {
    "grandparent": ("parent", "parent"),
    "grandfather": ("parent", "father"),
    "grandmother": ("parent", "mother"),
    "grandchild": ("child", "child"),
    "grandson": ("child", "son"),
    "granddaughter": ("child", "daughter"),
    "uncle": ("parent", "brother"),
    "aunt": ("parent", "sister"),
    "nephew": ("sibling", "son"),
    "niece": ("sibling", "daughter"),
    "cousin": ("elder", "child"),
    "in_law_parent": ("spouse", "parent"),
    "father_in_law": ("spouse", "father"),
    "mother_in_law": ("spouse", "mother"),
    "in_law_child": ("child", "spouse"),
    "in_law_sibling": ("sibling", "spouse"),
    "sibling": ("parent", "child"),
    "brother": ("parent", "son"),
    "sister": ("parent", "daughter"),
    "fellow": ("mentor", "disciple"),
}

# A single character is a role word only as a whole label, or between 的 and the end of the phrase.
_SINGLE_WORDS = """
    father:父爹 mother:母娘 husband:夫 wife:妻 concubine:妾 son:子儿 daughter:女
    brother:兄弟哥 sister:姐妹 mentor:师 disciple:徒 master:主 servant:仆奴 follower:臣
    enemy:敌仇 friend:友 uncle:叔舅伯 aunt:姑姨婶 grandson:孙 nephew:侄 in_law_sibling:嫂
"""
_SINGLE = {
    character: role
    for role, characters in (row.split(":") for row in _SINGLE_WORDS.split())
    for character in characters
}


class RelationRole(NamedTuple):
    """A role with the wider role it belongs to and its opposite."""

    name: str
    wider: str
    opposite: str


class _Lexicon(NamedTuple):
    roles: dict[str, RelationRole]
    words: dict[str, tuple[str, ...]]
    by_word: dict[str, tuple[str, ...]]
    matcher: Matcher


@cache
def _lexicon() -> _Lexicon:
    roles: dict[str, RelationRole] = {}
    words: dict[str, tuple[str, ...]] = {}
    by_word: dict[str, tuple[str, ...]] = {}
    for row in _TABLE.strip().replace("\n    ", " ").splitlines():
        head, said = row.split(":", 1)
        names, opposite = head.split("/")
        name, _, wider = (part.strip() for part in names.partition("<"))
        roles[name] = RelationRole(name, wider or name, opposite.strip())
        words[name] = tuple(form for word in said.split() for form in _forms(word.replace("_", " ")))
        for word in words[name]:
            by_word[word] = (*by_word.get(word, ()), name)
    return _Lexicon(roles, words, by_word, Matcher(Term(word, word, "role") for word in by_word))


def _forms(word: str) -> tuple[str, ...]:
    return (word, f"{word}s") if word.isascii() and not word.endswith("s") else (word,)


class RoleWord(NamedTuple):
    """A word for a role in a text, and its span."""

    roles: tuple[str, ...]
    term: str
    start: int
    end: int


def role_words(text: str) -> list[RoleWord]:
    """The words for roles in a folded text."""
    lexicon = _lexicon()
    hits: list[Hit] = lexicon.matcher.find(text.replace("_", " "))
    found = [RoleWord(lexicon.by_word[hit.term], hit.term, hit.start, hit.end) for hit in hits]
    taken = {place for word in found for place in range(word.start, word.end)}
    for place, character in enumerate(text):
        if character in _SINGLE and place not in taken and _stands_alone(text, place):
            found.append(RoleWord((_SINGLE[character],), character, place, place + 1))
    return sorted(found, key=lambda word: word.start)


def _stands_alone(text: str, place: int) -> bool:
    before, after = text[:place].rstrip(), text[place + 1 : place + 2]
    return (not before or before.endswith("的")) and (not after or not after.isalpha() or after in "的是叫")


@lru_cache(4_096)
def folded(text: str) -> str:
    """The text folded for comparison with the table: width, case, traditional characters."""
    return fold(text, simplify=True).text


@lru_cache(4_096)
def label_roles(label: str) -> frozenset[str]:
    """The roles that the label of a relation mentions."""
    return frozenset(role for word in role_words(folded(label)) for role in word.roles)


def opposite(role: str) -> str:
    """The opposite role: what the other entity is in turn."""
    return _lexicon().roles[role].opposite


def made_of(role: str) -> tuple[str, str] | None:
    """The two hops that make up this role, the nearer first; None if it is not composed."""
    return _MADE_OF.get(role)


@cache
def cues(role: str) -> dict[str, frozenset[str]]:
    """The words of prose that suggest a role near a name, and the roles each stands for."""
    lexicon = _lexicon()
    own = lexicon.roles[role]
    return {
        word: frozenset(lexicon.by_word[word])
        for name in (role, own.wider, own.opposite, *_narrower(role), *_narrower(own.opposite))
        for word in lexicon.words[name]
    }


@cache
def _narrower(role: str) -> tuple[str, ...]:
    return tuple(name for name, own in _lexicon().roles.items() if own.wider == role and name != role)


def likeness(asked: str, given: str) -> float:
    """How well a given role answers a question for the asked one, from 0 to 1."""
    if asked == given:
        return 1.0
    roles = _lexicon().roles
    if roles[given].wider == asked:
        return 0.9
    if roles[asked].wider == given:
        return 0.8
    return 0.2 if roles[asked].wider == roles[given].wider else 0.0


def likeness_of(asked: str, given: Iterable[str]) -> float:
    """How well the best of the given roles answers a question for the asked one."""
    return max((likeness(asked, role) for role in given), default=0.0)
