"""Who comes and goes in narration and stage directions, in English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from fabula.staging.staged_text import NAME, NAMES

_PLACE = (
    r"(?:the|a|his|her|their|my|our|that|this) (?:\w+ )?(?:room|house|hall|kitchen|bedroom|study|office|"
    r"shop|store|bar|inn"
    r"|tavern|library|garden|building|table|scene|stage|party|meeting|group|chat|conversation|channel|"
    r"call|cafe|car"
    r"|church|castle|palace|court|ship|deck|cabin|cave|camp|village|city|town|courtroom|classroom|"
    r"basement|attic|lounge"
    r"|parlou?r|dining room|drawing room|living room|bathroom|hospital|station|restaurant|place|premises|"
    r"pier|harbou?r)"
)
_LEAVES_EN = (
    r"(?:exit(?:s|ed|ing)?|depart(?:s|ed)|withdr(?:aws|ew)|walk(?:s|ed|ing)? (?:out|away|off)|storm(?:s|"
    r"ed|ing)? (?:out|off|away)"
    r"|step(?:s|ped|ping)? (?:out|away|outside)|slip(?:s|ped)? (?:out|away)|(?:go|goes|went|going|gone|"
    r"is gone) (?:out|away|off|home|upstairs|downstairs|outside|to bed|back to)"
    r"|head(?:s|ed|ing)? (?:out|off|home|upstairs|downstairs|outside|away)|r[ua]n(?:s)? (?:out|off|away)|"
    r"rush(?:es|ed)? (?:out|off|away)"
    r"|hurr(?:y|ies|ied) (?:out|off|away)|excus(?:e|es|ed) (?:him|her|them)sel(?:f|ves)|t(?:akes?|"
    r"ook) (?:his|her|their) leave"
    r"|say(?:s)? goodbye|said (?:goodbye|good night)|(?:is|was) called away|driv(?:es?) (?:off|away)|"
    r"drove (?:off|away)|r[io]des? (?:off|away)"
    r"|disappear(?:s|ed)|vanish(?:es|ed)|strid(?:es) (?:out|away)|strode (?:out|away)|stalk(?:s|"
    r"ed) (?:out|off)|march(?:es|ed) (?:out|off)"
    r"|stagger(?:s|ed) out|flee(?:s)?|fled|retire(?:s|d) (?:to|for)|log(?:s|ged) off|sign(?:s|ed) off|"
    r"hang(?:s)? up|hung up|fall(?:s)? asleep|fell asleep|disconnect(?:s|ed)|"
    r"l(?:oses?|ost) (?:the )?connection|goes(?= *(?:$|[.!)\]*]))|"
    r"(?:storm|stomp|creep|crept|clim?b|run|ran|tiptoe|hurr(?:y|ied|ies)|rush)(?:s|es|ed|ped)? (?:upstairs|"
    r"downstairs)|"
    r"(?:go|goes|went|retreat(?:s|ed)|retire(?:s|d)) to (?:his|her|their)(?: own)? (?:room|bedroom|chamber|"
    r"cabin|bed)|"
    r"(?:is|was)(?: already| long)? gone(?= *(?:$|[.,;!?)\]*]))"
    r"|leaves?(?= *(?:$|[.,;!?)\]*]| (?:with|for|by|through|quickly|early|at once|together|without|again|"
    r"immediately|to|hurriedly|in|after|now|quietly|alone|and|as|except|but|save)\b))"
    r"|left(?= *(?:$|[.,;!?)\]*]| (?:with|for|by|through|quickly|early|at once|together|without|again|"
    r"immediately|to|hurriedly|in a|after|quietly|alone|and|as|except|but|save)\b))"
    rf"|(?:leaves?|left|quit(?:s)?) (?={_PLACE})|leaves? the \w+[.!\])*]?$|left the \w+[.!\])*]?$)"
)
_ENTERS_EN = (
    r"(?:(?:re-?)?enter(?:s|ed|ing)?|arriv(?:es|ed|ing)|c(?:omes?|ame|oming) (?:in|back|into|over|inside|"
    r"through the door|up to|down|home|running|forward)|return(?:s|ed|ing)?(?! (?:the|a|his|"
    r"her) (?:smile|look|gaze|kiss|book|letter|favou?r))"
    r"|walk(?:s|ed|ing)? (?:in|into|back|over|up)|(?:re)?join(?:s|ed|ing)?\b|step(?:s|ped|ping)? (?:in|"
    r"into|inside|back in)|rush(?:es|ed|ing)? (?:in|into|back)"
    r"|burst(?:s|ing)? (?:in|into the)|appear(?:s|ed|ing)?(?! to)|show(?:s|ed|ing)? up|stumbl(?:es|ed|"
    r"ing) (?:in|into)|r[ua]n(?:s|ning)? (?:in|into|back)|hurr(?:ies|ied) (?:in|into|back)"
    r"|slip(?:s|ped)? (?:in|into|back in)|sneak(?:s|ed) in|knock(?:s|ed) (?:at|on) the door|log(?:s|"
    r"ged) (?:on|in)|(?:is|was) back|reconnect(?:s|ed)|wakes? up|woke up|drop(?:s|ped)? (?:by|in)|"
    r"pop(?:s|ped) in|st(?:rides?|rode) (?:in|into)|limp(?:s|ed) in)"
)
_MAY = re.compile(
    r"\b(?:not|never|would|could|should|might|may|will|wants?|wanted|to|if|about to|until|unless|before|"
    r"wish(?:es|ed)?|must|cannot|can|refuse[sd]?|almost|nearly)\b|n['’]t\b|['’]s\b",
    re.IGNORECASE,
)
_LEAVES_ZH = (
    r"(?:(?:走|跑|冲|溜|退|踱|奔|逃|赶|追|迎|闪|爬|挪|跟|追|步|飞|夺门)(?:了)?(?:出去|出来到外|出了|出门|"
    r"出屋|出房|开了|远了|而出|而去)"
    r"|走出(?!来)|离开|离去|离场|离席|退下|退出|退场|下场|告辞|告退|辞别|辞去|辞了|作辞|回房|回家|回屋|"
    r"回宫|回府|远去|出门|出去|拂袖而去|扬长而去"
    r"|起身(?:便|就)?(?:走|离)|走了(?!进|过|上|回)|走开|去了(?=[，。；！]|$)|自去|而去|躲开|下楼|上楼|睡着|"
    r"睡去|昏(?:了)?过去|晕(?:了)?过去|下线|"
    r"挂(?:断|上|掉)?了?电话|消失|不见了(?=[，。；！？]|$)|没了?(?:踪影|人影)|不知去向)"
)
_ENTERS_ZH = (
    r"(?:(?:走|跑|冲|闯|溜|赶|迈|步|推门|掀帘|爬|挤|踱|匆匆|急忙|快步)*(?:进来|进了|进入|走进|进屋|进门|"
    r"入内|进房|而入)"
    r"|上场|登场|入场|归来|回来|返回|来到|赶到|赶来|到来|到了|到场|现身|出现|加入|走来|跑来|过来|走上前|"
    r"来了|醒来|醒了|上线|来(?=[，。；！]|$))"
)
_MAY_ZH = re.compile(
    r"[没未别]|不(?!发|声|响|吭|回|禁|由|慌)|差一?点|险些|几乎|想|要(?!紧)|若|如果|等到?|准备|打算|希望|叫|"
    r"让|请|催|劝|命|令|打发|送|的$"
)

_EN = re.compile(rf"(?<!\w)(?:(?P<leaves>{_LEAVES_EN})|(?P<enters>{_ENTERS_EN}))(?!\w)", re.IGNORECASE)
_ZH = re.compile(rf"(?P<leaves>{_LEAVES_ZH})|(?P<enters>{_ENTERS_ZH})")
_SENT_OUT = re.compile(
    rf"\b(?:sen[dt]s?|dismiss(?:es|ed)?|l(?:ea)?ds?|led|takes?|took|drag(?:s|ged)|escort(?:s|ed)|shoos?|"
    rf"shooed|chas(?:es|ed)|see(?:s)?|saw|carr(?:ies|ied)) (?P<a>{NAMES}) (?:out|away|off|outside|home)"
    rf"|\b(?:remov(?:es|ed)|kick(?:s|ed)) (?P<e>{NAMES}) (?:from|out)"
    rf"|\b(?:sen[dt]s?|dispatch(?:es|ed)) (?P<h>{NAMES}) (?:to (?:fetch|get|find|bring|buy|warn|call|look|"
    rf"see|meet|the|his|her|their|town|bed)|for|on an errand|upstairs|downstairs|back)\b"
    rf"|[把将](?P<i>{NAMES})(?:拖|拉|架|抬|押|带|拽|推|轰|赶|请|扶|背|抱)(?:了)?(?:下去|出去|走|回房|上楼|"
    rf"下楼)"
    rf"|(?:打发|派|差遣|差|遣|支使)了?(?P<j>{NAMES})(?:去|到|往|上|回)"
    rf"|(?P<g>{NAMES})['’]s (?:connection|line|signal|call) "
    rf"(?:drop(?:s|ped)|(?:is|was) lost|(?:goes|went) dead|fail(?:s|ed))"
    rf"|[把将](?P<f>{NAMES})(?:移出|踢出|请出|请了出|赶出|轰出|推出)"
    rf"|(?:打发|支开|赶走|送走|带走|叫走|拉走|抬走|支走|撵走)了?(?P<b>{NAMES})|送(?P<c>{NAMES})出"
    rf"|(?:叫|请|让|命|令|使|催|赶|带|领|拉|拖|扶|送|打发|劝)(?:着|了)?(?P<d>{NAMES})(?:先|都|快|"
    rf"也)?(?:出去|出门|离开|下去|退下|回去|走|回家|"
    rf"回房|回避)",
    re.IGNORECASE,
)
_BROUGHT_IN = re.compile(
    rf"\b(?:l(?:ea)?ds?|led|lets?|shows?|showed|brings?|brought|usher(?:s|ed)|call(?:s|ed)|invit(?:es|"
    rf"ed)|drag(?:s|ged)) (?P<a>{NAMES}) (?:in|into|inside|back|over)"
    rf"|\badd(?:s|ed) (?P<f>{NAMES}) to (?:the|this|our)"
    rf"|\b(?:in|up) (?:c(?:omes?|ame)|walk(?:s|ed)) (?P<b>{NAMES})|\b(?:found|finds?|met|meets?|spot(?:s|"
    rf"ted)|notic(?:es|ed)|c(?:a|o)mes? (?:upon|across)|runs? into|ran into) (?P<c>{NAMES})"
    rf"|(?:叫|请|让|命|令|带|领|拉|引|扶|迎)(?:着|了)?(?P<d>{NAMES})(?:也|都|快)?(?:进|入内|过来|上来|坐下|"
    rf"来)|(?:只见|忽见|迎面|遇见|遇到|"
    rf"碰见|碰到|撞见|看见)了?(?P<e>{NAMES})",
    re.IGNORECASE,
)
_ENTER_LIST = re.compile(
    rf"\b(?:re-?)?enter[s]?\b[: ]+(?:the )?(?P<a>[^.;\])\n]*)|(?P<b>{NAMES})"
    rf"\s*(?:[同齐急又暗先复重再悄仍]|慌忙|"
    rf"匆匆)*上(?=[。，；）)\]】\s]|$)|引(?P<c>{NAMES})上",
    re.IGNORECASE,
)
_EXIT_LIST = re.compile(
    rf"\b(?P<verb>exit|exits|"
    rf"exeunt)\b(?P<a>[^;\])\n]*)|(?P<b>{NAMES})\s*(?:[同齐急又暗先复重再悄并]|慌忙|匆匆|跟着|"
    rf"随)*下(?=[。，；）)\]】\s]|$)"
    r"|^[（(\[【\s]*(?P<alone>(?:[同齐急暗悄众全]|众人|全体|一齐|一同)*)下[。！）)\]】\s]*$",
    re.IGNORECASE,
)
_ALONE_UP = re.compile(r"^[（(\[【\s]*(?:[急又暗复重再悄])*上[。！）)\]】\s]*$")
_EVERYONE = re.compile(
    r"\b(?P<all>everyone|everybody|they all|all of them|they both|both of them|the two of them|all)\b|"
    r"\b(?P<others>the others|the rest|everyone else|everybody else|the other guests)\b"
    r"|(?P<all_zh>众人|大家|所有人|全体|一行人|诸人|二人|两人|三人|他们|她们)|(?P<others_zh>其他人|"
    r"其余的?人|其余人|旁人|余人|别人)",
    re.IGNORECASE,
)
_BUT = re.compile(rf"\b(?:except|but|save)(?: for)? (?P<a>{NAMES})|除了?(?P<b>{NAMES})")
_ONLY = re.compile(
    rf"\b(?:leaving|only|left) (?P<a>{NAMES}) (?:alone|behind|remain(?:s|ed)?|stay(?:s|ed)?)|"
    rf"(?P<b>{NAMES}) (?:is|are|was|were|remain(?:s|ed)?|stay(?:s|ed)?)(?: left)? alone\b"
    rf"|\bmanet\s+(?P<c>{NAMES})|只(?:剩|留|有)(?:下|了|得)*(?P<d>{NAMES})(?!(?:的|说|知))",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?:^|[\s,;“\"(])(?:he|she|i|they)\b|[他她它我]们?", re.IGNORECASE)
_SUBJECT = re.compile(rf"(?P<names>{NAMES})(?P<own>['’]s\b|的)?")
_OBJECT = re.compile(
    r"\b(?:to|with|at|from|of|for|by|after|behind|beside|than|about|toward|towards|near|watch\w*|kiss\w*|"
    r"told|asked)\s+$|[向对跟朝给比为替从]$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.;!?。；！？]")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


class Moves(NamedTuple):
    """Who comes and who goes, as they are written; whether the others go or come, and who alone stays."""

    come: str = ""
    go: str = ""
    others_go: bool = False
    others_come: bool = False
    only: str = ""


def moves(told: str, implied: str = "") -> Moves:
    """What a sentence or a direction tells about coming and going; `implied` is who does what has no doer."""
    come, go, only = "", "", ""
    others_go = others_come = False
    for match in _ONLY.finditer(told):
        only += _given(match)
    for match in _BROUGHT_IN.finditer(told):
        come += _given(match)
    for match in _SENT_OUT.finditer(told):
        go += _given(match)
    for doer, verb, names in _doers(told, implied):
        if verb == "leaves":
            go += names
            others_go |= doer != ""
        else:
            come += names
            others_come |= doer != ""
        if doer == "others" and verb == "leaves":
            only += implied
    if others_go:
        for match in _BUT.finditer(told):
            only += _given(match)
    return Moves(_names(come), _names(go), others_go, others_come, _names(only))


def directed(told: str, implied: str) -> Moves:
    """The same for a stage direction, which has forms of its own."""
    come = go = only = ""
    others_go = False
    for match in _ENTER_LIST.finditer(told):
        come += _given(match, "a", "b", "c")
    if _ALONE_UP.search(told):
        come += implied
    for match in _EXIT_LIST.finditer(told):
        if match["b"]:
            go += match["b"]
        elif match["verb"]:
            but = _BUT.search(match["a"])
            named = _names(match["a"])
            if but:
                others_go, only = True, only + _given(but)
            elif named:
                go += named
            elif match["verb"].lower() == "exeunt":
                others_go = True
            else:
                go += implied
        elif match["alone"]:
            others_go = True
        else:
            go += implied
    told_plainly = moves(told, implied) if not (come or go or others_go) else Moves()
    return Moves(
        _names(come) + told_plainly.come,
        _names(go) + told_plainly.go,
        others_go or told_plainly.others_go,
        told_plainly.others_come,
        _names(only) + told_plainly.only,
    )


def _doers(told: str, implied: str) -> Iterator[tuple[str, str, str]]:
    """Who does each of the verbs: a group, which verb, and the names."""
    pattern, may = (_ZH, _MAY_ZH) if _CHINESE.search(told) else (_EN, _MAY)
    last = implied
    for match in pattern.finditer(told):
        verb = "leaves" if match["leaves"] else "enters"
        start = max((found.end() for found in _CLAUSE.finditer(told, 0, match.start())), default=0)
        before = told[start : match.start()]
        subjects = [
            found
            for found in _SUBJECT.finditer(before)
            if not found["own"] and not _OBJECT.search(before[: found.start()])
        ]
        groups = list(_EVERYONE.finditer(before))
        at_group = groups and (not subjects or groups[-1].start() > subjects[-1].start())
        rest = (
            before[groups[-1].end() :] if at_group else before[subjects[-1].end() :] if subjects else before
        )
        if may.search(rest[-24:]):
            continue
        if at_group and not _BUT.search(before[: groups[-1].start()]):
            kind = "others" if groups[-1]["others"] or groups[-1]["others_zh"] else "all"
            yield kind, verb, ""
        elif subjects and len(rest) <= 60:
            last = _names(subjects[-1]["names"])
            yield "", verb, last
        elif not subjects and (
            pattern is _ZH or not before.strip(' (*[（【—“"') or _PRONOUN.search(before) or last != implied
        ):
            yield "", verb, last


def _given(match: re.Match[str], *groups: str) -> str:
    own = match.groupdict()
    return "".join(_names(value) for key, value in own.items() if value and (not groups or key in groups))


def _names(part: str) -> str:
    return "".join(dict.fromkeys(re.findall(NAME, part)))
