# ruff: noqa: E501
"""Word lists of our own making: what is grammar, what is common, what is opposite, what means the same.

Plain strings, split on import. Common words stand in two bands in place of a frequency table: a rare word
says more about where a sentence came from than a common one.
"""

from __future__ import annotations

FUNCTION_WORDS = frozenset(
    """
a about above after again against all also although always am among an and another any anybody anyone anything
are aren't around as at away back be became because become becomes been before being below between both but by
can can't cannot could couldn't did didn't do does doesn't doing don't done down during each either else enough
ever every everyone everything few for from further get gets getting go goes going got had hadn't has
hasn't have haven't having he her here hers herself him himself his how however i if in into is isn't it its
itself just keep least less let like made make makes many may me might mine more most much must my myself
namely near need neither never no nobody none nor not nothing now of off often on once one only onto or other
others our ours ourselves out over own per perhaps put quite rather really said same say says second see seem
seemed seems several shall shan't she should shouldn't since so some somebody someone something sometimes still
such than that that's the their theirs them themselves then there there's therefore these they they're this
those though through throughout thus to together too toward towards under until up upon us used using very via
was wasn't we well were weren't what whatever when whenever where whereas whether which while who whoever whom
whose why will with within without won't would wouldn't yet you your yours yourself yourselves yes
i'm i've i'd i'll you're you've he's she's it's we're we've they've isnt dont doesnt cant wont s t d ll m re ve
der die das den dem des ein eine einen einem einer und oder aber ist sind war waren wird werden hat haben im am
zum zur von vom zu mit auf für fur bei nach aus als auch dass sich nicht kein keine es sie er wir ihr
el la los las un una unos unas y o pero es son era en de del al por para con que se lo no su sus como
le les des du au aux une et ou mais est sont était etait dans par pour avec sur qui que ne pas ce cette il elle
il lo gli i uno e ma sono era nel della del di da per con che si non het een van de en is op te dat niet zijn
ole ovat oli ollut
и в во не на с со по к у о об от до из за для при или но а что как это он она они мы вы я быть был была
は が を に で と も の へ や から まで です ます した する いる ある
的 了 在 是 和 与 或 也 都 就 而 及
""".split()
)

NEGATIONS = frozenset(
    """
no not never none nor neither cannot can't don't doesn't didn't won't wouldn't shouldn't couldn't isn't aren't
wasn't weren't hasn't haven't hadn't mustn't needn't shan't without nobody nothing nowhere dont doesnt didnt
cant wont isnt arent wasnt n't hardly scarcely barely seldom rarely
nicht kein keine keinen keinem keiner nie niemals ohne weder pas jamais aucun aucune sans nunca sin ninguno
ninguna tampoco não nao sem mai senza nessun nessuno niet geen nooit zonder не нет ни никогда без нельзя
""".split()
)

AFFIRMATIONS = frozenset("yes yeah yep yea nope".split())
FIRST_PERSON = frozenset(
    "i me my mine myself we us our ours ourselves i'm i've i'd i'll we're we've we'll".split()
)
PRONOUNS = frozenset(
    "it he she they them him her his hers its their theirs this that these those there".split()
)

VERY_COMMON = frozenset(
    """
able add allow area ask bad base based best better big book bring build business buy call car case certain
change child children city class clear close come common company consider country course create current cut
day days develop different difficult early easy end even example eye face fact family far feel find follow
food form found full game general give given gives good government great group grow hand happen hard head hear
help high hold home hope house human idea important include included includes including information interest
issue keep kind know known large last late later lead learn leave left level life light line list little live
local long look lose lot love low main man mean means meet men mind money month months morning move name
national nature need new news next night number offer office old open order page paper part particular people
person place plan play point possible power present president problem process program provide provided public
question read real reason record report require result right room rule run school second seen sense service
set several show shown side simple small social sort sound special stand start state states stay story study
subject system take taken talk team tell term thing things think thought three time times today top total town
tree true try turn type understand usually view want war watch water way ways week weeks white whole wide
win woman women word words work world write written wrong year years young
""".split()
)

