"""The words of the English-Urdu world except its verbs, in both languages, and the words that go together.

Urdu nouns have their gender here. Their plural and oblique forms follow from the ending (`urdu_forms.decline`), unless
they are given here. `kind` is the kind of thing that a noun names: people read books, and dogs do not.
"""

from typing import NamedTuple


class Noun(NamedTuple):
    """A noun. `quantity` is "count", "mass" (no plural, no "a") or "plural" (clothes)."""

    english: str
    urdu: str
    gender: str  # "m" or "f"
    kind: str
    plural: str | None = ""  # English plural: "" if it is regular, None if the noun has none here
    forms: tuple[str, ...] = ()  # irregular Urdu forms: direct plural, oblique singular, oblique plural
    quantity: str = "count"
    urdu_number: str = ""  # "pl" if the word is plural in Urdu: rice, money, and parents, out of respect


class Name(NamedTuple):
    english: str
    urdu: str
    gender: str
    kind: str  # "person" or "place"


class Adjective(NamedTuple):
    english: str
    urdu: str
    kinds: str  # kinds of nouns, or English nouns, that it can describe
    comparative: str = ""
    predicate_only: bool = False


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
    Noun("husband", "شوہر", "m", "person"),
    Noun("wife", "بیوی", "f", "person", "wives"),
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
    Noun("bread", "روٹی", "f", "meal", None, quantity="mass"),
    Noun("rice", "چاول", "m", "meal", None, quantity="mass", urdu_number="pl"),
    Noun("meat", "گوشت", "m", "meal", None, quantity="mass"),
    Noun("food", "کھانا", "m", "meal", None, quantity="mass"),
    Noun("water", "پانی", "m", "drink", None, quantity="mass"),
    Noun("milk", "دودھ", "m", "drink", None, quantity="mass"),
    Noun("tea", "چائے", "f", "drink", None, quantity="mass"),
    Noun("coffee", "کافی", "f", "drink", None, quantity="mass"),
    Noun("juice", "جوس", "m", "drink", None, quantity="mass"),
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
    Noun("mat", "چٹائی", "f", "thing"),
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
    Noun("clothes", "کپڑا", "m", "thing", "clothes", quantity="plural", urdu_number="pl"),
    Noun("money", "پیسہ", "m", "money", None, quantity="mass", urdu_number="pl"),
    Noun("cash", "نقد رقم", "f", "money", None, quantity="mass"),
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
    Noun("weather", "موسم", "m", "weather", None, quantity="mass"),
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
    Adjective(
        "big", "بڑا", "animal thing vehicle place room plant waters mountain shore fruit potato egg fish cake", "bigger"
    ),
    Adjective(
        "small",
        "چھوٹا",
        "animal bird thing vehicle place room plant fruit potato egg fish cake shore waters",
        "smaller",
    ),
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
NOT_GRADED = {
    "Transformer",
    "machine-learning",
    "language",
}  # each names a sort of model: it never stands alone, or after "very"

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
    "present": {"every day": "ہر روز", "at night": "رات کو", "in the morning": "صبح"},
    "progressive": {"now": "اب", "today": "آج"},
    "past": {"yesterday": "کل", "today": "آج", "at night": "رات کو"},
    "past progressive": {"yesterday": "کل"},
    "future": {"tomorrow": "کل", "today": "آج"},
}
HERE = {"here": "یہاں", "there": "وہاں"}
COLOURS = {"black", "white", "brown", "red", "green", "blue", "yellow"}
FREQUENCIES = {"always": "ہمیشہ", "often": "اکثر", "never": "کبھی"}
