"""Why people leave a conversation, and what they say when they come, beside the set phrases of `cues`."""

from __future__ import annotations

import re

from fabula.staging.staged_text import NAME


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_I_MUST = (
    r"(?:i(?:['’]ve| have)?(?: really| just| also)? (?:got to|gotta|have to|need to|must|should|"
    r"ought to)|gotta|got to|have to|"
    r"need to|let me|time to|i(?:['’]d| had) (?:better|best)|i['’]ll(?: just| quickly| have to)?|"
    r"i(?:['’]m| am) (?:going|off|meant|supposed) to|i should)"
    r"(?: just| quickly| go(?: and)?| run(?: and)?| be)*"
)
_CALLERS = (
    r"(?:oven|kettle|pan|stove|dryer|timer|alarm|doorbell|buzzer|phone|pager|cell|landline|baby|"
    r"toddler|dog|puppy|cat|kids?|son|"
    r"daughter|boss|school|landlord|agent|nurse|courier|plumber|electrician|delivery \w+|taxi|ride|"
    r"lift|cab|driver|uber|husband|wife|"
    r"mother|mom|mum|dad|father|sister|brother|client|customer|patient|babysitter|sitter|neighbou?r|"
    r"name|number|kiln|laundry|washing)"
)
LEAVES_FOR = _any(
    # what must be seen to at once
    rf"\b{_I_MUST} (?:see to|check (?:on|the|if|whether)|move (?:it|the|my)|let (?:the|him|her|them|in|"
    rf"out)\b|pick (?:up )?(?:the|my|him|her|them)|"
    r"collect|fetch|feed|walk the|answer (?:it|that|the|this)|get (?:it|that|the (?:door|phone))|"
    r"take (?:this|that|it|him|her)\b|deal with (?:this|that|it)|"
    r"sort (?:this|that|it) out|sign for|plug|charge (?:my|the)|bounce|scoot|skedaddle|jet|scram|"
    r"turn in|hit the (?:hay|sack|road)|hurry|dash|fly\b(?! to)|"
    r"shoot off|make tracks|log (?:off|out)|hang up|drop (?:off|out)\b|get changed|change (?:clothes|"
    r"into|for)|get ready|get dressed|prepare for|attend (?:to )?(?:an?|the|my|this)|"
    r"catch (?:my|the|a)|use the|help (?:my|him|her|them)|rescue|grab (?:my|the|a|some)|put (?:the|"
    r"my) \w+ to bed|pop (?:out|over|down|up)|step (?:out|away)|find (?:my|the|an?) (?:charger|"
    r"outlet|phone|keys))\b",
    rf"\b(?:my|our|the|that['’]s (?:my|the|our)|duty) {_CALLERS}(?: \w+){{0,2}}?(?:['’]s| is| are| has|"
    rf" just| needs| ran| have)? ?(?:just )?"
    r"(?:going off|ringing|calling|buzzing|boiling|burning|beeping|crying|awake|barking|scratching|"
    r"knocking|here|outside|waiting|downstairs|"
    r"at the (?:door|gate)|honking|paging|on the (?:other )?(?:line|phone)|needs? (?:me|a|to|unloading|"
    r"help)|arrived|called|pulled up)\b",
    r"\b(?:she|he|it|they)(?:['’]s| is| are) (?:scratching at|barking at|buzzing|honking|knocking|"
    r"calling me|paging me|waiting (?:in|outside|for me))",
    r"\b(?:school|hospital|office|work|home|mother|mom|boss|doctor|landlord|agent|somebody|"
    r"someone)(?:['’]s| is) (?:calling|ringing|on the)",
    r"\bcalling my (?:number|name|flight)\b|\bboarding (?:now|soon|in)\b|\b(?:talk|speak|"
    r"text)(?: you)? when i (?:land|arrive|get)",
    r"\b(?:laptop|phone|battery|tablet|computer)(?:['’]s| is)? (?:(?:about to|going to) (?:die|"
    r"run out)|dying|dead|almost (?:dead|empty)|at \w+ percent|on \w+ percent)",
    r"\bmy (?:shift|lesson|class|lecture|choir|practice|rehearsal|meeting|appointment|session|"
    r"interview|train|bus|flight|seminar|exam)(?:['’]s| is| starts| begins| leaves)? "
    r"(?:starting|in (?:\w+|\d+)(?: minutes?)?\b|at \w+|about to|now|due)",
    r"\bi(?:['’]ve got| have|['’]ve) (?:choir|class|practice|rehearsal|work|a \w+|"
    r"an \w+) (?:in (?:five|ten|fifteen|twenty|\d+|a few|half)|at (?:one|two|three|four|five|six|"
    r"seven|eight|nine|ten|noon|\d))",
    r"\bi(?:['’]m| am) (?:due|expected|wanted) (?:in|at|back|on|upstairs|downstairs|there)\b|"
    r"\bwhere i(?:['’]m| am) (?:expected|needed|wanted)\b",
    r"\blove you and leave you\b|\bleave you (?:both|two|all|guys|to)\b|\boff i (?:go|pop)\b|\bwalkies\b|"
    r"\bi should be off\b|\bi(?:['’]ll| will) drop\b",
    r"\bwait for me\b|\bhang on\b|\bgive me (?:two|five|ten|a few|a couple)\b|\bone (?:sec|minute)\b|"
    r"\bi need a (?:minute|moment|break|breather)\b|\bfor a (?:sec|second|minute|"
    r"moment)\b(?=[^?]*$)",
    r"\bi need the (?:bathroom|loo|toilet|restroom|ladies|gents)\b|\b(?:clear my head|get some air)\b|"
    r"\bstepping (?:out|away|outside)\b",
    r"\band there (?:she|he) goes\b|\b(?:lunch|break|recess|tea)(?: break)? is over\b|"
    r"\byou['’]ll have to (?:\w+ ){1,4}without me\b|\bto go\b, (?:bye|see)",
    r"\b(?:storm|wi-?fi|connection|internet|signal)\b[^.!?]{0,40}\b(?:freez|drop|cut|lag|spotty|bad|"
    r"knock)\w*",
    r"\b(?:it|which) (?:begins|starts) (?:now|soon|in)\b|\bmake (?:it|mine) to go\b|\btake mine to go\b|"
    r"\bfetch the\b",
    # Chinese
    r"(?:锅里|烤箱|炉子|水壶|炖着)[^。！？]{0,12}(?:我|得|看|关)|水(?:烧)?开了|(?:门铃|闹钟|手机)(?:响|"
    r"在响)|有人(?:敲门|按门铃)|敲门了?[，,。！]|扒门",
    r"(?:快递|外卖|修[^，。]{1,5}的|房东|中介|老师|学校|医院|我妈|我爸|客户|领导|老板|单位|"
    r"公司)[^，。！？]{0,4}(?:来了?电话|打(?:电话)?(?:进)?来|到楼?下|送[^，。]{0,8}来|到门口|"
    r"按门铃|催我|呼我|叫我)",
    r"(?:叫到|轮到)我(?:的号)?了?|登机了?|落地(?:再|后)|检票了|(?:值班室|护士站|前台)呼我",
    r"(?:接我的车|司机|网约车|出租车|班车)[^，。！？]{0,8}(?:到|来|等|按喇叭)|(?:还)?在(?:车里|外面|"
    r"楼下|门口|那边)?(?:等着?我|等我呢)|正等着我",
    r"(?:点|分钟|小时|马上|就要|快要?|这就|该|要)[^，。！？]{0,6}(?:开庭|开会|上课|排练|开始了|登台|"
    r"上场|值班|上班|考试|的班|有课|有会)",
    r"(?:孩子|宝宝|娃|闺女|儿子|女儿)[^，。！？]{0,6}(?:醒|哭|找我|闹)|哭上了|(?:我)?(?:过去|"
    r"去)?哄(?:哄|一下|睡)",
    r"(?:电脑|手机|平板)[^，。]{0,4}(?:快?没电|要没电|要关机)|(?:先|我)(?:下线|退出去|退出|断线|挂了)|"
    r"重新(?:进|登|连)",
    r"(?:我|得|先|要|该)(?:上去|下去|过去|出去|进去|回去|去)(?:看|开|接|拿|取|挪|哄|遛|送|买|倒|换|洗|"
    r"趟|一趟|透|把|给|帮|找)",
    r"得(?:去|上|下)?(?:下楼|上楼)?(?:遛|挪车|接我?|送我?|喂|赶)|挪车|透透气|静一静|取餐|(?:我)?先去趟|"
    r"要睡[了喽啦]|(?:睡觉|休息)去了",
    r"(?:闪|撤|溜|颠)[了啦]|该(?:撤|走|回)了|不奉陪|不多(?:坐|待|留)|不打扰了|"
    r"你们[^，。！？]{0,6}(?:接着|继续|慢慢)?(?:吵|坐着|玩着|聊着|等我)|稍等|等我[一两三五十几]|"
    r"明儿?(?:天)?(?:再)?聊|老地方见",
    r"(?:时间|地址)?发我(?:邮箱|微信|手机)|路上(?:喝|吃)|午休结束|下课了再",
)  # fmt: skip
"""What calls somebody away: a pot, a child, a train, a nurse; not said of another day."""