COMMON = frozenset(
    """
accept access account achieve across act action active activity actual addition address adult affect age agree
air allowed almost alone along amount analysis animal answer appear apply approach appropriate art article
attack attention author available average avoid award baby bank beat beautiful bed begin behavior believe
benefit black blood blue board body born box boy brother brown brought camp campaign capital care career carry
cause cell center central century chance character charge check choice choose church citizen claim cold
collect collection college color community compare complete computer concern condition conference consist
contain continue control cost court cover crime culture customer dark data daughter dead deal death debate
decade decide decision deep defense degree describe design detail determine die difference dinner direct
direction director discover discuss disease district doctor dog door draw dream drive drop drug due earth east
economic economy education effect effort eight election employee energy enjoy enter entire environment
environmental especially establish evening event everything evidence exactly exist expect experience explain
express extra fail fall famous father fear federal feature field fight figure fill film final finally
financial fine finish fire firm fish five floor fly focus force foreign forget former forward four free friend
front fund future garden gas girl glass goal gold green ground growth guess gun guy hair half health heart
heat heavy history hit horse hospital hot hotel hour huge husband image imagine impact improve increase indeed
indicate individual industry inside instead institution involve island item itself job join key kid kill
kitchen land language law lawyer lay leader least legal letter lie limit listen loss machine magazine maintain
major majority manage management manager market marriage material matter maybe measure media medical member
memory mention message method middle military million minute miss mission model modern moment mother mouth
movement movie music natural nearly necessary network nice nine nor north note notice official oil operation
opportunity option organization original outside owner pain parent park participant party pass past patient
pattern pay peace percent perform performance period permit personal phone physical pick picture piece plant
player pm policy political poor popular population position positive practice prepare pressure pretty prevent
price private probably produce product production professional professor project property protect prove pull
purpose push quality quickly race radio raise range rate reach ready realize receive recent recently recognize
red reduce reflect region relate relationship release religious remain remember remove replace represent
research resource respond response rest return reveal rich rise risk river road rock role safe sale save scene
science scientist score sea season seat section security seek sell send senior series serious serve seven sex
shake share shoot short shot shoulder sign significant similar simply sing single sister sit site situation
six size skill skin society soldier son song soon source south southern space speak specific speech spend sport
spring staff stage standard star statement station step stock stop store strategy street strong structure
student stuff style success successful suddenly suffer suggest summer support sure surface table task tax
teach teacher technology television ten test themselves theory third threat throw thus tonight touch trade
traditional training travel treat treatment trial trip trouble truth two unit value various victim video visit
voice vote wait walk wall weapon wear weight west western wife wind window wish wonder worker yard yes
""".split()
)

PASSAGE_TALK = frozenset(
    """
based passage passages provided context contexts according summary document documents source sources text
texts information given mentioned mention mentions stated states state states following article articles
excerpt excerpts note notes reference references section snippet snippets answer question describe describes
described refer refers indicate indicates explain explains overall summarize
""".split()
)

MULTIPLIERS = {
    "hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "hundreds": 100, "thousands": 1_000, "millions": 10**6, "billions": 10**9, "trillions": 10**12,
    "k": 1_000, "m": 10**6, "bn": 10**9, "mn": 10**6, "mio": 10**6, "mrd": 10**9, "millionen": 10**6,
    "milliarden": 10**9, "lakh": 10**5, "crore": 10**7, "dozen": 12, "dozens": 12,
}  # fmt: skip

NUMBER_WORDS = {
    word: value
    for value, words in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
    for word in (words,)
}
NUMBER_WORDS.update(thirty=30, forty=40, fifty=50, sixty=60, seventy=70, eighty=80, ninety=90)
ORDINAL_WORDS = dict(
    zip(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(),
        range(1, 21),
        strict=True,
    )
)

