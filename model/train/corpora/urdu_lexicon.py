"""The words of the English-Urdu world, as data: what each is in both languages, and what it can go with.

Urdu nouns carry their gender; their plural and oblique forms follow from the ending (`urdu_forms.decline`)
unless they are given here. `kind` says what a noun names, so that people read books and dogs do not.
"""

from typing import NamedTuple


class Noun(NamedTuple):
    """`count` is "count", "mass" (no plural, no "a") or "plural" (clothes); `forms` lists irregular Urdu forms."""

    english: str
    urdu: str
    gender: str  # "m" or "f"
    kind: str
    plural: str | None = ""  # English plural: "" regular, None does not exist here
    forms: tuple[str, ...] = ()  # Urdu direct plural, oblique singular, oblique plural
    count: str = "count"
    urdu_number: str = ""  # "pl" where Urdu counts the word as plural: rice, money, and parents out of respect


class Name(NamedTuple):
    english: str
    urdu: str
    gender: str
    kind: str  # "person" or "place"


class Adjective(NamedTuple):
    english: str
    urdu: str
    kinds: str  # kinds of nouns, or English nouns, it can describe
    comparative: str = ""
    predicate_only: bool = False


class Verb(NamedTuple):
    """A verb; `marker` is the Urdu postposition of its object ("" direct or کو, "bare" oblique alone)."""

    english: tuple[str, str, str, str, str]  # base, third person, past, participle, -ing
    stem: str
    subjects: str = "person"
    objects: str = ""  # kinds, or English nouns; empty for an intransitive verb
    complement: str = ""  # the noun or adjective of a conjunct verb: صاف of صاف کرنا
    marker: str = ""
    particle: str = ""  # English preposition in front of the object
    ergative: bool = True  # subject takes نے in perfective tenses
    agrees: str = ""  # gender of the complement when the verb agrees with it: "f" for مدد کی
    stative: bool = False  # no progressive; its past is imperfective in Urdu: رہتا تھا
    progressive: bool = True
    manner: str = ""  # Urdu words for how one moves: تیر کر
    recipient: bool = False  # "to somebody"

    def takes(self, noun: "Noun | Name") -> bool:
        """Whether `noun` can be the object."""
        return noun.kind in self.objects.split() or noun.english in self.objects.split()

    @property
    def takes_people(self) -> bool:
        """Whether one asks "who", not "what", for the object."""
        return self.objects.startswith("person")


def verb_forms(text: str) -> tuple[str, str, str, str, str]:
    """Five English forms, from all five or from the base of a regular verb."""
    given = text.split()
    if len(given) == 5:
        return given[0], given[1], given[2], given[3], given[4]
    (base,) = given
    if base.endswith("y") and base[-2] not in "aeou":
        return base, base[:-1] + "ies", base[:-1] + "ied", base[:-1] + "ied", base + "ing"
    third = base + ("es" if base.endswith(("s", "sh", "ch", "x")) else "s")
    past = base + ("d" if base.endswith("e") else "ed")
    return base, third, past, past, base.removesuffix("e") + "ing"


