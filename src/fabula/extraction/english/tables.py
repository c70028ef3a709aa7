"""Words around and inside English names."""

from __future__ import annotations

from fabula.extraction.wordlist import word_set

# Before a name; with a full stop or without.
TITLES = word_set("""
    Mr Mrs Ms Miss Mx Dr Doctor Sir Madam Madame Mme Mademoiselle Mlle Monsieur Monseigneur M MM Lady
    Lord Dame Master Mistress Prof Professor Rev Reverend Father Mother Brother Sister Saint St Captain
    Capt Colonel Col General Gen Major Maj Lieutenant Lt Sergeant Sgt Corporal Private Commander Admiral
    Commodore Marshal Inspector Constable Detective Officer Agent Judge Justice Squire Esquire King
    Queen Prince Princess Emperor Empress Duke Duchess Count Countess Baron Baroness Earl Viscount
    Marquis Marquess Archduke Tsar Pope Bishop Archbishop Cardinal Abbot Abbess Prior Deacon Monsignor
    Friar President Governor Senator Mayor Chancellor Minister Secretary Ambassador Sheriff Uncle Aunt
    Auntie Aunty Cousin Grandpa Grandma Granny Nurse Farmer Widow Old Elder Chief Herr Frau Fraulein
    Signor Signora Signorina Don Dona Senor Senora Mynheer Nana Archmage Magister Wizard Witch Ser Khan
    Sheikh
""")
TITLES_WITH_STOP = word_set(
    "Mr Mrs Ms Mx Dr Prof Rev Capt Col Gen Maj Lt Sgt St Mme Mlle Messrs Hon Esq Jr Sr Mt"
)
KIN_WORDS = word_set("""
    uncle aunt cousin brother sister father mother grandfather grandmother nurse king queen captain
    doctor old young
""")

# Words that may precede a name without being part of it.
LOOSE = word_set("""
    The A An My Your His Her Our Their This That These Those Dear Dearest Poor Little Young Good Darling
    Beloved Late Honest Sweet And But Or Nor For So Yet If When While As Because Though Although Since
    Until Before After Then Than Now Here There Where What Who Whom Whose Which Why How Is Are Was Were
    Am Be Been Do Does Did Has Have Had Can Could Will Would Shall Should May Might Must In On At To
    From By With Of Into Upon Over Under Through About Against Between Among Without Within Like Near
    Not No Yes Oh Ah O Well Hullo Hello Hush Come Go Look See Tell Let Say Said Says Even Only Just Both
    Each Every All Some Any Such Most More Once Again Still Perhaps Indeed Thus Hence However Moreover
    Meanwhile Suddenly Finally Chapter Part Book Volume Scene Act Prologue Epilogue Section He She It
    They We You I Me Him Them Us One Two Three Four Five Six Seven Eight Nine Ten First Second Third
    Last Next Another Other Others Everyone Everybody Someone Somebody Nobody Nothing Something
    Everything Anybody Anyone Never Always Ever Often Soon Later Also Too Yours Mine Hers Ours Theirs
    Thank Thanks Please Sorry Alas Bravo Hurrah Amen Farewell Goodbye Welcome Nonsense Behold Pray Thou
    Thy Thee Instead Besides Beyond Across Along Behind Beside During Except Despite Toward Towards
    Whether Either Neither Rather Quite Very
""")

# Capitalised words that are not names of anything in a story.
NEVER = word_set("""
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July
    August September October November December Christmas Easter Lent Michaelmas Whitsuntide English
    French German Spanish Italian Russian Dutch Greek Roman Latin Hebrew Chinese Japanese Indian
    American Irish Scotch Scottish Welsh British European African Asian Turkish Polish Swedish Danish
    Norwegian Swiss Austrian Hungarian Portuguese Persian Arabic Arab Egyptian Jewish Jew Jews Christian
    Christians Catholic Catholics Protestant Methodist Puritan Muslim Buddhist Englishman Englishmen
    Frenchman Frenchmen Irishman Scotchman Dutchman Germans Englishwoman Americans Indians Italians
    Spaniards Russians Turks Romans Greeks Bible Testament Providence Heaven Hell Nature Fate Fortune
    Death Time I II III IV V VI VII VIII IX X XI XII XIII XIV XV Mr Mrs Miss Sir Madam Ma'am Lord Lady
    OK TV PS NB AM PM AD BC Esq Jr Sr Chapter Majesty Highness Excellency Honour Honor Grace Lordship
    Ladyship Worship Reverence God Mamma Papa Mama Mother Father Sundays Saturdays Mondays Fridays
    Sabbath Whitsun Constitution Communion Commandments Gospel Creed Mass Scripture Scriptures Psalm Mum
    Dad Mom Gutenberg Project eBook Victorian Gothic Elizabethan Georgian Bohemian Rue Boulevard Avenue
    Faubourg Quai Rues Barrière Whig Tory Whigs Tories Christianity Republic
""")

