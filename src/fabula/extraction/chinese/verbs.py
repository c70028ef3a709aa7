"""Words around names: verbs of speech, and the characters before and after a name."""

from __future__ import annotations

from fabula.extraction.wordlist import word_set, words

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
# What one does before somebody, in two characters: a family name in it is none, as in 拜谢长老.
_COURTESIES = word_set("""
    拜谢 叩谢 致谢 感谢 多谢 答谢 酬谢 辞谢 申谢 鸣谢 谢谢 拜别 告别 辞别 送别 作别 叩别 拜辞 告辞 拜见 参见
    叩见 谒见 觐见 求见 接见 召见 会见 拜访 拜望 拜会 拜贺 恭贺 祝贺 庆贺 恭喜 请教 求教 讨教 领教 受教 问候
    叩拜 参拜 朝拜 跪拜 下拜 恭送 恭迎 迎接 侍奉 侍立 奉请 拜请 恳请 敦请 邀请 禀告 禀报 告知 回禀 叩首 叩头
    磕头 作揖 躬身
""")


def is_courtesy(sentence: str, start: int, end: int) -> bool:
    """Whether a string contains such a verb or is cut from one: 谢长老 in 拜谢长老."""
    return any(
        sentence[place : place + 2] in _COURTESIES
        for place in range(max(0, start - 1), min(end, len(sentence) - 1))
    )
