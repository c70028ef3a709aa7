"""Words around names: verbs of speech, and the characters before and after a name."""

from __future__ import annotations

from fabula.extraction.wordlist import words

# Verbs of speech; the speaker precedes them.
SPEECH = words("""
    说道 问道 答道 笑道 喊道 叫道 喝道 怒道 骂道 吼道 叹道 哭道 应道 回道 冷道 沉声道 轻声道 低声道 大声道
    冷声道 淡淡道 冷笑道 微笑道 苦笑道 冷喝道 怒喝道 大喝道 大笑道 开口道 解释道 回答道 说 道 问 答 喊 叫 骂
    吼 笑 叹 应 回答 开口 低语 喃喃 嘀咕 嘟囔 吩咐 命令 提醒 安慰 解释 赞道 劝道 续道 接道 忙道 奇道 惊道
    急道 哼道 嗤道 呵斥 叮嘱 反问 追问 询问 质问 怒吼 怒斥 惊呼 惊叫 大叫 大喊 大喝 冷哼 轻笑
""")
# Characters of verbs, adverbs and particles that follow the name of a person.
AFTER_PERSON = frozenset(
    "说道问答喊叫骂吼笑叹哼看瞧望听想觉知认坐站走跑跳拿拉推打抬举放转摇点摆挥皱睁闭咬的了和与跟也都就还又才"
    "却便仍只很更再已正将把被让给对向从在"
    "是有没不会能可要心眼脸手身一那这点微淡冷忽突连急忙立当刚终果竟居早总先自从虽如感接开伸低沉轻深缓露回见"
    "露出来去进到等们，。！？、；：”’…—"
)
BEFORE_PERSON = frozenset(
    "，。！？、；：“‘”’…—《（和与跟同对向给把被让叫是的了着见看请问找等令使从在而但当连为替由于到听像比时后"
    "，\n 　"
)
BEFORE_PLACE = frozenset("在到去往离从进入回出至向于过抵达来赴奔赶")