COMES_IN = _any(
    r"\bwhat(?:['’]s| is) this i hear\b|\b(?:could|can) (?:hear|smell|see) (?:you|it|that|"
    r"the \w+)(?: \w+){0,3} from\b|\b(?:smelled|heard|saw|spotted) (?:\w+ ){1,3}from (?:the|across|"
    r"down|outside)",
    r"\bknock,? knock\b|\bam i interrupting\b|\b(?:said|told me|thought) you(?:['’]d| would|"
    r" might)? (?:all |both )?be here\b|\bhave you (?:all |guys )?(?:ordered|started|begun|eaten)\b",
    r"\bevery other (?:table|seat|chair)\b|\b(?:room|space|seat)[^.!?]{0,20}\b(?:for me|one more|taken|"
    r"free)\b|\b(?:tell me|hope) you(?:['’]ve)? saved me\b|\bsaved? me (?:some|a seat|any)\b",
    r"\b(?:sorry|apolog\w+)[^.!?]{0,12}\blate\b|\b(?:traffic|subway|tube|metro|bus|train|"
    r"parking)\b[^.!?]{0,16}\b(?:nightmare|stuck|awful|terrible|late|murder|delayed)\b",
    r"\b(?:private|closed) (?:talk|meeting|party|conversation)\b|\b(?:jump|chime|butt) in\b\?|"
    r"\bmind if i\b|\bintroduce myself\b|\bi(?:['’]m| am) (?:new here|the new)\b",
    r"^(?:\W)*(?:evening|morning|afternoon|hello|hi|hey)(?: hello)?,? (?:all|everyone|everybody|folks|"
    r"gang|team|you lot)\b",
    r"(?:路上|半路|地铁|高架)?堵(?:车|死|了|在)|(?:挤|坐|容|塞)得下|(?:别的|其他)(?:桌|"
    r"位子)[^。]{0,4}满|我能(?:坐|进|加入|听)|能坐这|加我一个|挤一挤|没打扰|没打搅|咚咚|"
    r"说你们在(?:这|那)",
    r"(?:门口|楼下|院外|电梯里|走廊|院门口|老远|隔壁|外面)(?:就|都)?(?:听见|听到|闻见|闻着|闻到|看见)|"
    r"点菜了?(?:没|吗)|给我留(?:了)?|开吃了(?:没|吗)|说悄悄话|我听说(?:有|你们)|我是新来的|路过",
)  # fmt: skip
"""What who has just come says."""