IRREGULAR = {
    form: base
    for base, forms in {
        "be": "am is are was were been being", "begin": "began begun", "bear": "bore borne", "become": "became",
        "break": "broke broken", "bring": "brought", "build": "built", "buy": "bought", "catch": "caught",
        "choose": "chose chosen", "come": "came", "cost": "costs", "deal": "dealt", "draw": "drew drawn",
        "drink": "drank drunk", "drive": "drove driven", "eat": "ate eaten", "fall": "fell fallen",
        "feed": "fed", "feel": "felt", "fight": "fought", "find": "found", "fly": "flew flown",
        "forbid": "forbade forbidden", "forget": "forgot forgotten", "freeze": "froze frozen",
        "give": "gave given", "go": "went gone", "grow": "grew grown", "hang": "hung", "hear": "heard",
        "hide": "hid hidden", "hold": "held", "keep": "kept", "know": "knew known", "lead": "led",
        "leave": "left", "lend": "lent", "lose": "lost", "make": "made", "mean": "meant", "meet": "met",
        "pay": "paid", "ride": "rode ridden", "ring": "rang rung", "rise": "rose risen", "run": "ran",
        "say": "said", "see": "saw seen", "seek": "sought", "sell": "sold", "send": "sent", "shake": "shook shaken",
        "shoot": "shot", "sing": "sang sung", "sink": "sank sunk", "sit": "sat", "sleep": "slept",
        "speak": "spoke spoken", "spend": "spent", "stand": "stood", "steal": "stole stolen", "strike": "struck",
        "swim": "swam swum", "take": "took taken", "teach": "taught", "tear": "tore torn", "tell": "told",
        "think": "thought", "throw": "threw thrown", "understand": "understood", "wear": "wore worn",
        "win": "won", "write": "wrote written", "child": "children", "man": "men", "woman": "women",
        "person": "people persons", "foot": "feet", "tooth": "teeth", "mouse": "mice", "life": "lives",
        "shear": "shorn", "sew": "sewn", "sow": "sown", "mow": "mown", "show": "shown",
        "prove": "proven", "blow": "blew blown", "creep": "crept", "dig": "dug", "flee": "fled",
        "forgive": "forgave forgiven", "lay": "laid", "light": "lit", "mistake": "mistook mistaken",
        "slide": "slid", "spin": "spun", "spring": "sprang sprung", "stick": "stuck", "sting": "stung",
        "swear": "swore sworn", "sweep": "swept", "swell": "swollen", "tread": "trod trodden",
        "wake": "woke woken", "weave": "wove woven", "weep": "wept", "bend": "bent", "burn": "burnt",
        "bite": "bitten", "learn": "learnt", "spill": "spilt", "wife": "wives", "half": "halves", "shelf": "shelves", "knife": "knives", "loaf": "loaves", "wolf": "wolves",
        "calf": "calves", "thief": "thieves", "scarf": "scarves", "hoof": "hooves", "goose": "geese", "analysis": "analyses", "datum": "data", "criterion": "criteria",
        "medium": "media", "good": "better best", "bad": "worse worst", "founded": "founder", "sale": "sales",
    }.items()
    for form in forms.split()
}  # fmt: skip
del IRREGULAR["founder"]
for _prefix, _bases in {
    "re": "build write tell make pay send take sell think win draw", "over": "take throw come see hear run",
    "under": "take go", "with": "draw hold stand", "mis": "take lead spend", "out": "grow run", "up": "hold",
}.items():  # fmt: skip
    IRREGULAR.update(
        {_prefix + form: _prefix + base for form, base in IRREGULAR.items() if base in _bases.split()}
    )