NOUNS = [
    # people
    Noun("man", "آدمی", "m", "person", "men"),
    Noun("woman", "عورت", "f", "person", "women"),
    Noun("boy", "لڑکا", "m", "person"),
    Noun("girl", "لڑکی", "f", "person"),
    Noun("child", "بچہ", "m", "person", "children"),
    Noun("teacher", "استاد", "m", "person"),
    Noun("doctor", "ڈاکٹر", "m", "person"),
    Noun("nurse", "نرس", "f", "person"),
    Noun("student", "طالب علم", "m", "person"),
    Noun("friend", "دوست", "m", "person"),
    Noun("farmer", "کسان", "m", "person"),
    Noun("driver", "ڈرائیور", "m", "person"),
    Noun("worker", "مزدور", "m", "person"),
    Noun("guest", "مہمان", "m", "person"),
    Noun("neighbour", "پڑوسی", "m", "person"),
    Noun("soldier", "سپاہی", "m", "person"),
    Noun("shopkeeper", "دکاندار", "m", "person"),
    Noun("king", "بادشاہ", "m", "person", "", ("بادشاہ", "بادشاہ", "بادشاہوں")),
    Noun("queen", "ملکہ", "f", "person"),
    Noun("brother", "بھائی", "m", "person"),
    Noun("sister", "بہن", "f", "person"),
    Noun("son", "بیٹا", "m", "person"),
    Noun("daughter", "بیٹی", "f", "person"),
    Noun("uncle", "چچا", "m", "person", "", ("چچا", "چچا", "چچاؤں")),
    Noun("aunt", "خالہ", "f", "person"),
    Noun("father", "والد", "m", "parent", None, urdu_number="pl"),
    Noun("mother", "والدہ", "f", "parent", None, urdu_number="pl"),
    Noun("robot", "روبوٹ", "m", "robot"),
    # animals
    Noun("dog", "کتا", "m", "animal"),
    Noun("cat", "بلی", "f", "animal"),
    Noun("cow", "گائے", "f", "animal", "", ("گائیں", "گائے", "گایوں")),
    Noun("horse", "گھوڑا", "m", "animal"),
    Noun("goat", "بکری", "f", "animal"),
    Noun("donkey", "گدھا", "m", "animal"),
    Noun("camel", "اونٹ", "m", "animal"),
    Noun("lion", "شیر", "m", "animal"),
    Noun("elephant", "ہاتھی", "m", "animal"),
    Noun("monkey", "بندر", "m", "animal"),
    Noun("rabbit", "خرگوش", "m", "animal"),
    Noun("mouse", "چوہا", "m", "animal", "mice"),
    Noun("fox", "لومڑی", "f", "animal", "foxes"),
    Noun("wolf", "بھیڑیا", "m", "animal", "wolves"),
    Noun("bear", "ریچھ", "m", "animal"),
    Noun("snake", "سانپ", "m", "animal"),
    Noun("frog", "مینڈک", "m", "animal"),
    Noun("bird", "پرندہ", "m", "bird"),
    Noun("sparrow", "چڑیا", "f", "bird"),
    Noun("parrot", "طوطا", "m", "bird"),
    Noun("hen", "مرغی", "f", "bird"),
    Noun("duck", "بطخ", "f", "bird"),
    Noun("butterfly", "تتلی", "f", "bird", "butterflies"),
    # food and drink
    Noun("apple", "سیب", "m", "fruit"),
    Noun("mango", "آم", "m", "fruit", "mangoes"),
    Noun("banana", "کیلا", "m", "fruit"),
    Noun("orange", "مالٹا", "m", "fruit"),
    Noun("tomato", "ٹماٹر", "m", "fruit", "tomatoes"),
    Noun("carrot", "گاجر", "f", "fruit"),
    Noun("potato", "آلو", "m", "meal", "potatoes"),
    Noun("egg", "انڈا", "m", "meal"),
    Noun("fish", "مچھلی", "f", "meal", None),
    Noun("cake", "کیک", "m", "meal"),
    Noun("bread", "روٹی", "f", "meal", None, count="mass"),
    Noun("rice", "چاول", "m", "meal", None, count="mass", urdu_number="pl"),
    Noun("meat", "گوشت", "m", "meal", None, count="mass"),
    Noun("food", "کھانا", "m", "meal", None, count="mass"),
    Noun("water", "پانی", "m", "drink", None, count="mass"),
    Noun("milk", "دودھ", "m", "drink", None, count="mass"),
    Noun("tea", "چائے", "f", "drink", None, count="mass"),
    Noun("coffee", "کافی", "f", "drink", None, count="mass"),
    Noun("juice", "جوس", "m", "drink", None, count="mass"),
    # things to read, to hear and to think of
    Noun("book", "کتاب", "f", "text"),
    Noun("letter", "خط", "m", "text"),
    Noun("newspaper", "اخبار", "m", "text"),
    Noun("story", "کہانی", "f", "text", "stories"),
    Noun("poem", "نظم", "f", "text"),
    Noun("song", "گانا", "m", "sound"),
    Noun("film", "فلم", "f", "film"),
    Noun("question", "سوال", "m", "idea"),
    Noun("answer", "جواب", "m", "idea"),
    Noun("lesson", "سبق", "m", "idea"),
    Noun("game", "کھیل", "m", "idea"),
    Noun("idea", "خیال", "m", "idea"),
    Noun("model", "ماڈل", "m", "model"),
    # things
    Noun("table", "میز", "f", "thing"),
    Noun("chair", "کرسی", "f", "thing"),
    Noun("door", "دروازہ", "m", "thing"),
    Noun("window", "کھڑکی", "f", "thing"),
    Noun("box", "ڈبہ", "m", "thing", "boxes"),
    Noun("bag", "بیگ", "m", "thing"),
    Noun("cup", "پیالی", "f", "thing"),
    Noun("glass", "گلاس", "m", "thing", "glasses"),
    Noun("plate", "پلیٹ", "f", "thing"),
    Noun("knife", "چاقو", "m", "thing", "knives"),
    Noun("pen", "قلم", "m", "thing"),
    Noun("phone", "فون", "m", "thing"),
    Noun("computer", "کمپیوٹر", "m", "thing"),
    Noun("camera", "کیمرا", "m", "thing"),
    Noun("clock", "گھڑی", "f", "thing"),
    Noun("key", "چابی", "f", "thing"),
    Noun("bed", "بستر", "m", "thing"),
    Noun("ball", "گیند", "f", "thing"),
    Noun("toy", "کھلونا", "m", "thing"),
    Noun("stone", "پتھر", "m", "thing"),
    Noun("flower", "پھول", "m", "thing"),
    Noun("tree", "درخت", "m", "plant"),
    Noun("shirt", "قمیض", "f", "thing"),
    Noun("shoe", "جوتا", "m", "thing"),
    Noun("hat", "ٹوپی", "f", "thing"),
    Noun("ring", "انگوٹھی", "f", "thing"),
    Noun("picture", "تصویر", "f", "thing"),
    Noun("ticket", "ٹکٹ", "m", "thing"),
    Noun("gift", "تحفہ", "m", "thing"),
    Noun("clothes", "کپڑا", "m", "thing", "clothes", count="plural", urdu_number="pl"),
    Noun("money", "پیسہ", "m", "money", None, count="mass", urdu_number="pl"),
    Noun("cash", "نقد رقم", "f", "money", None, count="mass"),
    Noun("car", "گاڑی", "f", "vehicle"),
    Noun("bus", "بس", "f", "vehicle", "buses"),
    Noun("train", "ٹرین", "f", "vehicle"),
    Noun("bicycle", "سائیکل", "f", "vehicle"),
    Noun("boat", "کشتی", "f", "vehicle"),
    # places
    Noun("house", "گھر", "m", "place"),
    Noun("school", "اسکول", "m", "place"),
    Noun("market", "بازار", "m", "place"),
    Noun("city", "شہر", "m", "place", "cities"),
    Noun("village", "گاؤں", "m", "place", None),
    Noun("garden", "باغ", "m", "place"),
    Noun("park", "پارک", "m", "place"),
    Noun("hospital", "ہسپتال", "m", "place"),
    Noun("mosque", "مسجد", "f", "place"),
    Noun("shop", "دکان", "f", "place"),
    Noun("library", "لائبریری", "f", "place", "libraries"),
    Noun("office", "دفتر", "m", "place"),
    Noun("station", "اسٹیشن", "m", "place"),
    Noun("hotel", "ہوٹل", "m", "place"),
    Noun("university", "یونیورسٹی", "f", "place", "universities"),
    Noun("bank", "بینک", "m", "place"),
    Noun("forest", "جنگل", "m", "place"),
    Noun("kitchen", "باورچی خانہ", "m", "room"),
    Noun("room", "کمرہ", "m", "room"),
    Noun("field", "کھیت", "m", "ground"),
    Noun("street", "گلی", "f", "ground"),
    Noun("road", "سڑک", "f", "ground"),
    Noun("bridge", "پل", "m", "ground"),
    Noun("river", "دریا", "m", "waters", "", ("دریا", "دریا", "دریاؤں")),
    Noun("lake", "جھیل", "f", "waters"),
    Noun("mountain", "پہاڑ", "m", "mountain"),
    Noun("island", "جزیرہ", "m", "shore"),
    Noun("bank", "کنارہ", "m", "shore", None),
    # the sky
    Noun("weather", "موسم", "m", "weather", None, count="mass"),
    Noun("sun", "سورج", "m", "sky", None),
    Noun("moon", "چاند", "m", "sky", None),
    Noun("star", "ستارہ", "m", "sky"),
    Noun("wind", "ہوا", "f", "weather", None),
    Noun("night", "رات", "f", "weather"),
    Noun("day", "دن", "m", "weather"),
]

