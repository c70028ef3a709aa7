"""What people say when they come, go, and greet or take leave of somebody, in English and Chinese.

A strong phrase is said by hardly anybody who stays; a weak one counts only if somebody answers it.
"""

from __future__ import annotations

import re

from fabula.staging.staged_text import NAME

_HEAD = rf"^(?:(?!{NAME})\W)*"


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_MUST = (
    r"(?:i(?:['’]ve| have)?(?: really| just| also| probably| unfortunately| actually)?"
    r"(?: got to| gotta| have to| has to| need to| must| should| ought to| better| will have to)"
    r"|i['’](?:d better|ll have to|ll need to|m afraid i(?: have to| must| need to|['’]ve got to| should))"
    r"|(?:got to|gotta|need to|have to|time for me to|(?:about )?time (?:i|that i)|i think i should|let me"
    r"|i['’]m (?:going to|gonna|about to)|i['’]ll(?: just)?|allow me to|i want to|i(?: would|['’]d) like to"
    r"|i(?: have|['’]ve)? decided to|if you['’]ll excuse me[,]? i))"
    r"(?: really| just| quickly| also| now| unfortunately| probably| be)*"
)
_END = (
    r"(?=\s*(?:$|[.,!?;:…—–-]|now\b|soon\b|but\b|because\b|as\b|since\b|and\b|before\b"
    r"|for (?:now|a |today|my)|early\b|right\b|then\b|guys\b|everyone\b|you\b|it['’]s"
    r"|here\b|though\b|too\b|i\b|to (?:a |an |my |another |this |the )?"
    r"(?:meeting|call|class|appointment|work|bed|sleep|errand|office|airport)))"
)