ANTONYMS = [
    tuple(pair.split())
    for pair in """
open close|open shut|open lock|lock unlock|allow forbid|allow prohibit|allow ban|allow deny|permit forbid|permit prohibit|permit ban
legal illegal|increase decrease|increase reduce|increase lower|raise lower|rise down|support against|favor against|increase down|grow down|rise fall|rise drop|rise decline|grow shrink|gain lose
win lose|buy sell|borrow lend|import export|enter exit|enter leave|arrive depart|arrive leave|begin end|start end|start stop|start finish
accept reject|accept refuse|accept decline|approve reject|approve deny|approve refuse|grant deny|grant refuse|agree disagree|confirm deny|admit deny
include exclude|included excluded|add remove|attach detach|connect disconnect|enable disable|activate deactivate
above below|over under|before after|inside outside|indoor outdoor|upper lower|top bottom|front back|left right|north south|east west
northern southern|eastern western|first last|early late|earlier later|earliest latest|maximum minimum|max min|most least|more fewer|more less|many few
high low|higher lower|highest lowest|large small|larger smaller|largest smallest|big small|bigger smaller|biggest smallest|long short|longer shorter
longest shortest|licensor licensee|lessor lessee|mortgagor mortgagee|assignor assignee|grantor grantee|franchisor franchisee
employer employee|payer payee|payor payee|donor donee|trustor trustee|addressor addressee|consignor consignee|guarantor creditor
tall short|taller shorter|tallest shortest|wider narrower|thicker thinner|deeper shallower|wide narrow|thick thin|deep shallow|heavy light|heavier lighter|fast slow|faster slower|fastest slowest|strong weak
stronger weaker|hot cold|hotter colder|warm cool|warmer cooler|wet dry|old new|older newer|oldest newest|old young|older younger|oldest youngest
free cost|free pay|good bad|better worse|best worst|easy difficult|easy hard|cheap expensive|cheaper dearer|free paid|free taken|free occupied|free booked|vacant occupied|available unavailable|available taken|full empty|rich poor|safe dangerous|true false
correct incorrect|right wrong|valid invalid|public private|mandatory optional|mandatory voluntary|required optional|compulsory voluntary|compulsory optional
temporary permanent|domestic foreign|internal external|positive negative|active inactive|alive dead|male female|men women|man woman|boy girl
husband wife|father mother|son daughter|brother sister|king queen|uncle aunt|present absent|guilty innocent|success failure|succeed fail|pass fail
victory defeat|beat lose|defeat lose|profit loss|credit debit|income expense|hire fire|remember forget|love hate|support oppose|encourage discourage|encrypted unencrypted
hit miss|hide show|hide display|lift lower|load unload|heat cool|dig fill|cover uncover|push pull|rural urban|day night|morning evening|morning afternoon|summer winter|spring autumn|weekday weekend|sunrise sunset|dawn dusk|noon midnight
odd even|horizontal vertical|vertically horizontally|positive negative|clockwise anticlockwise|clockwise counterclockwise|ascending descending|ascend descend
expand contract|freeze melt|build destroy|destroy survive|departure return|departure arrival|create destroy|create delete|save delete|save spend|attack defend|employ dismiss|appoint dismiss|fixed variable
always never|everyone nobody|everyone noone|everything nothing|all none|both neither|everywhere nowhere|with without|hardware software|input output
upload download|online offline|frequent rare|frequently rarely|often rarely|often seldom|usually rarely|common rare|majority minority|rough smooth|hard soft
sharp blunt|tight loose|bright dark|loud quiet|clean dirty|sweet sour|toxic harmless|sink float|asleep awake|refundable nonrefundable|taxable exempt
erlaubt verboten|offen geschlossen|geöffnet geschlossen|öffnet schließt|ouvert fermé|ouvre ferme|autorisé interdit|permis interdit|abierto cerrado
abierta cerrada|abre cierra|permitido prohibido|aperto chiuso|vietato permesso|aberto fechado|open gesloten|можно нельзя|открыт закрыт|открыта закрыта
открывается закрывается|разрешено запрещено|مفتوح مغلق|مفتوحة مغلقة|مسموح ممنوع|تفتح تغلق|يفتح يغلق|صباحا مساء|ouvre fermée|ouverte ferme|öffnet geschlossen|ouverte fermée|ouvertes fermées|ouverts fermés|autorisée interdite|autorisés interdits|abiertos cerrados|abiertas cerradas|permitida prohibida|aperta chiusa|aperti chiusi|aberta fechada|abren cierran|erlaubte verbotene|開店 閉店|открыты закрыты|разрешена запрещена|開 閉|开 关|允 禁|増 減|增 减|steigt sinkt|augmente diminue
""".replace("\n", "|").split("|")
    if pair.strip()
]

QUANTIFIERS_ALL = frozenset(
    "all every each always entire entirely everyone everybody everything both whole any completely wholly fully".split()
)
QUANTIFIERS_SOME = frozenset(
    "some several many most few partly sometimes often usually occasionally certain various generally mostly half part".split()
)
QUANTIFIERS_NONE = frozenset("no none never nobody nothing neither".split())
HEDGES = frozenset(
    "probably perhaps possibly maybe might may could allegedly reportedly likely apparently presumably".split()
)