NAMES = [
    Name("Ali", "علی", "m", "person"),
    Name("Ahmed", "احمد", "m", "person"),
    Name("Bilal", "بلال", "m", "person"),
    Name("Omar", "عمر", "m", "person"),
    Name("George", "جارج", "m", "person"),
    Name("John", "جان", "m", "person"),
    Name("AJ", "اے جے", "m", "person"),
    Name("Sara", "سارا", "f", "person"),
    Name("Maryam", "مریم", "f", "person"),
    Name("Ayesha", "عائشہ", "f", "person"),
    Name("Fatima", "فاطمہ", "f", "person"),
    Name("Zainab", "زینب", "f", "person"),
    Name("Lahore", "لاہور", "m", "place"),
    Name("Karachi", "کراچی", "m", "place"),
    Name("Pakistan", "پاکستان", "m", "place"),
    Name("London", "لندن", "m", "place"),
    Name("Urdu", "اردو", "f", "language"),
    Name("English", "انگریزی", "f", "language"),
    Name("Transformers", "ٹرانسفارمرز", "m", "model"),
]

LIVING = "person parent robot animal bird"
THINGS = "thing vehicle text film idea model place room money"

ADJECTIVES = [
    Adjective("big", "بڑا", "animal thing vehicle place room plant waters mountain shore fruit meal", "bigger"),
    Adjective("small", "چھوٹا", "animal bird thing vehicle place room plant fruit meal shore waters", "smaller"),
    Adjective("good", "اچھا", f"person robot {THINGS} sound meal fruit weather"),
    Adjective("bad", "برا", f"person {THINGS} sound weather"),
    Adjective("new", "نیا", "thing vehicle text film idea model place room"),
    Adjective("old", "پرانا", "thing vehicle text film place room ground", "older"),
    Adjective("old", "بوڑھا", "person animal bird", "older"),
    Adjective("young", "جوان", "person animal", "younger"),
    Adjective("tall", "لمبا", "person", "taller"),
    Adjective("long", "لمبا", "text film ground lesson snake", "longer"),
    Adjective("high", "اونچا", "mountain plant", "higher"),
    Adjective("deep", "گہرا", "waters", "deeper"),
    Adjective("black", "کالا", "animal bird thing vehicle"),
    Adjective("white", "سفید", "animal bird thing vehicle place"),
    Adjective("brown", "بھورا", "animal thing"),
    Adjective("red", "سرخ", "thing vehicle fruit bird"),
    Adjective("green", "سبز", "thing vehicle fruit bird plant"),
    Adjective("blue", "نیلا", "thing vehicle bird"),
    Adjective("yellow", "پیلا", "thing vehicle fruit bird"),
    Adjective("beautiful", "خوبصورت", "person animal bird thing place text sound film sky weather waters mountain"),
    Adjective("cute", "پیارا", "child animal bird robot"),
    Adjective("happy", "خوش", LIVING, "happier", True),
    Adjective("sad", "اداس", LIVING, "sadder", True),
    Adjective("angry", "ناراض", LIVING, "", True),
    Adjective("hungry", "بھوکا", "person animal bird"),
    Adjective("thirsty", "پیاسا", "person animal bird"),
    Adjective("sick", "بیمار", "person animal bird parent"),
    Adjective("strong", "طاقتور", "person animal robot", "stronger"),
    Adjective("weak", "کمزور", "person animal", "weaker"),
    Adjective("rich", "امیر", "person", "richer"),
    Adjective("poor", "غریب", "person", "poorer"),
    Adjective("clever", "ہوشیار", "person animal robot"),
    Adjective("lazy", "سست", "person animal"),
    Adjective("quick", "تیز", "animal"),
    Adjective("fast", "تیز", "vehicle animal computer model", "faster"),
    Adjective("famous", "مشہور", "person place text film sound model"),
    Adjective("kind", "مہربان", "person parent"),
    Adjective("hot", "گرم", "drink meal weather", "hotter"),
    Adjective("cold", "ٹھنڈا", "drink meal weather room", "colder"),
    Adjective("cool", "ٹھنڈا", "weather drink"),
    Adjective("cool", "زبردست", "person robot vehicle computer phone camera film sound idea model"),
    Adjective("sweet", "میٹھا", "fruit cake tea juice", "sweeter"),
    Adjective("fresh", "تازہ", "fruit meat fish juice milk"),
    Adjective("clean", "صاف", "room thing water place", "cleaner"),
    Adjective("dirty", "گندا", "room thing water vehicle"),
    Adjective("expensive", "مہنگا", "thing vehicle fruit hotel house"),
    Adjective("cheap", "سستا", "thing vehicle fruit hotel", "cheaper"),
    Adjective("heavy", "بھاری", "box bag stone table bed"),
    Adjective("easy", "آسان", "idea text", "easier"),
    Adjective("difficult", "مشکل", "idea text"),
    Adjective("empty", "خالی", "box bag cup glass plate room bus house"),
    Adjective("efficient", "مؤثر", "model computer robot worker"),
    Adjective("Transformer", "ٹرانسفارمر", "model"),
    Adjective("machine-learning", "مشین لرننگ", "model"),
    Adjective("language", "لسانی", "model"),
]
NOT_GRADED = {"Transformer", "machine-learning", "language"}  # name a sort of model: never alone, never "very"