SPEECH = word_set("""
    said says say asked asks replied answered cried exclaimed whispered shouted muttered murmured called
    continued added repeated returned remarked observed declared demanded inquired enquired protested
    insisted agreed laughed sighed sobbed growled snapped began interrupted responded explained
    suggested admitted announced thought told spoke smiled nodded frowned shrugged grinned gasped
    groaned stammered retorted rejoined ejaculated interposed went came looked turned stood sat walked
    ran felt knew took gave saw heard wanted seemed loved hated feared hoped wished believed wondered
    remembered stared glanced paused hesitated
""")
TO_PLACES = word_set("""
    in through into outside inside across around beyond throughout leaving reached entered
""")
# People are there too, but less often.
NEAR_PLACES = word_set("at to from near towards toward")
# Of one word; -ton, -ford and -bury end the names of as many people.
PLACE_ENDINGS = (
    "shire",
    "ville",
    "burgh",
    "minster",
    "mouth",
    "chester",
    "borough",
    "cester",
    "stadt",
    "grad",
)
PEOPLE_AFTER = word_set("who himself herself")

CONNECTORS = word_set("of de du des la le van von der den di da del della")
PLACE_WORDS = word_set("""
    River Street Road Lane Avenue Square Castle Hall House Manor Park Bridge Mountain Mountains Mount Mt
    Hill Hills Lake Sea Ocean Island Islands Isle Isles Bay Cape Point Port Harbor Harbour Valley Forest
    Wood Woods Desert Plain Plains Moor Heath Field Fields Town City Village County Shire State Province
    Kingdom Empire Republic Land Lands Church Cathedral Abbey Chapel Temple Tower Gate Court Palace Inn
    Tavern Hotel School College University Academy Hospital Prison Station Garden Gardens Grove Green
    Grange Farm Ranch Cottage Lodge Place Terrace Crescent Alley Row Mall Market Quay Wharf Docks
    Springs Falls Creek Canyon Gulch Ridge Peak Pass Cliff Cliffs Cove Cave Caverns Mines Hollow Heights
    Wells Corner Keep Citadel Fortress Wall Reach Vale Dale Marsh Fen Swamp North South East West
    Theatre Museum Library Observatory Convent Priory Asylum Pension Planet Moon Sector Rue Boulevard
    Faubourg Quai Piazza Plaza Via Villa Chateau Château Fort Strait Straits Sound Gulf Glen Loch Sierra
    Rio Barrière Pont Hôtel Hotel
""")
GROUP_WORDS = word_set("""
    Guild Company Order Brotherhood Sisterhood Society Club Council League Union Army Navy Legion
    Regiment Guard Guards Watch Clan Tribe House Family Church Party Committee Association Institute
    Bank Corporation Co Agency Bureau Ministry Department Office Court Parliament Senate Congress Circle
    Cult Coven Crew Gang Band Alliance Federation Confederacy Consortium Syndicate Brigade Squadron
    Fleet Knights Inquisition Assembly
""")
ITEM_WORDS = word_set("""
    Sword Blade Dagger Knife Spear Axe Hammer Bow Shield Helm Helmet Armor Armour Crown Ring Amulet
    Necklace Stone Gem Jewel Diamond Orb Crystal Staff Wand Rod Sceptre Scepter Book Tome Scroll Map
    Mirror Lamp Lantern Chalice Cup Grail Horn Harp Cloak Mask Key Box Chest Banner Flag Bell Clock
    Compass Engine Machine
""")
TERM_WORDS = word_set("""
    Magic Law Laws Code Pact Treaty War Wars Plague Prophecy Curse Ritual Rite Art Arts Spell Oath
    Doctrine Protocol Day
""")
TAKES_OF = PLACE_WORDS | GROUP_WORDS | ITEM_WORDS | TERM_WORDS