GOES = _any(
    r"(?<!say )(?<!said )(?<!saying )(?<!says )\b(?:good)?bye\b(?! (?:bye|to)\b)",
    r"\bbye[- ]bye\b",
    r"(?<!to )\b(?:see|catch|talk to|speak to|chat with) (?:you|ya|y['’]all)(?: (?:all|guys|both|two|"
    r"everyone))?"
    r"(?: (?:later|soon|around|then|tomorrow|tonight|next|in a (?:bit|while|minute|moment|few)|again|"
    r"another time|on \w+day))",
    r"(?<!to )\b(?:see|catch) (?:you|ya)(?: (?:all|guys|both|everyone))?\s*(?:[,!.]|$)",
    r"\b(?:talk|chat|speak) (?:soon|later)\b",
    r"\b(?:catch|see) (?:you|ya) (?:on the flip side|when i)",
    r"\buntil (?:next time|then|we meet)\b",
    r"\b(?:be right back|(?:i['’]ll|i will|will|let me) (?:be|come) (?:right |straight |"
    r"quickly )?back(?: (?:in a|soon|shortly|later|before|when|right|for)\b|\s*[.!,;]|$))",
    r"\b(?:brb|gtg|g2g|ttyl|afk|cya)\b",
    r"\b(?:excuse|pardon) me (?:for )?(?:a |one |just a |just one )*(?:moment|minute|second|sec|while|"
    r"bit|now|everyone|guys|all|folks|please|\.|,? i (?:have|need|must|should|just|gotta|got))",
    r"\bif you(?:['’]ll| will) excuse me\b",
    r"\b(?:my|the) (?:ride|taxi|cab|uber|bus|train) (?:is here|is waiting|just (?:arrived|came|got here)|"
    r"has arrived)",
    r"\b(?:i |we )?(?:just )?(?:got|have|getting|received) (?:an?|this|another) (?:\w+ )?(?:call|"
    r"phone call) (?:i|that i|from|to|and|coming)",
    r"\b(?:duty|nature|work|dinner) calls\b",
    r"\bhave a (?:good|great|nice|lovely|wonderful) (?:day|night|evening|one|weekend|rest|"
    r"time)[^.!?]*(?:everyone|all|guys|folks|you two|both)",
    r"\b(?:good ?night)\b(?:[,]? (?:everyone|all|guys|folks|you two)|\s*[.!]|$)",
    r"\b(?:take care)(?:,? (?:everyone|all|guys|folks|you two|both)| and (?:bye|see|talk))",
    r"\b(?:enjoy|continue|carry on)(?: with)?(?: the rest of)? (?:your|the) (?:chat|conversation|"
    r"discussion|talk)(?: without me)?",
    r"\b(?:carry|go|keep) on without me\b",
    r"\bfarewell\b(?:,| everyone| all|[.!])",
    r"\bi(?: must| shall| will)? take my leave\b",
    r"\bdon['’]t (?:have too much fun|miss me)\b",
    r"\b(?:i )?(?:hate|don['’]t want|really don['’]t want|regret|am sorry|['’]m sorry) to (?:leave|run|"
    r"go|cut|dash|rush off|miss)\b|\bcut (?:this|it|things) short\b",
    r"\bsomething (?:\w+ )?(?:(?:has |['’]s )?(?:just )?c[oa]me up)\b|\blook at the time\b|"
    r"\b(?:i(?:['’]m| am) |already )(?:so )?late for\b",
    r"\bback to (?:work|the (?:office|grind|lab|shop|kitchen)|my (?:desk|work|shift)) (?:for me|i go|"
    r"now)\b",
    r"\b(?:i(?:['’]ll| will)|let me|i should|i['’]d better) (?:leave|let) you (?:to it|guys|two|all|both|"
    r"with|folks|go|be|get back|continue)\b",
    r"\b(?:(?:give me|i(?:['’]ll| will) be|i need) (?:a |one |just )*(?:quick )?(?:minute|second|moment|"
    r"sec|mo)\b(?! (?:to think|ago|of|that|i ))|(?:one|just a) (?:minute|second|moment|sec)\s*[.,!])|"
    r"\bhold that thought\b|\bbear with me\b",
    r"\bexcuse me\b(?!,? (?:but )?(?:what|who|did|are|is|do|you|for (?:saying|asking|interrupting|"
    r"being))|\?)",
    r"\b(?:you (?:guys|two|all|both|can)|please|keep|just)? ?(?:keep talking|carry on|go on|continue|"
    r"keep (?:it )?going)(?: (?:with )?(?:the|your) \w+)? (?:without me|while i|until i)\b|"
    r"\bkeep talking\s*[.!]|\b(?:i(?:['’]ll| will)) (?:rejoin|join) you (?:later|again|in)",
    r"\blet['’]s (?:continue|pick|finish|resume|talk about) (?:this|that|our \w+|"
    r"it)(?: \w+){0,2} (?:later|another|some other|tomorrow|next|again)\b|\brain check\b|"
    r"\bto be continued\b",
    r"\b(?:peace out|later,? (?:guys|all|everyone|folks|y['’]all|gators?)|laters|toodles|toodle-oo|"
    r"cheerio|ciao|adios|au revoir|so long,? (?:everyone|all|guys)|ta-ta|adieu)\b",
    r"\b(?:my|the) (?!(?:meeting|movie|show|class|lecture|practice|rehearsal) is over)"
    r"(?:shift|break|lunch|lunch break|class|meeting|train|flight|bus|ferry|movie|show|"
    r"appointment|interview|lecture|practice|rehearsal) (?:is (?:about to|starting|over|at|in|due)|"
    r"starts|begins|leaves|departs|is calling)\b",
    r"\b(?:someone|somebody)(?: is|['’]s) at (?:the|my) door\b|\boff i go\b|\bi(?:['’]d| had) (?:better|"
    r"best) be (?:off|going)\b",
    r"\b(?:good ?)?night,? (?:all|everyone|everybody|folks|guys|you two|both)\b",
    r"\bsleep (?:well|tight),? (?:all|everyone|everybody|folks|guys|you two|both)\b",
    r"\benjoy the rest of (?:the|your) (?:meeting|call|evening|night|party|day|game|show)",
    r"\bthat['’]s me (?:done|off|gone|out)\b(?! with)|"
    r"\bi(?:['’]m| am) (?:done|finished) for (?:today|tonight|the (?:day|night))\b",
    # Chinese
    r"再见|再会|拜拜|告辞|失陪|少陪|恕不奉陪|告退|后会有期",
    r"先(?:行)?(?:走|撤|溜|挂|离开|告辞|失陪|下线|下了|回去|退下|退了|回家|睡|闪)(?:一步|了|啦|吧|哈|咯|喽|"
    r"[，,]|。|[！!]|$)",
    r"(?:我|俺|本人|在下|得|该|要|必须)(?:真|实在|现在|马上|这就|也|就|可|还)*(?:得|该|要|必须|需要|"
    r"不得不)(?:马上|赶紧|赶快|先|赶|去)*(?:走|撤|离开|回去|"
    r"回家|告辞|动身|出发|出门|下线|睡)(?:了|啦|吧|一下|一趟|一会儿?|[，,]|。|[！!]|$)",
    r"(?:回头|改天|下次|以后|明天|明儿|待会儿?|等会儿?|一会儿?|晚点|下周|回见|晚上)(?:再)?(?:见|聊|说|叙|"
    r"会)(?:吧|啦|了|哈|[，,]|。|[！!]|$)",
    r"回见|慢聊|你们(?:先|继续|慢慢|接着)(?:聊|谈|说|玩|坐|吃)",
    r"(?:马上|很快|立刻|一会儿?|待会儿?|等会儿?|去去|几分钟后?|稍后|等下|等一下|片刻)(?:就|便|再)(?:回来|"
    r"回|来)",
    r"(?:我)?(?:得|要|先|出去|去|需要)(?:去|出去)?接(?:一下|一|个|一个|下)*(?:电话|孩子|人)",
    r"(?:我)(?:得|要|先|想)?(?:去|上)(?:一下|个|一趟|趟|下)*(?:洗手间|厕所|卫生间|茅房)",
    r"我(?:走|撤|闪|溜|挂|下|先下|去睡|去忙|出去|睡)(?:了|啦|咯|喽)",
    r"我(?:去|出去)(?:一下|一趟|下)",
    r"晚安|(?:我|先|就|要)退群|不(?:聊|说|跟你们聊)了(?:[，,。！!]|$)|(?:我|先|得|要)(?:先|这就|"
    r"马上)*退出(?:会议|通话|群聊|房间|直播|频道)?(?:了|啦|[，,]|。|[！!]|$)",
    r"等我(?:一下|会儿|回来|一会|片刻|几分钟)|今天(?:就|先)?(?:聊)?到(?:这|此)|车(?:到|来)了",
    r"(?:老板|领导|经理|妈妈?|爸爸?|孩子|老师|队长|夫人|老爷|皇上|有人|家里|公司|医院)(?:在)?(?:找|叫|喊|"
    r"召|传)我",
    r"我(?:得|要|该|先|这就|现在|还得|还要|必须)?(?:回|上|下)(?:家|楼|房|屋|公司|宿舍|去|班|府|宫)(?:一趟|"
    r"拿|取|去|吧|了|啦|看看|[，,]|。|[！!])",
)
"""What who is about to leave says."""

