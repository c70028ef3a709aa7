"""English words for people: what one is, does, or is to somebody."""

from __future__ import annotations

from fabula.extraction.wordlist import word_set

_MEN = word_set("""
    man gentleman boy lad fellow father son brother husband uncle nephew grandfather grandson king
    prince duke count baron marquis earl lord emperor monk priest widower bachelor bridegroom stepson
    stepfather nobleman footman coachman butler valet waiter actor abbot friar squire knight heir master
    landlord chap youth swain godfather godson sultan chevalier vicomte viscount bishop cardinal curate
    vicar abbé policeman workman seaman fisherman clergyman countryman tradesman statesman sportsman
    salesman foreman woodsman stableman ploughman cabman postman merman craftsman nobleman juryman
""")
_WOMEN = word_set("""
    woman lady girl mother daughter sister wife aunt niece grandmother granddaughter queen princess
    duchess countess baroness empress nun abbess widow spinster bride governess nurse maid laundress
    seamstress actress heiress mistress stepmother stepdaughter housekeeper gentlewoman grisette
    workwoman portress belle coquette landlady hostess goddess sorceress witch shepherdess marchioness
    matron lass damsel housemaid milkmaid dairymaid nursemaid barmaid chambermaid charwoman washerwoman
    brunette blonde ballerina ingenue godmother goddaughter waitress poetess authoress prioress
    murderess
""")
_EITHER = word_set("""
    prosecutor attorney solicitor barrister counsel coroner superintendent manager manageress director
    proprietor proprietress owner lessee boxer wrestler prize-fighter pugilist chauffeur typist
    stenographer telegraphist parson chaplain prior novice squatter settler homesteader prospector miner
    trader storekeeper saloon-keeper hotel-keeper publican bartender barman operator photographer
    parlour-maid parlourmaid lady-in-waiting page-boy office-boy stable-lad errand-boy bodyguard sentry
    archer spearman harper bard minstrel druid seer chronicler treasurer cupbearer falconer archdeacon
    precentor churchwarden magistrate alderman burgomaster prefect intendant curator archaeologist
    chemist physicist psychologist anthropologist surveyor draughtsman clockmaker armourer gunsmith
    child person creature orphan peasant servant cook tutor teacher professor student scholar pupil
    doctor physician surgeon lawyer judge notary clerk secretary officer soldier captain colonel general
    major lieutenant sergeant commander admiral sailor cadet hussar guardsman pastor deacon merchant
    banker shopkeeper innkeeper farmer landowner steward bailiff gardener miller smith carpenter mason
    painter artist musician singer dancer poet writer author journalist editor philosopher scientist
    engineer convict thief robber murderer bandit beggar vagabond gamin prisoner spy inspector detective
    minister ambassador diplomat senator deputy mayor governor president chairman member official
    magistrate councillor councilor friend companion comrade enemy rival neighbour neighbor relation
    relative cousin guest stranger foreigner native hero heroine leader chief apprentice disciple
    follower favourite favorite beauty flirt wit rogue scoundrel rascal genius saint sinner fool
    drunkard gambler hunter fiancé fiancée lover guardian ward partner colleague agent porter driver
    guide messenger courier page baby infant specimen figure personage aristocrat revolutionist royalist
    bonapartist democrat grave-digger gravedigger bourgeois usher ragpicker peer jailer gendarme
    quartermaster ensign cornet actor librarian critic novelist reporter publisher printer bookseller
    chemist apothecary druggist dentist barber hairdresser tailor dressmaker milliner shoemaker cobbler
    baker butcher grocer brewer builder architect sculptor composer pianist violinist fiddler conductor
    dramatist playwright duelist duellist swordsman marksman trapper ranger rancher cowboy cowpuncher
    sheriff marshal deputy outlaw smuggler pirate privateer buccaneer mate boatswain bosun helmsman
    pilot captive slave planter overseer missionary preacher minister rector dean canon sexton verger
    organist schoolmaster schoolmistress headmaster principal don undergraduate graduate astronomer
    geologist naturalist botanist explorer traveller traveler adventurer aviator inventor mechanic
    machinist plumber electrician blacksmith wheelwright cooper saddler groom jockey trainer ostler
    stable-boy huntsman gamekeeper keeper forester woodcutter shepherd goatherd swineherd drover carter
    carrier broker financier capitalist millionaire manufacturer industrialist contractor auctioneer
    accountant cashier teller speculator usurer miser pawnbroker moneylender politician statesman
    congressman orator agitator socialist anarchist nihilist radical conservative liberal republican
    patriot rebel traitor conspirator informer assassin executioner hangman warder turnkey constable
    bobby trooper private corporal gunner bombardier drummer bugler veteran recruit volunteer mercenary
    legionary gladiator chieftain warrior brave scout interpreter translator dwarf giant magician wizard
    sorcerer enchanter fairy elf ghost spirit demon god wise-woman fortune-teller medium mystic hermit
    pilgrim monk prophet astrologer alchemist consul envoy attaché chamberlain courtier chancellor
    viceroy regent pretender claimant town-crier crier watchman night-watchman concierge lodger tenant
    boarder housemate roommate schoolfellow classmate playmate playfellow bandmaster expert specialist
    authority amateur connoisseur collector antiquary antiquarian scholar linguist mathematician
    economist historian biographer invalid cripple hunchback idiot madman lunatic dreamer enthusiast
    fanatic cynic skeptic sceptic pessimist optimist egoist snob dandy fop swell parasite sponger
    intriguer schemer busybody gossip bore chatterbox tyrant bully coward liar cheat swindler humbug
    impostor quack charlatan ruffian villain brute savage barbarian half-breed creole Irishman Frenchman
    Englishman Scotchman Scotsman Welshman Dutchman German Italian Spaniard Russian Pole Jew American
    Greek Turk Swede Norwegian Dane Swiss Austrian Hungarian Belgian Parisian Londoner Norman Breton
    Gascon nephew-in-law brother-in-law sister-in-law father-in-law mother-in-law son-in-law
    daughter-in-law half-brother half-sister foster-brother foster-sister foster-mother great-uncle
    great-aunt seneschal purser comedian janitor aeronaut druid druidess vagabond horse mare dog colt
    stallion hound terrier spaniel bulldog cat
""")
WORDS_FOR_PEOPLE = _MEN | _WOMEN | _EITHER
# Words that anybody may be called by, and words that need somebody whose friend or son one is.
_OF_ANYBODY = word_set("""
    man gentleman boy lad fellow chap youth swain woman lady girl lass damsel matron child person creature
    figure specimen baby infant stranger personage other brute savage fool idiot rogue rascal scoundrel
    villain wretch genius saint sinner hero heroine beauty belle wit bore coward liar cheat humbug bully
    tyrant dreamer enthusiast authority expert judge one native member leader chief enemy rival friend
    companion comrade neighbour neighbor relation relative guest heir master mistress captive prisoner
    invalid lunatic madman favourite favorite god spirit ghost demon giant pilot medium page usher brave
    bachelor bride bridegroom lover partner colleague follower disciple agent lord count general major
    private king queen prince princess don dean canon smith mason cook hunter ward guide driver carrier
    father son brother husband uncle nephew grandfather grandson mother daughter sister wife aunt niece
    grandmother granddaughter widow cousin fiancé fiancée godfather godson godmother goddaughter
    stepson stepfather stepmother stepdaughter minister conductor collector keeper gossip swell radical
    conservative liberal republican conspirator traveller traveler captain owner operator trader novice
    prior counsel seer
    murderer murderess thief robber bandit convict traitor spy assassin outlaw swindler optimist pessimist
    patriot cynic skeptic sceptic fanatic egoist snob philosopher scholar specialist amateur teller scout
    Irishman Frenchman Englishman German Italian Russian American Greek Swiss Norman
""")
WORDS_THAT_SAY_WHAT = WORDS_FOR_PEOPLE - _OF_ANYBODY
ENDINGS = (
    "man",
    "woman",
    "maker",
    "keeper",
    "dealer",
    "seller",
    "owner",
    "holder",
    "worker",
    "smith",
    "monger",
    "master",
    "mistress",
)
_NO_HEAD = word_set("""
    moment day night morning evening time same other next first last latter former one thing way place
    house room minute hour week month year while rest whole matter fact word idea question subject human
    talisman
""")


def is_person(head: str) -> bool:
    """Whether the head of a description is a word for a person, or for an animal that has a name."""
    if head in _NO_HEAD:
        return False
    return head in WORDS_FOR_PEOPLE or head.endswith(ENDINGS)


def says_what(word: str) -> bool:
    """Whether a word by itself says what somebody is: a butler, not a fellow or a son."""
    return word in WORDS_THAT_SAY_WHAT or (word not in _OF_ANYBODY and is_person(word))


def sex_of(head: str) -> str:
    """The sex that a word for a person says, m or f; empty if it says none."""
    if head in _WOMEN or head.endswith("woman"):
        return "f"
    return "m" if head in _MEN or head.endswith("man") else ""