GIVEN_NAMES = word_set("""
    Ada Adam Agnes Aisha Alana Albert Alec Alexander Alfred Alice Alina Amelia Amy Andrew Anna Anne
    Annie Anthony Anya Archibald Aria Arthur Astrid Augustus Aurora Ava Barbara Basil Beatrice Ben
    Benjamin Bertha Bessie Beth Betsy Betty Bill Bob Bridget Caroline Cassandra Catherine Cecil Celia
    Charles Charlotte Chloe Christine Christopher Clara Cora Daisy Daniel Dara David Delia Diana Dick
    Dinah Dora Dorothy Edgar Edith Edmund Edward Edwin Eileen Elara Eleanor Elena Elias Eliza Elizabeth
    Ella Ellen Emily Emma Eric Ernest Ethel Eva Evelyn Ezra Fanny Felix Flora Florence Frances Francis
    Frank Fred Frederick Freya Gabriel George Georgiana Gerald Gertrude Gilbert Gordon Grace Guy Gwen
    Hana Hannah Harold Harriet Harry Harvey Helen Henry Herbert Hester Horace Hugh Ian Ida Ilya Ingrid
    Irene Iris Isaac Isabel Isabella Ivan Ivy Jack Jacob James Jane Janet Jean Jemima Jenny Jeremy
    Jessie Jim Jo Joan Joe John Jonas Jonathan Joseph Josephine Joshua Judith Julia Julian Juliet Kara
    Kate Katharine Katherine Kira Kitty Lara Laura Lawrence Lena Leonard Leonora Lewis Lila Lilian Lily
    Lina Lizzie Lizzy Louis Louisa Louise Lucy Luke Luna Lydia Mabel Maeve Maggie Mara Marcus Margaret
    Maria Marian Marie Mark Marta Martha Martin Mary Matilda Matthew Maud Maurice Max Maya Meg Mia
    Michael Mila Mildred Millie Mina Mira Molly Nadia Nancy Naomi Ned Nell Nellie Nicholas Nico Nina
    Noah Nora Norman Odette Oliver Olivia Ophelia Orla Oscar Owen Patrick Paul Peggy Percy Peter Petra
    Philip Phoebe Polly Rachel Ralph Rebecca Reginald Rhea Richard Robert Robin Roderick Roger Rosa
    Rosamond Rose Rudolf Rupert Ruth Sally Sam Samuel Sarah Sasha Sebastian Selene Sidney Silas Simon
    Sofia Sophia Sophie Stella Stephen Susan Sylvia Talia Tara Ted Tess Tessa Thea Theo Theodore Thomas
    Timothy Tobias Tom Tony Ursula Vera Victor Victoria Vincent Violet Virginia Walter Wilfred Will
    Willa William Winifred Yara Zara Zoe
""")
PLACES_OF_THE_WORLD = word_set("""
    London Paris Rome Berlin Vienna Moscow Madrid Lisbon Amsterdam Brussels Dublin Edinburgh Glasgow
    Oxford Cambridge Bath Bristol Manchester Liverpool York Leeds Birmingham Florence Venice Naples
    Milan Geneva Zurich Athens Constantinople Istanbul Cairo Jerusalem Baghdad Delhi Bombay Calcutta
    Shanghai Peking Beijing Tokyo Sydney Melbourne Boston Chicago Philadelphia Washington Baltimore
    Denver Albany Brooklyn Manhattan Virginia Texas California Arizona Connecticut Massachusetts Kansas
    Ohio Colorado Wisconsin Kentucky Georgia Florida Maine England Scotland Ireland Wales Britain France
    Germany Spain Portugal Italy Switzerland Austria Hungary Poland Russia Sweden Norway Denmark Holland
    Belgium Greece Turkey Egypt India China Japan Persia Arabia Africa Asia Europe America Australia
    Canada Mexico Brazil Cuba Kent Sussex Surrey Essex Suffolk Norfolk Devonshire Somersetshire
    Yorkshire Cheshire Derbyshire Dorsetshire Mars Earth Algeria Algiers Morocco Tunis Syria Palestine
    Siam Burma Ceylon Java Bohemia Bavaria Prussia Saxony Brittany Normandy Picardy Gascony Provence
    Burgundy Alsace Lorraine Savoy Flanders Tuscany Lombardy Piedmont Sicily Sardinia Corsica Crete
    Cyprus Malta Andalusia Castile Aragon Catalonia Crimea Siberia Ukraine Livonia Finland Petersburg
    Warsaw Cracow Prague Budapest Dresden Leipzig Munich Hamburg Cologne Frankfort Frankfurt Strasburg
    Strasbourg Lyons Lyon Marseilles Marseille Bordeaux Toulouse Toulon Rouen Calais Boulogne Havre
    Dieppe Cannes Versailles Antwerp Ghent Bruges Rotterdam Hague Copenhagen Stockholm Christiania Oslo
    Genoa Turin Pisa Verona Padua Bologna Palermo Seville Granada Cadiz Barcelona Gibraltar Tangier
    Alexandria Damascus Smyrna Bagdad Teheran Bokhara Kabul Lahore Madras Singapore Batavia Manila
    Canton Nanking Yokohama Kyoto Honolulu Auckland Montreal Quebec Toronto Havana Jamaica Barbados
    Panama Peru Chile Bolivia Argentina Hawaii Iceland Greenland Lapland Nevada Oregon Montana Utah
    Idaho Wyoming Nebraska Dakota Iowa Illinois Indiana Michigan Minnesota Missouri Mississippi Alabama
    Louisiana Tennessee Carolina Pennsylvania Delaware Maryland Vermont Cornwall Devon Dorset Wiltshire
    Hampshire Berkshire Buckinghamshire Lancashire Cumberland Westmoreland Northumberland Durham
    Shropshire Warwickshire Gloucestershire Lincolnshire Cambridgeshire Hertfordshire Normandie
    Highlands Lowlands
""")