GOES_NOW = _any(
    r"\b(?:i(?:['’]m| am)(?: just| now)? )(?:dropping|jumping|hopping|ringing|getting|dialling|dialing|"
    r"logging|signing) (?:off|out)\b(?! (?:at|the (?:bed|wall|roof|boat|bus|train|horse|topic|track)|his|"
    r"her|their))",
    rf"{_HEAD}(?:heading|going|popping|dashing|nipping|stepping|logging|signing|hopping|jumping|dropping|"
    r"muting and walking|hanging) (?:off|out|up|away|home|to (?:bed|sleep))\b",
    rf"{_HEAD}off to (?:bed|sleep|work|school|the|my)\b",
    r"\b(?:i(?:['’]m| am) (?:going to|gonna)|let me|i(?:['’]ll| will)(?: just| quickly)?|i need to|"
    r"i(?:['’]m| am) just going to|i want to)(?: just| quickly)?(?: go(?: and)?| run and|"
    r" pop out and)? (?:grab|fetch|refill|order|get (?:us|myself|everyone|you)|use the (?:\w+)|"
    r"powder my nose)\b",
    r"\b(?:run|go|get|pop|head|nip|dash) (?:to|over to|into|out to|off to|down to|back to) (?:the|"
    r"my) (?:rest ?room|bath ?room|toilet|loo|ladies|gents|counter|bar|door|kitchen|car|office|shop|"
    r"store|desk|lobby|reception)\b",
    r"\bi(?:['’]m| am) (?:off|headed|heading|going) (?:to (?:bed|sleep|work|my|a|the)|home|back)\b",
    r"\b(?:need|have|got|going|want|time) to (?:get (?:some|a bit of) (?:sleep|rest|shut-?eye|fresh air|"
    r"air)|go to (?:bed|sleep)|go home|make my way|tend to|see to|attend to)\b",
    r"我(?:得|要|先|再|这就|现在|还得|还要)?(?:去|出去|过去)(?:给|帮|看|拿|倒|买|取|接|开|打|厨房|楼|外|"
    r"门口|院|洗|上|趟|忙|睡|换|找|见|送|办|抽|透|请|处理|一下|一趟)(?!了|过)",
    r"(?:得|要|还得|还要|必须)(?:去)?赶(?:车|飞机|火车|地铁|最后|末班|高铁|回去|路|时间|着)",
    r"(?:有|还有)(?:点|些|个|件)?(?:急事|要事|事情?要|约|会要)|约了(?:人|朋友|客户|医生)",
    rf"\b{_MUST} (?:get going|be going|be off|head (?:out|off|home|back|to|over|in)|take off|"
    rf"hit the (?:road|hay|sack)|dash"
    r"|jet|bounce|split|(?:hop|jump|drop|ring|log|sign|dial) (?:off|out)|hang up|"
    r"end the call|get off the phone|step (?:away|out|outside|off)|duck out|"
    r"slip (?:out|away)|leave (?:you|the (?:chat|conversation|room|call|group|party|discussion|meeting))"
    r"|excuse myself|be excused|bid (?:you|farewell|adieu)|take (?:this|a|my|another|an important|"
    r"that) (?:\w+ )?(?:call|phone)|take (?:this|it)\b|take my leave|say goodbye|say my goodbyes|"
    r"make a move|call it a (?:day|night)|run along|be on my way|be heading|get to bed|rush off|run off|"
    r"pop out|go grab|go get|bow out|part ways|depart)",
    rf"\b{_MUST} (?:go|leave|run|rush|exit|disappear|vanish|split){_END}",
    r"\bi(?:['’]m| am) (?:off|out|out of here|outta here|heading (?:out|off|home|to|back)|leaving|"
    r"taking off|signing off|logging off|stepping (?:out|away)|running late|being called|called away|"
    r"needed)\b"
    r"(?! (?:work|topic|track|balance|limits|my (?:game|feet)|of (?:ideas|time|shape|touch|practice|"
    r"my depth)))",
    r"\b(?:have|has) (?:a|another|an) (?:\w+ ){0,2}(?:meeting|appointment|call|class|errand|"
    r"engagement) (?:to (?:attend|get to|go to|run|catch|take|join)|in (?:a|five|ten|\d)|now|soon|"
    r"starting|coming up)",
)
"""The same, unless it is about another day."""

