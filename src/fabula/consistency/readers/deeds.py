"""Who dies in a text, and who acts or speaks in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabula.consistency.marked import NAMES, MarkedText
from fabula.consistency.readers.sentences import MarkedClause, Telling
from fabula.consistency.reading import Assertion, KnownPeople

_P = f"(?P<p>[{NAMES}])"
# What may stand between somebody and the verb: Anna, pale as death, rose; Anna choked on a bone and died.
_ASIDE = rf"(?:,\s+[^,.;:“”{NAMES}]{{1,40}},)?"
_AND = r"(?:[a-z]+\s+[a-z ,]{0,40}\s+and\s+)?"
_OWN = r"(?:his|her|their)"
_KILLED = (
    "killed|murdered|slain|executed|hanged|beheaded|guillotined|strangled|throttled|poisoned|drowned|"
    "assassinated|slaughtered|"
    "butchered|massacred|crucified|lynched|decapitated|electrocuted|buried|cremated|entombed|interred|"
    "laid\\s+to\\s+rest"
)
_TO_DEATH = "(?:bled|starved|froze|burned|burnt|choked|drank|worked|fell|suffocated|plunged)"
_ILLNESS = (
    r"\b(?:[Dd]eath|[Ff]ever|[Cc]onsumption|[Cc]holera|[Pp]lague|[Tt]yphus|[Pp]neumonia|[Cc]ancer|"
    r"[Ss]mallpox|[Ii]nfluenza|"
    r"[Ii]llness|[Dd]isease|[Dd]iphtheria|[Pp]estilence|[Aa]poplexy|[Hh]unger|[Pp]oison)"
)
_DIES_EN = re.compile(
    rf"{_P}{_ASIDE}\s+(?:[a-z]+ly\s+|then\s+|had\s+|has\s+|at\s+last\s+|himself\s+|"
    rf"herself\s+)?(?:{_AND}(?:died|was\s+dead|perished|drowned|broke\s+{_OWN}\s+neck)|"
    # what somebody does who dies
    rf"died|perished|expired|drowned|suffocated|succumbed(?=\s*[.,;]|\s+to\s+(?:the|an?|his|her|their|"
    rf"its)\s+(?:[a-z]+\s+)?(?:wounds?|injur\w+|fever|illness|disease|poison|plague|cold))|"
    rf"passed\s+away|gave\s+up\s+the\s+ghost|(?:breathed|drew)\s+{_OWN}\s+last|departed\s+this\s+life|"
    rf"was\s+no\s+more|"
    rf"(?:met|found)\s+{_OWN}\s+(?:death|end)|went\s+to\s+{_OWN}\s+(?:grave|rest)|(?:lost|took|ended|"
    rf"laid\s+down|gave)\s+{_OWN}\s+(?:own\s+)?(?:life|days)|"
    rf"{_TO_DEATH}\s+to\s+{_OWN}?\s*death|(?:killed|shot|stabbed|poisoned|drowned|hanged)\s+(?:himself|"
    rf"herself)|"
    rf"(?:lay|fell|dropped|sank|collapsed|slumped|toppled|rolled)\s+(?:[a-z]+\s+){{0,3}}?(?:dead|"
    rf"lifeless)|(?:lies|lay)\s+buried|"
    rf"did\s+not\s+(?:survive|live\s+(?:to\s+see|through|out))|closed\s+{_OWN}\s+eyes\s+for\s*ever|"
    rf"went\s+down\s+with\s+(?:the|his|her)\s+ship|never\s+(?:woke|awoke|recovered)|"
    rf"fallen\s+in\s+(?:battle|action|the\s+war)|"
    # what is done to somebody who dies
    rf"(?:was|were|is|been|lay)\s+(?:[a-z]+ly\s+|already\s+|found\s+|long\s+|"
    rf"quite\s+)?(?:been\s+)?(?:dead|lifeless|{_KILLED})|"
    rf"(?:was|were|been)\s+(?:struck|shot|found|discovered|picked\s+up)\s+dead|"
    rf"(?:was|were|been)\s+(?:shot|stabbed|run|pierced|struck)\s+(?:[a-z]+\s+)?(?:through|in)\s+(?:the|"
    rf"his|her)\s+(?:heart|head|brain|temple)|"
    rf"(?:was|were|been)\s+(?:stabbed|beaten|burned|burnt|crushed|trampled|tortured|put|done|clubbed|"
    rf"stoned|hacked)\s+to\s+death|"
    rf"(?:was|were|been)\s+(?:carried|borne|followed|taken)\s+to\s+(?:the|{_OWN})\s+(?:churchyard|"
    rf"cemetery|graveyard|grave)"
    rf")\b(?!\s+(?:of\s+(?:laughter|laughing|shame|boredom)|away|down|out|asleep|tired|drunk|certain|"
    rf"set|against|serious|"
    rf"to\s+(?:the\s+world|all|everything|shame|(?:me|him|her|us|them)\b(?!\s+[a-z]+s\b|\s+(?:illness|"
    rf"disease|fever|own)))|with\s+(?:laughter|shame))\b)|"
    rf"\b(?:ended|took|claimed|cost|stole|extinguished|cut\s+short)\s+(?P<z>[{NAMES}])['’]s?\s+life\b|"
    # what is left of them
    rf"(?P<s>[{NAMES}])['’]s?\s+(?:funeral|burial|corpse|coffin|grave|tomb|(?:dead|lifeless|"
    rf"cold)\s+body|remains|last\s+breath|heart\s+(?:had\s+)?(?:stopped|ceased)|"
    rf"(?:sudden\s+|untimely\s+)?death\s+(?:came|followed|was\s+(?:announced|reported|mourned)))\b|"
    rf"\b(?:news|hour|day|night|year|scene|cause|[Aa]fter|[Ss]ince|[Oo]n|mourned|"
    rf"upon)\s+(?:of\s+)?(?P<u>[{NAMES}])['’]s?\s+(?:sudden\s+|untimely\s+)?(?:death|murder|suicide|"
    rf"execution)\b|"
    rf"\b(?:found|discovered|brought|carried|buried|burned|burnt|recovered|dragged|fished|pulled|"
    rf"identified)\s+(?:[a-z]+\s+)?(?P<v>[{NAMES}])['’]s?\s+body\b|"
    rf"(?P<w>[{NAMES}])['’]s?\s+body\s+(?:was|had\s+been|lay)\s+(?:found|discovered|brought|carried|"
    rf"buried|burned|burnt|recovered|dragged|washed|in\s+state|cold)\b|"
    rf"\b(?:the\s+)?(?:death|corpse|funeral|burial)\s+of\s+(?P<q>[{NAMES}])(?!['’])|"
    # what others do
    rf"\b(?:{_KILLED}|slew|mourned(?:\s+for)?|mourning\s+for)\s+(?P<r>[{NAMES}])(?!['’{NAMES}]|\s+(?:in|"
    rf"with)\s+(?:kisses|thought|work))|"
    rf"\b(?:stabbed|beat|burned|burnt|clubbed|tortured|put|hacked|stoned|shot|"
    rf"struck)\s+(?P<x>[{NAMES}])\s+(?:to\s+death|dead|through\s+the\s+(?:heart|head))\b|"
    rf"{_ILLNESS}\s+(?:[a-z]+ly\s+|had\s+|soon\s+|at\s+last\s+)?(?:took|taken|claimed|overtook|"
    rf"overtaken|killed|carried(?:\s+(?:off|away))?|came\s+(?:to|for)|"
    rf"swept\s+away)\s+(?P<y>[{NAMES}])(?!['’])|"
    rf"\b(?:laid|lowered|put)\s+(?P<t>[{NAMES}])\s+(?:in|into|to\s+rest\s+in|to\s+rest)\s*(?:(?:the|"
    rf"{_OWN})\s+(?:grave|tomb|coffin|earth))?\b"
)
_NOT_REALLY = re.compile(
    r"\b(?:if|nearly|almost|would|might|could|should|not|never|as\s+though|as\s+if|when)\b", re.I
)
_NEARLY = re.compile(r"\b(?:nearly|barely|scarcely|hardly|possibly|supposedly|seemingly)\b")
_SPEAKS = (
    "said|asked|replied|answered|cried|shouted|whispered|murmured|exclaimed|added|repeated|observed|"
    "remarked|"
    "inquired|continued|muttered"
)
# Most verbs that end in -ed are deeds; these are also said of the dead.
_ED = (
    "(?!(?:died|lived|remained|belonged|seemed|appeared|deserved|existed|owned|loved|wanted|liked|"
    "used|named|called|buried|"
    "killed|murdered|married|perished|expired|succumbed|drowned|needed|hated|possessed|resembled|"
    "established|founded|"
    "composed|invented|ordered|promised|intended|meant|received|suffered|represented|figured|served|"
    "reigned|ruled|failed)"
    "\\b)[a-z]{2,}ed"
)
# The irregular verbs of deeds in the past tense; not those of being, lying and sleeping.
_STRONG = (
    "bent|bet|bit|bled|blew|bound|bought|brought|broke|built|burst|cast|caught|chose|clung|crept|cut|"
    "dealt|did|drank|drew|"
    "drove|dug|ate|fed|felt|fled|flew|flung|forgave|forgot|fought|found|gave|ground|heard|held|hid|"
    "hit|kept|knelt|laid|leant|leapt|"
    "learnt|led|left|lent|let|lit|made|met|mistook|paid|quit|ran|rang|read|rode|rose|said|sang|sat|"
    "saw|sent|set|shook|shot|"
    "shrank|shut|slid|slung|smelt|sold|sought|sped|spent|spat|split|spoke|spread|sprang|spun|stole|"
    "stood|strode|strove|"
    "struck|stuck|stung|swam|swept|swore|swung|taught|thought|threw|thrust|told|took|tore|trod|"
    "understood|wept|withdrew|"
    "woke|won|wound|wove|wrote|wrung"
)
_ACTS_EN = re.compile(
    rf"(?:\b(?:{_SPEAKS})|(?<=[”\"]\s)[a-z]+|^\s+[a-z]{{3,}})\s+(?P<q>[{NAMES}])(?![{NAMES}'’])|"
    rf"{_P}{_ASIDE}\s+(?:[a-z]+ly\s+|then\s+|again\s+|now\s+|also\s+|only\s+|"
    rf"had\s+just\s+)?(?P<v>{_SPEAKS}|went|came|walked|ran|sat|stood|smiled|laughed|"
    rf"looked|glanced|turned|took|gave|got|rose|opened|entered|drew|put|began|nodded|shook|threw|kissed|"
    rf"wept|wrote|"
    rf"drank|ate|rode|drove|led|held|caught|seized|stepped|stopped|listened|returned|sighed|bowed|"
    rf"jumped|flushed|blushed|frowned|approached|pushed|pulled|lifted|raised|"
    rf"{_STRONG}|{_ED})\b|"
    # they met Anna; Anna was writing; Anna, who stood by; Anna appeared in the door
    rf"\b(?:met|joined|overtook|encountered)\s+(?P<r>[{NAMES}])(?![{NAMES}'’])|"
    rf"(?P<s>[{NAMES}])\s+(?:was|is)\s+(?:[a-z]+ly\s+|still\s+|just\s+|already\s+)?(?!(?:lying|being|"
    rf"dying|going|missing|nothing|something|anything|wanting|lacking|willing|loving|charming|"
    rf"becoming|having|resting|sleeping|rotting|hanging|living)\b)[a-z]{{2,}}ing\b|"
    rf"(?P<t>[{NAMES}])\s+appeared\s+(?:at|in|on|from|again|round|behind|with)\b"
)
_PAST = re.compile(
    r"\b(?:remember\w*|recall\w*|recollect\w*|dream\w*|ghost|memory|memories|portrait|grave|tomb|late|"
    r"used\s+to|"
    r"years\s+(?:ago|before)|formerly|corpse|coffin|thought\s+of|imagin\w*|(?:letter|story|"
    r"tale)\s+(?:of|from|that|in\s+which))\b",
    re.I,
)
# These frame what comes after them: “when Anna laughed” may be a memory, “Anna laughed when” is none.
# A man who looked like Anna, 一个像苏晚的人
_ALIKE = re.compile(r"(?:\b(?:like|unlike|named\s+after|for)\s+|[像似如]|名叫|冒充)$")
_FRAMES = re.compile(r"\b(?:once|had(?!\s+just\b)|would|letter|if|as\s+though|when)\b", re.I)
_DIES_ZH = re.compile(
    rf"{_P}(?P<m>[^{NAMES}，。！？；：“”\s]{{0,6}}?)(?P<d>身亡|身死|去世|过世|病故|亡故|身故|物故|气绝|"
    rf"圆寂|自尽|自杀|毙命|丧命|送命|殒命|丧生|遇害|遇难|仙逝|殁了|咽了?气|断了?气|"
    rf"一命呜呼|自刎|阵亡|战死|战殁|捐躯|归天|归西|夭亡|病死|辞世|病逝|逝世|坐化|自缢|驾崩|一命归阴|"
    rf"撒手人寰|不在人世|与世长辞|溘然长逝|命丧黄泉|寿终|死去(?!活来)|逝去|"
    rf"而[亡逝死]|再也没有醒|再也没醒|死于|死在|死了(?=[，。；！]))|"
    # 苏晚被人一刀杀死
    rf"(?P<s>[{NAMES}])(?:被|遭|给|让|叫)[^，。！？；：“”\s]{{0,8}}?(?:杀死|杀害|杀了|打死|刺死|毒死|"
    rf"射死|害死|砍死|勒死|烧死|淹死|斩首|斩杀|斩了|斩于|枭首|问斩|凌迟|赐死|处死|处决|绞死|吊死|"
    rf"枪毙|砍了头|咬死|压死|砸死)|"
    rf"(?P<v>[{NAMES}])是?[^{NAMES}，。！？；：“”]{{0,6}}(?:下葬|入土|入殓|出殡|落葬|咽气)(?:的|"
    rf"了)?(?=[，。；！])|"
    rf"(?:夺走|夺去|要|取走|取|结果|断送|带走)了?(?P<w>[{NAMES}])的(?:性命|生命|命)(?=[，。；！])|"
    rf"(?P<x>[{NAMES}])[^{NAMES}，。！？；：“”]{{0,6}}(?:伤重不治|重伤不治|不治身亡|医治无效|回天乏术|"
    rf"没能?(?:熬|撑|挺|活|捱)过|未能(?:熬|撑|挺|活|捱)过)|"
    rf"(?P<y>[{NAMES}])[^{NAMES}。！？；：“”]{{0,12}}?(?:当场|立时|立刻|就此|已经?)(?:断了?气|毙命|"
    rf"咽了?气|没了(?:呼吸|气息|脉搏|心跳)|停止了?呼吸)|"
    rf"(?:瘟疫|疫病|疫症|[热恶急大]病|天花|霍乱|肺痨|伤寒|大火|洪水|死神|"
    rf"战火)[^。！？；：“”{NAMES}]{{0,10}}(?:带走|夺走|卷走|夺去)了?(?P<z>[{NAMES}])(?![的家])|"
    # 苏晚的尸首、死讯
    rf"(?P<t>[{NAMES}])的(?:尸首|尸体|尸身|遗体|遗骸|死讯|葬礼|丧事|灵柩|棺木|后事|噩耗|灵堂)|"
    rf"给(?P<u>[{NAMES}])(?:办|料理|操办)了?(?:丧事|后事)|"
    rf"(?:杀死|杀害|刺死|毒死|射死|害死|砍死|勒死|打死|处死|斩杀|格杀|葬|埋葬|安葬|"
    rf"掩埋)了(?P<q>[{NAMES}])(?!的|之)|把(?P<r>[{NAMES}])(?:安葬|埋葬|葬|埋|杀|斩|处死)(?:了|在)"
)
# “Anna is dead,” “Anna died this morning,” “苏晚去世了”
_NEWS = re.compile(
    rf"[{NAMES}]\s+(?:(?:is|was|has\s+been)\s+(?:dead|killed|murdered|found\s+dead)|(?:has\s+)?died|"
    rf"has\s+passed\s+away)|"
    rf"[{NAMES}](?:已|已经|昨夜|昨日|今早|今日|刚刚)?(?:死了|去世|身亡|过世|病故|亡故|遇害|自尽)"
)
_NEVER_ZH = re.compile(
    "[的他她它们母娘父兄等气吓羞打殴伤杀害急笑恨爱闷烦累热冷该不未没莫勿休若如倘假怕恐险几差将欲要想说道装诈听闻见为]|"
    ""
    "以为|只当|难道"
)
_SPEAKS_ZH = "道：|说：|笑道|说道|问道|答道|喝道|叫道|哭道|骂道|忙道|便道|叹道|冷笑道|又道|因道|应道|怒道"
# What people do with hands, feet and faces.
_HANDS = (
    "摆端皱拍打翻掀抬挥握抱拾捡拔抽撕点扶牵递抓挑挥扔踢踩推拖捧擦抹揉敲摸拎挽扯撩搂睁眨咬吐吞抿扬垂弯侧迈踱"
)
# A verb with an ending that says it is done now: 看了他, 披上, 赶到; not 死了, 老了, 有了.
_DONE_ZH = (
    "(?![死老病没亡逝殁有成好完在是的和与之不身心头手面脸眼口家房屋门床楼那这此])[\u4e00-\u9fff]"
    "(?:了(?=[他她它我你一两几口声眼下点起身半])|[起上下进出开住到](?!者|人|的))"
)
_Q = f"(?P<q>[{NAMES}])"
_ADVERB = "给自己|又|对[他她我]们?|冲[他她我]们?|三步并作两步|大步|快步"
_ACTS_ZH = re.compile(
    rf"(?<![将把被给叫让使令]){_P}(?P<v>(?:又|便|忙|只|也|却|因|遂|方|才|就|一面|连忙|急忙|赶忙|听了|"
    rf"听说|见了|上前|微微|冷|早|都|已|正|慢慢|轻轻|突然|忽然|立刻|马上){{0,2}}"
    rf"(?:{_SPEAKS_ZH}|笑了|走(?:来|去|进|到|过|出|入|上)|坐(?:下|在|着)|站(?:起|在|着)|起身|点头|摇头|"
    rf"低头|抬头|磕头|叩头|进来|出来|出去|进去|回头|转身|伸手|开口|动手|"
    rf"拉着|拿(?:起|着|了|出)|跑(?:来|去|进|到|出)|跳(?:起|下|上)|跪(?:下|在)|拜(?:了|下)|哭了|举起|"
    rf"喝了|接(?:过|了)|放下|推开|瞪|叹了|答应|赶[到来]|"
    rf"[大冷微苦狞狂哈傻痛]{{1,3}}[笑哭]|(?:随手|顺手|随即|转眼|一把|缓缓|悄悄|匆匆|默默|低声|轻声|"
    rf"{_ADVERB}){{0,2}}(?:{_DONE_ZH}|[{_HANDS}上下倒关开喝吃][了起着开出上]|点点头|摇摇头|摆摆手|"
    rf"挥挥手|耸耸肩|叹口气|笑笑|咧嘴|皱眉|挥手|招手|摆手|耸肩|叹气|问|答)|"
    rf"(?:{_DONE_ZH}|[{_HANDS}倒盛斟](?:了|上))|一边[^，。]{{1,6}}一边|笑得|哭得|气得|推开|打开|合上|"
    rf"揉着|搂着|在[^{NAMES}，。！？；：“”死葬]{{1,8}}(?:挥手|招手|坐着|站着|走着|等着|挥着|笑着)|"
    rf"[{_HANDS}亲吻](?:了|一)[{_HANDS}亲吻]|点了[^，。]{{1,4}}|"
    rf"(?:把|将)[^{NAMES}，。！？；：“”\s]{{1,8}}[{_HANDS}放交送拿给递]|{_DONE_ZH}|"
    rf"[^{NAMES}，。！？；：“”\s死]{{0,6}}(?:说|道|问|答|喊|叫)：?“|[{_HANDS}](?:了|起|着|开|出|过)|"
    rf"一[{_HANDS}]|[{_HANDS}][^{NAMES}，。！？；：“”\s]{{1,3}}(?:而入|而出)))|"
    rf"(?:(?<=[”」])|^){_Q}[^{NAMES}，。！？；：“”\s死]{{0,6}}(?:说|道|问|答|喊|叫|骂|嚷)(?=[，。！]|$)"
)
_PAST_ZH = re.compile(
    "梦|魂|想起|记得|当年|生前|从前|昔日|曾|鬼|灵|坟|说起|遗|原来|先时|昔|往日|那年|当日|当初|若|倘|"
    "假如|如果|似|好像|仿佛|托"
)


# What a picture shows is told in the sentences around it, too.
_PICTURE = re.compile(
    r"\b(?:drew|draws|drawn|drawings?|sketch\w*|portraits?|pictures?|paint(?:ed|ings?)|photographs?|"
    r"photos?|engraving|statue)\b"
    r"|画(?!眉|舫|楼|戟|栋)|照片|相片|肖像|雕像|塑像"
)


def deeds(text: MarkedText, cast: KnownPeople) -> Iterator[Assertion]:
    """Yield deaths as `died` and what people do or say as `acts`, outside of speech and memories."""
    telling = Telling(text)
    is_chinese = cast.language == "zh"
    dies, acts = (_DIES_ZH, _ACTS_ZH) if is_chinese else (_DIES_EN, _ACTS_EN)
    past = _PAST_ZH if is_chinese else _PAST
    for sentence in telling.sentences():
        if not any("\ue000" <= one <= "\uf7ff" for one in sentence.text):
            continue
        for found in dies.finditer(sentence.text):
            if _is_not_dead(sentence, found, is_chinese):
                continue
            if telling.is_spoken(sentence.start + found.start()) and not _is_news(sentence, found):
                continue
            yield _said(text, sentence.start, "died", _who(found), found.span())
        is_past = past.search(sentence.text) is not None or _is_shown(text.marked, sentence)
        for found in () if is_past else acts.finditer(sentence.text):
            is_alike = _ALIKE.search(sentence.text, 0, sentence.text.find(_who(found), found.start()))
            if is_alike is not None:
                continue
            is_framed = not is_chinese and _FRAMES.search(sentence.text, 0, found.end()) is not None
            if not is_framed and not telling.is_spoken(sentence.start + found.start()):
                yield _said(text, sentence.start, "acts", _who(found), found.span())


def _is_news(sentence: MarkedClause, found: re.Match[str]) -> bool:
    """Whether somebody tells of a death plainly: not as a question, a wish or a threat."""
    return not re.search("[?？]", sentence.text) and _NEWS.fullmatch(found[0]) is not None


def _who(found: re.Match[str]) -> str:
    """The mark of the one that a pattern is about."""
    return next(one for name, one in found.groupdict().items() if name in "pqrstuvwxyz" and one)


def _is_not_dead(sentence: MarkedClause, found: re.Match[str], is_chinese: bool) -> bool:
    """Whether somebody only nearly dies, or would."""
    if not is_chinese:
        is_nearly = _NEARLY.search(found[0]) is not None
        return is_nearly or _NOT_REALLY.search(sentence.text[: found.start()]) is not None
    return found["m"] is not None and _NEVER_ZH.search(found["m"].replace("不久", "")) is not None


def _is_shown(text: str, sentence: MarkedClause) -> bool:
    """Whether the paragraph of a sentence tells of a picture."""
    start = text.rfind("\n", 0, sentence.start) + 1
    end = text.find("\n", sentence.start)
    return _PICTURE.search(text, start, len(text) if end < 0 else end) is not None


def _said(text: MarkedText, begin: int, topic: str, mark: str, span: tuple[int, int]) -> Assertion:
    start, end = (text.origin(begin + place) for place in span)
    # The name itself is one mark, which begins before its origin.
    return Assertion(topic, text.who(mark), text.plain(begin + span[0], begin + span[1]), start, end)