RETURNS_TO = _any(
    r"\bwhere were we\b|\bwhere (?:did|had) (?:we|you) (?:leave off|get to|stop|got to)\b|"
    r"\bmiss(?:ed)? (?:the end|anything|much|the good)|\bwhat(?:['’]d| did| were| have) (?:you|"
    r"y['’]all)(?: \w+){0,2} (?:talk|whisper|discuss|say|gossip|get up|decide)",
    r"\b(?:false alarm|crisis averted|third time lucky|that(?:['’]s| was) (?:quick|that|sorted|done))\b|"
    r"\bback with you\b|^\W*(?:okay|ok|right|so|phew|well|there|alright)[,.!]? (?:all|it['’]s|"
    r"she['’]s|he['’]s|that['’]s|they['’]re|i['’]m) "
    r"(?:signed|sorted|done|settled|down|asleep|fixed|gone|better|good|parked|handled|all)\b",
    r"^\W*all (?:better|sorted|done|clear|set|good|fixed|parked|signed)\b|\b(?:okay|ok|right|"
    r"phew)[,.] i['’]m (?:better|calm|good|here)\b|\bhere we are\b|\bsorry about (?:that|this)\b|"
    r"\bcan you (?:see|hear) me(?: now)?\?|\bwhat(?:['’]s| is) new\b",
    rf"\bwhy(?:['’]s| is) {NAME} (?:so )?(?:pale|red|quiet|laughing|crying|smiling|looking)|"
    rf"\bthey gave me the wrong\b|\bjust (?:paperwork|spam|a (?:wrong|telemarketer)|my (?:mom|mum|"
    rf"sister|neighbou?r))\b|\b(?:anyway|so),? (?:as i was saying|where)\b",
    r"(?:说|聊|讲|谈)到(?:哪|什么地方)|(?:说|聊|讲)(?:完|到)了?没|虚惊一场|还好(?:没|来得及)|"
    r"签(?:收)?(?:完|好)了?|(?:拿|取|接|送|弄|停|挪|修|哄|换|倒|洗|买)(?:完|好|到)了|^\W*(?:好了|"
    r"行了|搞定|没事了)[，,。！]",
    r"又睡了|缓过来|舒服了|(?<![你咱我]们)接着(?:说|聊|讲)(?:[，,。！]|$)|(?:这回|现在)?(?:听得见|"
    r"看得见|能听见|听得到)我?(?:吗|么|不)|(?:有)?什么新鲜事|(?:你们|你俩)[^。！？]{0,4}(?:嘀咕|聊|"
    r"说|笑)(?:什么|啥)|搞错了|就是签个字|[\u4e00-\u9fff]{1,4}后来呢|(?:喏|呐|看)[，,]",
)  # fmt: skip
"""What who comes back from there says."""