ANOTHER_DAY = re.compile(
    r"\b(?:tomorrow|yesterday|next (?:week|month|year|summer|time|spring|fall|winter|\w+day)|every|"
    r"always|usually|some ?day|last (?:week|month|year)"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|in (?:a (?:week|month|year)|\w+ (?:days|weeks|"
    r"months|years)|january|february|march|april|may|june|july|august|september|october|november|december)"
    r"|this (?:weekend|summer|winter|fall|spring|month)|if i|when i|once i)\b"
    r"|明年|下周|下个月|每天|每周|昨天|上次|以后",
    re.IGNORECASE,
)
"""What makes a going one of another day."""

GOES_PERHAPS = _any(
    rf"\b{_MUST} (?:go|leave|run|rush|head|pick up|attend|catch|check|take care|handle|finish|prepare|"
    rf"grab|get (?:back|home|ready|some|a|my)|return|make a|answer|meet|walk|feed|deal with|use the)\b",
    r"\b(?:anyway|well|alright|okay|ok|so),? (?:it['’]s|it was|it has) been\b",
    r"\bit was (?:great|nice|lovely|good|so good|wonderful) (?:talking|chatting|catching up|seeing|"
    r"meeting)",
    r"\b(?:getting|it['’]s) (?:late|time)\b",
    r"\b(?:take care|have a (?:good|great|nice))\b",
    r"\b(?:i have|i['’]ve got|there['’]s) (?:an?|some|another) (?:\w+ ){0,2}(?:meeting|appointment|call|"
    r"class|errands?|engagement|deadline|flight|train)\b",
    r"\bmy (?:phone|mom|mother|dad|boss|wife|husband|kids?|son|daughter|dog|friend|break)(?: is| just|"
    r"['’]s)? (?:ringing|calling|called|here|waiting|over|up)",
    r"(?:我)(?:得|要|该|必须|需要|先|还)(?:去|回|走|出|赶)",
    r"时间不早|不早了|有点事|有事|有个会|开会|要迟到",
)
"""What who is about to leave may say, and others too."""

COMES = _any(
    r"\bi(?:['’]m| am)(?: finally| now| so glad to be| glad to be| happy to be)? back\b(?! (?:then|"
    r"to (?:\w+ing|square|work|school|my|the)|in (?:19|20|the)))",
    r"^(?:\W|\w+ ){0,3}back(?: again| now| here)?[,.!](?! then)",
    r"\b(?:just )?(?:got|came|come) back(?: from)? (?:my|the|that|a|in|now|just|and|,|to (?:this|the|our|"
    r"you))",
    r"\b(?:what|anything|much|something) (?:did|have|had) i miss(?:ed)?\b|\bdid i miss (?:anything|much|"
    r"something|out)",
    r"\bwhat(?:['’]s| is| are| were| have| did)(?: you)?(?: all| guys| both| everyone| everybody| we|"
    r" two| you)* (?:been |currently |still )?(?:talk|discuss|chat|up to|gossip|whisper|conversing|"
    r"going on (?:here|guys|everyone|with you (?:all|guys)))",
    r"\b(?:mind|okay|ok|alright|all right|cool) if i (?:join|sit|jump|chime|hop)",
    r"\b(?:can|may|could|might) i (?:join|sit (?:with|here|down)|jump in)",
    r"(?<!feel )\b(?:sorry|apologies)[,.]? (?:i(?:['’]m| am) (?:so |a bit |a little )?late|"
    r"for (?:being late|"
    r"the (?:delay|wait|interruption|interrupting|absence)|interrupting|my (?:absence|lateness)|keeping)|"
    r"i (?:had to|took so|stepped|kept)|(?:about|for) that|to (?:interrupt|keep|have))",
    r"\b(?:hope|hoping) i(?:['’]m| am) not (?:interrupting|intruding|late|too late|disturbing)|"
    r"\bdon['’]t mean to (?:interrupt|intrude)",
    r"\b(?:overhear(?:d|ing)?|eavesdrop\w*)\b",
    r"\b(?:i |i['’]ve |i have )?(?:just|finally) (?:got|arrived|made it|came|walked|popped|dropped|"
    r"finished|joined|wrapped|logged|returned)(?: in| by| here| up| (?:my|the|that|a) (?:call|meeting|"
    r"errand|appointment|task|class|work|\w+ (?:call|meeting)))",
    r"\b(?:glad|happy|great|good|nice|excited|thrilled|wonderful) (?:to|i could|that i could) (?:join|"
    r"be (?:here|back|joining)|make it|rejoin|meet you (?:all|both|guys|everyone)|see you (?:all|both|"
    r"guys|everyone))",
    r"\b(?:thought|figured|decided)(?: i['’]d| i would| to) (?:join|drop (?:by|in)|pop in|stop by|come|"
    r"chime|say hi)",
    r"\b(?:joining|join|rejoin(?:ing)?) (?:you (?:all|guys|both|two)|the (?:chat|conversation|party|"
    r"discussion|group)|late|this)\b",
    r"\b(?:to be|i['’]ve|i have|have) (?:re)?(?:turned|joined)\b",
    r"\bthanks? (?:you )?for (?:waiting|having me|inviting me|letting me (?:join|in)|including me|"
    r"the (?:warm )?welcome)",
    r"\bsorry (?:that|it) took\b|\b(?:call|meeting|errand) (?:took|ran|went|is over|is done|was)\b",
    r"\bhere i am\b|\bi(?: finally)? made it[!.,]|\bmay i (?:come in|interrupt)",
    r"\b(?:room|space|a seat) for (?:one more|another|me)\b|\b(?:start|begin|began|started|"
    r"begun) without me\b|\bseat taken\b|\b(?:catch|fill|bring) me (?:up|in)\b",
    r"\bdid (?:i|somebody|someone|anyone) (?:just )?(?:hear|mention|say)\b|\b(?:i )?(?:heard|saw|noticed|"
    r"spotted) (?:you|y['’]all)(?: (?:all|guys|two|both|folks))? (?:talk|sitting|standing|laugh|chat|"
    r"discuss|over|from|mention|were)",
    r"\b(?:are|were) (?:you|we)(?: (?:all|guys|two|both|folks))?(?: still| already)? (?:talking|"
    r"discussing|chatting|on (?:the same|that))\b",
    r"\bwhat(?:['’]s| is) (?:the (?:topic|news|latest|gossip|occasion|subject|discussion|conversation)|"
    r"so funny|all this|this (?:about|i hear))\b|\bwalked in(?:to| on)\b|\bstepped (?:away|out)\b",
    r"\b(?:fancy (?:meeting|seeing)|found you|there you (?:all|guys) are|i(?:['’]m| am) (?:finally |"
    r"now )?here\b(?! (?:for|to help|if))|here now)",
    r"\b(?:everything|all)(?:['’]s| is) (?:sorted|settled|taken care|set|done|handled)\b",
    r"\b(?:traffic|parking|the (?:line|queue)|that (?:line|queue)) (?:was|took)\b",
    r"\bcan (?:everyone|everybody|anyone|anybody|you(?: all| guys| both)?|y['’]all) (?:hear|see) me\b",
    r"\bthanks? (?:you )?for (?:adding|inviting|letting|dialling|dialing) me\b",
    r"\bmy (?:mic|microphone|camera|sound|audio|connection|internet|wi-?fi|headset|laptop) "
    r"(?:was|wasn['’]t|kept|had|died|crashed|is (?:back|working))\b",
    # Chinese
    r"拉我(?:进来|进群|入群|进了)|把我拉(?:进|入)|(?:终于|总算|刚|可算)(?:连上|连进|进来|接通|登上|加载)|"
    r"没等我|还有(?:位子|位置|座位|空位|地方)吗|(?:网|信号|声音|麦克风|耳机)(?:断|卡|掉|"
    r"没)了?[^。]{0,4}[，,]?(?:现在)?(?:好了|回来了)|"
    r"(?:会议|直播|活动|电影|比赛)开始(?:多久|了吗|了没|没有)",
    r"都在(?:呢|啊|呀|这)|聊得(?:这么|真|挺|好)|(?:带|算|加)(?:我|上我)一个|加我一个|听见你们|听到你们|"
    r"什么事(?:这么|，|？)|(?:忙|处理|开|办|说|打|弄)完了|"
    r"搞定了|总算赶上|(?:让|叫)(?:大家|你们|各位)(?:久)?等|大家(?:晚上好|早上好|下午好|早)|"
    r"不好意思.{0,4}(?:来|迟|让)|不介意我",
    r"(?:我|俺|本人)(?:终于|总算|又|刚|刚刚|可|这就)?(?:回来|来|到|忙完|开完会|打完电话)(?:了|啦|咯|喽)",
    rf"{_HEAD}(?:回来|来)(?:了|啦)",
    r"来晚了|来迟了?|迟到|久等|打扰(?:了|一下|各位|你们|大家)|打断(?:一下|你们)",
    r"(?:能|可以|可否|可不可以|介意|方便)(?:让)?我?(?:也)?(?:加入|坐(?:这|下)|一起(?:聊|坐|吃|玩)|参加|"
    r"进来)",
    r"(?:你们|大家|几位|各位|诸位|二位)(?:俩|都|这|在|正|正在|刚才|刚刚|刚|又|几个|是)*(?:聊|说|谈|讨论|"
    r"商量|议论|嘀咕)(?:些|的|到|了|得)?(?:是|这么)?(?:什么|啥|哪|热闹|开心|起劲)",
    r"(?:我|有没有)?(?:错过|漏掉)了?(?:什么|啥)|说到哪(?:儿|里)?了|聊到哪(?:儿|里)?了",
    r"(?:刚|刚刚|才)(?:到|来|进来|忙完|下班|赶到|打完|开完)",
)
"""What who has just come says."""

RETURNS = _any(
    r"\bi(?:['’]m| am)(?: finally| now)? back(?:\s*[,.!?:;)]|$| (?:again|now|from (?:my|the|that)|guys|"
    r"everyone|with))",
    rf"{_HEAD}(?:\w+[,!]? ){{0,3}}back(?: again| now| here)?[,.!](?! then)",
    r"\b(?:what|anything|much) (?:did|have|had) i miss(?:ed)?\b|\bdid i miss (?:anything|much|something)",
    r"\bi(?:['’]ve| have) returned\b|\bthanks? (?:you )?(?:all |guys )?for waiting\b|\bsorry (?:about|"
    r"for) (?:that|the (?:wait|delay))[,.]",
    r"\b(?:the|my|that) (?:\w+ )?(?:call|meeting|errand|appointment) (?:took|ran|is over|is done)|"
    r"\b(?:done|finished) with (?:my|the|that) (?:call|meeting|errand|appointment|class)",
    r"(?:我|俺)(?:终于|总算|又|刚|刚刚|可)?(?:回来|忙完|开完会|打完电话)(?:了|啦|咯|喽)",
    rf"{_HEAD}(?:回来|终于忙完|忙完|总算忙完)(?:了|啦)|久等|(?:我|有没有)?错过了?(?:什么|啥)",
)
"""What who comes back says, and nobody else."""

GREETS = _any(
    rf"{_HEAD}(?:hi|hey|hello|heya?|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day)|"
    rf"what['’]s up|sup|morning|evening)\b"
    rf"(?: there| again| to)*[\s,!]*(?:$|[!.]|everyone|everybody|guys|all|folks|team|gang|friends|both|"
    rf"you (?:all|guys|two)|ladies|people|{NAME})",
    rf"{_HEAD}(?:(?:大家|各位|诸位|你们|几位|二位|{NAME}[，、和]?)+(?:好|早)|早上好|下午好|晚上好|早|"
    rf"晚安好)(?:呀|啊|哇)?[，。！,!]",
    rf"{_HEAD}(?:喂|嗨|嘿|哈喽|哈罗|你好|您好|大家好|各位好)",
)
"""How a line begins that greets."""

FAREWELLS = _any(
    r"\b(?:good)?bye\b",
    r"\b(?:see|catch|talk to|chat with) (?:you|ya)\b",
    r"\b(?:talk|chat|speak) (?:soon|later)\b",
    r"\btake care\b|\bfarewell\b|\bso long\b|\bsafe (?:travels|trip|drive|journey)\b|\bdrive safe|"
    r"\btravel safe",
    r"\bhurry back\b|\bcome back soon\b|\bdon['’]t be (?:too )?long\b|\bwe(?:['’]ll| will) (?:miss you|"
    r"be here|catch (?:you )?up|fill you in|see you|talk)",
    r"\bhave a (?:good|great|nice|safe|lovely|wonderful|productive) (?:one|day|night|evening|trip|time|"
    r"rest|meeting|flight|call|class|weekend|sleep|workout|\w+)",
    r"\bhave fun\b|\bgood luck\b|\bgood ?night\b|\bsleep well\b|\benjoy (?:your|the|yourself)\b|"
    r"\bgo ahead\b|\bsee to (?:it|that)\b",
    r"\buntil next time\b|\bnice (?:talking|chatting|seeing|meeting)\b|\b(?:great|good|"
    r"lovely) (?:talking|chatting|seeing|catching)\b|\bthanks for (?:joining|coming|stopping|chatting|"
    r"sharing|dropping)\b",
    r"\bdon['’]t let us keep you\b|\bno (?:problem|worries)\b|\bsure thing\b|\bof course\b|"
    r"\btake your time\b|\blater\b[,!. ]",
    r"再见|再会|拜拜|慢走|保重|一路(?:顺风|平安|小心)|路上小心|注意安全|回头见|回见|晚安|去吧|去忙吧|"
    r"忙去吧|你忙|先忙|早点(?:回来|休息)|快去快回|慢点|"
    r"下次(?:再)?(?:聊|见)|改天(?:再)?(?:聊|见)|明天见|待会儿?见|等你回来|不送|后会有期|好走",
)
"""What is said to who leaves; some of it is said at other times too."""

PLAIN_FAREWELLS = _any(
    rf"\b(?:good)?bye\b[,]? {NAME}|{NAME}[,!]? (?:good)?bye\b",
    rf"\b(?:see|catch) (?:you|ya)(?: (?:later|soon|around|then|tomorrow))?[,]? {NAME}|"
    rf"\btake care[,]? {NAME}|\bsafe travels[,]? {NAME}",
    rf"\b(?:talk to you|talk|chat) (?:later|soon)[,]? {NAME}|\bhurry back[,]? {NAME}|"
    rf"\bgood ?night[,]? {NAME}|\bfarewell[,]? {NAME}",
    rf"(?:再见|拜拜|慢走|保重|回头见|路上小心|一路顺风|晚安|快去快回)[，,！]?\s*{NAME}|"
    rf"{NAME}[，,！]?\s*(?:再见|拜拜|慢走|保重|回头见|路上小心|一路顺风|晚安|快去快回)",
)
"""A farewell to somebody by name that nobody says to who stays."""

WELCOMES = _any(
    r"\bwelcome\b",
    r"\b(?:good|great|nice|glad|happy|lovely|wonderful|pleasure) (?:to |you )?(?:see|have|meet|hear from|"
    r"you(?:['’]re| are| could| made| joined)|could|made)",
    r"\b(?:join us|come (?:join|in|on in|sit|over)|have a seat|take a seat|pull up a chair|sit down|"
    r"jump (?:right )?in)\b",
    r"\byou(?:['’]re| are) (?:just in time|back|here|always welcome|not interrupting|right on time)\b|"
    r"\b(?:perfect|great|good) timing\b",
    r"\b(?:look who|here comes|there you are|speak of the devil|long time no see|you made it)\b",
    rf"{_HEAD}(?:hi|hey|hello|hiya|heya|good (?:morning|afternoon|evening))\b[\s,]*(?:there )?{NAME}",
    r"\bwe (?:were|are|have been|['’]ve been|['’]re)(?: just| all)* (?:talk|discuss|chat|shar)",
    r"\bof course,? you can\b|\bfeel free\b|\bthe more the merrier\b|\bnot at all\b|"
    r"\bno(?:t)? (?:problem|worries|interrupting)\b",
    r"欢迎|你(?:可|总|终)?(?:算|于)?(?:来|回来|到)(?:了|啦)|来得正好|来得(?:真)?巧|快(?:来|坐|请)|请坐|"
    r"坐吧|好久不见|一起(?:聊|来|坐)|说曹操|我们(?:正|刚)(?:在|才)?(?:聊|说|谈|讨论)|没事，|没打扰",
    rf"{_HEAD}(?:嗨|嘿|你好|您好|哈喽|哟)[，,！! ]*{NAME}|{_HEAD}{NAME}[，,！ ]*(?:你好|您好|早|晚上好)",
)
"""What is said to who has just come; some of it is said at other times too."""

WELCOMES_PLAINLY = _any(
    rf"\bwelcome(?: back)?[,!]? {NAME}|{NAME}[,!]? (?:welcome|you(?:['’]re| are) (?:back|just in time|"
    rf"here)|there you are|you made it)",
    rf"\b(?:good|great|nice|lovely) to (?:see|have|meet) you(?: (?:back|here|again|too))*[,!]? {NAME}|"
    rf"{NAME}[,!]? (?:it['’]s )?(?:so )?(?:good|great|nice|lovely|glad) (?:to (?:see|have|meet) you|"
    rf"you (?:could|made|joined))",
    rf"\b(?:there you are|look who|here comes|you made it|you['’]re back)[^.!?]{{0,12}}{NAME}|"
    rf"{NAME}[^.!?]{{0,24}}(?:come )?join us",
    rf"欢迎(?:回来|加入)?[，！!]?\s*{NAME}|欢迎欢迎|{NAME}[，！!]?\s*(?:你(?:可|总算|终于)?(?:来|回来|"
    rf"到)(?:了|啦)|回来了|来得正好|快(?:来|坐|请)|请坐|欢迎)",
)
"""A welcome by name that nobody says to who has been there."""

ASIDE = re.compile(
    r"\baside\b|\bto (?:him|her|it)self\b|背供|旁白|自言自语|心想|内心|独白|打背躬", re.IGNORECASE
)
WHISPERS = re.compile(
    r"\bwhisper\w*|\baside\b|\bsotto voce\b|\bprivately\b|\bquietly to\b|\bin (?:his|her|their) ear\b|"
    r"\b(?:only|just) to\b"
    r"|低声|小声|耳语|悄声|悄悄|私下|附耳|耳边|单独对|只对|私聊",
    re.IGNORECASE,
)
"""How it is told that a speech is for nobody, or for some only."""


def takes_leave(words: str, *, after_another: bool = False) -> bool:
    """Whether somebody says that they go, now; a farewell alone may answer another's."""
    if goes_now(words):
        return True
    said = [
        sentence
        for sentence in _SENTENCES.findall(words)
        if GOES.search(_FAREWELL_TOLD_OF.sub(" ", sentence))
    ]
    return any(map(_ONESELF.search, said)) if after_another else bool(said)


def goes_now(words: str) -> bool:
    """Whether somebody says what they are about to do elsewhere, and not on another day."""
    return any(
        GOES_NOW.search(sentence) and not ANOTHER_DAY.search(sentence)
        for sentence in _SENTENCES.findall(words)
    )


_FAREWELL_TOLD_OF = re.compile(
    r"\b(?:told|said|waved|kissed|bade|wished)(?: \w+){0,2} (?:goodbye|bye|good ?night|farewell)\b|"
    r"(?:说|道|讲)(?:了|过|完|的)(?:一声|声|句)?(?:再见|拜拜|晚安|告辞)|(?:说|道)(?:再见|晚安)(?:的时候|时|"
    r"以后|之后|那)",
    re.IGNORECASE,
)
_ONESELF = re.compile(r"\bi\b|\bmyself\b|我", re.IGNORECASE)
_SENTENCES = re.compile(r"[^.!?。！？]+[.!?。！？]*")