VERBS = [
    Verb(verb_forms("eat eats ate eaten eating"), "کھا", "person animal bird", "fruit meal"),
    Verb(verb_forms("drink drinks drank drunk drinking"), "پی", "person animal bird", "drink"),
    Verb(
        verb_forms("see sees saw seen seeing"),
        "دیکھ",
        LIVING,
        "person parent animal bird robot thing vehicle sky place plant mountain",
        progressive=False,
    ),
    Verb(verb_forms("watch"), "دیکھ", "person", "film game"),
    Verb(verb_forms("look"), "دیکھ", LIVING, "person animal bird sky clock picture", marker="کو", particle="at"),
    Verb(verb_forms("read reads read read reading"), "پڑھ", "person parent", "text question"),
    Verb(verb_forms("write writes wrote written writing"), "لکھ", "person parent robot", "text answer"),
    Verb(verb_forms("buy buys bought bought buying"), "خرید", "person parent", "fruit meal thing vehicle text animal"),
    Verb(verb_forms("sell sells sold sold selling"), "بیچ", "person", "fruit meal thing vehicle text animal"),
    Verb(verb_forms("cook"), "پکا", "person parent", "meal"),
    Verb(
        verb_forms("make makes made made making"), "بنا", "person parent robot", "tea coffee cake toy chair table box"
    ),
    Verb(verb_forms("build builds built built building"), "بنا", "person robot", "house bridge boat school mosque"),
    Verb(verb_forms("clean"), "کر", "person robot", "room house table car window plate", complement="صاف"),
    Verb(verb_forms("wash"), "دھو", "person parent", "cup plate glass shirt clothes car apple"),
    Verb(verb_forms("open"), "کھول", "person robot", "door window box book bag shop"),
    Verb(verb_forms("close"), "کر", "person robot", "door window box book bag shop", complement="بند"),
    Verb(verb_forms("hear hears heard heard hearing"), "سن", LIVING, "sound story", progressive=False),
    Verb(verb_forms("listen"), "سن", "person parent robot", "sound story", particle="to"),
    Verb(
        verb_forms("like"),
        "کر",
        LIVING,
        "animal bird person fruit meal drink text sound film thing vehicle place language model idea",
        complement="پسند",
        stative=True,
    ),
    Verb(
        verb_forms("love"),
        "کر",
        "person parent",
        "person parent animal bird language place",
        complement="محبت",
        marker="سے",
        stative=True,
    ),
    Verb(verb_forms("know knows knew known knowing"), "جان", "person parent", "person answer", stative=True),
    Verb(verb_forms("want"), "چاہ", "person", "fruit meal drink thing vehicle text money", stative=True),
    Verb(verb_forms("fear"), "ڈر", "person animal bird", "animal king", marker="سے", ergative=False, stative=True),
    Verb(verb_forms("help"), "کر", LIVING, "person parent", complement="مدد", marker="کا", agrees="f"),
    Verb(
        verb_forms("wait"),
        "کر",
        LIVING,
        "person parent bus train",
        complement="انتظار",
        marker="کا",
        particle="for",
        agrees="m",
    ),
    Verb(
        verb_forms("talk"),
        "کر",
        "person parent robot",
        "person parent robot",
        complement="بات",
        marker="سے",
        particle="to",
        agrees="f",
    ),
    Verb(
        verb_forms("think thinks thought thought thinking"),
        "سوچ",
        "person",
        "person film idea money game",
        marker="کے بارے میں",
        particle="about",
    ),
    Verb(verb_forms("meet meets met met meeting"), "مل", "person robot", "person", marker="سے", ergative=False),
    Verb(verb_forms("call"), "بلا", "person parent", "person"),
    Verb(verb_forms("teach teaches taught taught teaching"), "پڑھا", "person parent", "person"),
    Verb(verb_forms("catch catches caught caught catching"), "پکڑ", "person animal", "animal bird ball"),
    Verb(verb_forms("carry"), "اٹھا", "person robot", "bag box stone chair table child"),
    Verb(verb_forms("throw throws threw thrown throwing"), "پھینک", "person", "ball stone"),
    Verb(verb_forms("break breaks broke broken breaking"), "توڑ", "person robot monkey", "cup glass plate window toy"),
    Verb(verb_forms("lose loses lost lost losing"), "کھو", "person", "key phone money ticket ring bag"),
    Verb(verb_forms("look"), "ڈھونڈ", "person animal", "key phone ticket ring food bag water", particle="for"),
    Verb(
        verb_forms("use uses used used using"), "کر", "person robot", "computer phone pen knife camera model", "استعمال"
    ),
    Verb(verb_forms("learn"), "سیکھ", "person robot", "language lesson"),
    Verb(verb_forms("speak speaks spoke spoken speaking"), "بول", "person parent robot", "language"),
    Verb(verb_forms("ask"), "پوچھ", "person robot", "question"),
    Verb(verb_forms("sing sings sang sung singing"), "گا", "person", "sound"),
    Verb(
        verb_forms("bring brings brought brought bringing"),
        "لا",
        "person parent robot",
        "drink meal thing text",
        ergative=False,
    ),
    Verb(verb_forms("get gets got gotten getting"), "لے", "person", "money ticket book water"),
    Verb(
        verb_forms("give gives gave given giving"),
        "دے",
        "person parent robot",
        "fruit drink thing text money",
        recipient=True,
    ),
    Verb(verb_forms("show shows showed shown showing"), "دکھا", "person", "thing text film", recipient=True),
    Verb(
        verb_forms("send sends sent sent sending"),
        "بھیج",
        "person",
        "letter money gift book picture flower",
        recipient=True,
    ),
    Verb(verb_forms("tell tells told told telling"), "سنا", "person parent", "story poem", recipient=True),
    Verb(verb_forms("drive drives drove driven driving"), "چلا", "person robot", "car bus train"),
    # going somewhere
    Verb(
        verb_forms("go goes went gone going"),
        "جا",
        "person parent robot",
        "place",
        marker="bare",
        particle="to",
        ergative=False,
    ),
    Verb(
        verb_forms("come comes came come coming"),
        "آ",
        "person parent",
        "place room",
        marker="سے",
        particle="from",
        ergative=False,
    ),
    Verb(
        verb_forms("come comes came come coming"),
        "آ",
        "person parent",
        "place",
        marker="bare",
        particle="to",
        ergative=False,
    ),
    Verb(verb_forms("walk"), "جا", "person robot", "place", "", "bare", "to", False, manner="پیدل"),
    Verb(
        verb_forms("run runs ran run running"), "جا", "person robot", "place", "", "bare", "to", False, manner="دوڑ کر"
    ),
    Verb(
        verb_forms("drive drives drove driven driving"),
        "جا",
        "person",
        "place",
        "",
        "bare",
        "to",
        False,
        manner="گاڑی چلا کر",
    ),
    Verb(
        verb_forms("swim swims swam swum swimming"),
        "جا",
        "person animal",
        "shore",
        "",
        "تک",
        "to",
        False,
        manner="تیر کر",
    ),
    Verb(verb_forms("walk"), "کر", "person animal robot", "ground", "پار", "", "across", manner="پیدل"),
    Verb(verb_forms("run runs ran run running"), "کر", "person animal", "ground", "پار", "", "across", manner="دوڑ کر"),
    Verb(
        verb_forms("swim swims swam swum swimming"),
        "کر",
        "person animal",
        "water",
        "پار",
        "",
        "across",
        manner="تیر کر",
    ),
    Verb(verb_forms("jump"), "کود", "person animal", "animal box chair table stone", "", "کے اوپر سے", "over", False),
    Verb(verb_forms("climb"), "چڑھ", "person monkey cat bear", "plant mountain", marker="پر", ergative=False),
    Verb(
        verb_forms("live"),
        "رہ",
        "person parent animal",
        "place",
        marker="میں",
        particle="in",
        ergative=False,
        stative=True,
    ),
    Verb(
        verb_forms("look"),
        "لگ",
        "person animal bird robot",
        "animal bird person robot",
        "",
        "جیسا",
        "like",
        False,
        stative=True,
    ),
    # no object
    Verb(verb_forms("sleep sleeps slept slept sleeping"), "سو", "person parent animal bird", ergative=False),
    Verb(verb_forms("laugh"), "ہنس", "person parent", ergative=False),
    Verb(verb_forms("cry"), "رو", "person", ergative=False),
    Verb(verb_forms("smile"), "مسکرا", "person parent robot", ergative=False),
    Verb(verb_forms("dance dances danced danced dancing"), "ناچ", "person robot bear monkey", ergative=False),
    Verb(verb_forms("run runs ran run running"), "دوڑ", "person animal robot", ergative=False),
    Verb(verb_forms("walk"), "چل", "person animal robot", ergative=False),
    Verb(verb_forms("swim swims swam swum swimming"), "تیر", "person duck dog elephant", ergative=False),
    Verb(verb_forms("play"), "کھیل", "child boy girl son daughter dog cat", ergative=False),
    Verb(verb_forms("jump"), "کود", "person animal", ergative=False),
    Verb(verb_forms("fall falls fell fallen falling"), "گر", "person animal robot", ergative=False),
    Verb(verb_forms("fly flies flew flown flying"), "اڑ", "bird", ergative=False),
    Verb(verb_forms("bark"), "بھونک", "dog", ergative=False),
    Verb(verb_forms("work"), "کر", "person parent robot", complement="کام", agrees="m"),
    Verb(verb_forms("rest"), "کر", "person parent animal", complement="آرام", agrees="m"),
    Verb(verb_forms("study"), "پڑھ", "person"),
]
GET_TO = Verb(
    verb_forms("get gets got gotten getting"), "پہنچ", objects="place shore", marker="تک", particle="to", ergative=False
)

NUMBERS = {
    "two": "دو", "three": "تین", "four": "چار", "five": "پانچ", "six": "چھ",
    "seven": "سات", "eight": "آٹھ", "nine": "نو", "ten": "دس",
}  # fmt: skip
PREPOSITIONS = {
    "in": "میں",
    "on": "پر",
    "under": "کے نیچے",
    "near": "کے قریب",
    "behind": "کے پیچھے",
    "in front of": "کے سامنے",
    "with": "کے ساتھ",
    "from": "سے",
}
TIMES = {  # tense: English -> Urdu
    "present": {"every day": "ہر روز"},
    "progressive": {"now": "اب", "today": "آج"},
    "past": {"yesterday": "کل", "today": "آج"},
    "past progressive": {"yesterday": "کل"},
    "future": {"tomorrow": "کل", "today": "آج"},
}
FREQUENCIES = {"always": "ہمیشہ", "often": "اکثر", "never": "کبھی"}