ABOUT_THE_ABSENT = _any(
    r"\bbetween (?:us|you and me|ourselves)\b|\bdon['’]t (?:tell|let|say)\b|\b(?:doesn['’]t|didn['’]t|"
    r"does not|hasn['’]t) (?:know|hear|suspect|notice)\b|\bbehind (?:his|her|their) back\b|"
    r"\bsurprise\b|\bsecret\b|"
    r"\bwhile (?:he|she|they)(?:['’]s| is|['’]re| are) (?:gone|away|out)\b|\bnow that (?:he|"
    r"she)(?:['’]s| is) (?:gone|away|out)\b|\b(?:poor|typical) (?:thing|him|her)\b|\b(?:let (?:him|"
    r"her) be|(?:he|she) (?:always|never) (?:does|told|said))\b",
    r"别告诉|别跟[他她]|不知道|保密|惊喜|趁[他她]|背着[他她]|[他她](?:走|出去|不在)了?|跟你说|老实说|"
    r"说实话|别管[他她]|瞒着",
)
"""What is said behind somebody's back."""


_THINKING = (
    r"(?! (?:\w+ )?(?:think|guess|see|say|tell|ask|admit|know|be honest|explain|confess|agree|"
    r"remember|try|love|hate|never|always|take care of|wonder|add|mention|show you|buy|keep|"
    r"support|"
    r"cheer))"
)
MAY_LEAVE = _any(
    rf"(?<!to )(?<!won['’]t )\b(?:i['’]ll|i (?:will|shall)|let me|i(?:['’]m| am) (?:going to|off|needed|"
    rf"wanted|on my way)|i(?:['’]d| had) (?:better|best)|i(?:['’]ve)? (?:have|need|ought|got) to|"
    rf"i must){_THINKING} \w+",
    r"\b(?:i['’]m afraid (?:i|that|my|it)|excuse me|pardon me|don['’]t (?:start|begin|eat|order) |"
    r"my (?:cue|turn|stop)\b|(?:two|five|ten|a few|a couple of) minutes\b|hold on\b|wait here\b|"
    r"stay (?:here|put)\b)",
    r"我(?:再|去|得|给|先|要|翻|找|过去|该|来去|这就|得进|等的)(?!(?:好好|仔细|再)?(?:想|考虑|说|问|"
    r"承认|觉得|看|试|学|吃|喝|了|过))|到我了|到站|别(?:先|急着)?(?:放|开始|等|吃|点)|先别|"
    r"该[^，。！？]{1,6}了|[两三五十几]分钟|等一?下|稍等|失陪|嘘",
)
"""What somebody may say who goes; it counts if the others then speak of them behind their back."""


def is_spoken_of(said: str, words: str) -> bool:
    """Whether a speech says he or she, and can only mean who spoke before: they named nobody else."""
    return bool(_THEY.search(words)) and not _SOMEBODY.search(said)


def is_called_away(words: str, another_day: re.Pattern[str]) -> bool:
    """Whether somebody says what calls them away, and not on another day."""
    return any(
        LEAVES_FOR.search(sentence) and not another_day.search(_ON_ARRIVAL.sub("", sentence))
        for sentence in _SENTENCES.findall(words)
    )


def is_told_of(letter: str, words: str) -> bool:
    """Whether a speech names somebody without speaking to them: not at its edge or between commas."""
    return any(
        not _GREETED.search(words[: found.start()])
        and not (_ALOUD.search(words[: found.start()]) and _COMMA.match(words, found.end()))
        and not _AS_THEY_SAID.match(words, found.end())
        for found in re.finditer(re.escape(letter), words)
    )


_THEY = re.compile(
    r"\b(?:s?he(?:['’](?:s|ll|d))?)\b(?! (?:was|went|had|used|left|came|missed|bought|told)\b)|"
    r"\b(?:fire|tell|like|love|hate|miss|want|let|leave|get|trust|ask|for|about|with) (?:him|her)\b|"
    r"[他她](?!(?:走|来|去|昨|上次|以前|当时))",
    re.I,
)
_SOMEBODY = re.compile(
    rf"{NAME}|\b(?:s?he|him|his|hers?|they|man|woman|boss|wife|husband|mother|father|mom|mum|dad|"
    rf"brother|sister|son|daughter|boy|girl|friend|"
    r"neighbou?r|teacher|doctor|aunt|uncle|cousin|grand\w+|janitor|manager|guy|lady|kids?|child)\b|"
    r"[他她]|老板|老师|医生|妈|爸|哥|姐|弟|妹|爷|奶|叔|姨|孩子|朋友|邻居|先生|太太|女儿|儿子|经理",
    re.I,
)
_ON_ARRIVAL = re.compile(
    r"\bwhen i (?:land|arrive|get (?:there|home|back))\b|(?:下周|明天|明儿|改天|下次|"
    r"后天)[^，。！？]{0,6}[见聊]",
    re.I,
)
_SENTENCES = re.compile(r"[^.!?。！？]+[.!?。！？]*")
_GREETED = re.compile(
    r"\b(?:bye|night|thanks|thank you|sorry|agree with|as|like|what|hey|hi|hello|oh|you|and)\s+$|"
    r"(?:谢谢|同意|像|跟|听)$",
    re.I,
)
_ALOUD = re.compile(r"(?:^|[,，!！?？.。;；…—])\s*$")
_COMMA = re.compile(r"\s*(?:[,，!！?？.。:：;；…—]|$)")
_AS_THEY_SAID = re.compile(
    r"\s*(?:(?:just |also )?(?:said|mentioned|says|suggested)\b|刚才?说|说得对|说的)|['’]s (?:right|"
    r"idea|point)"
)
