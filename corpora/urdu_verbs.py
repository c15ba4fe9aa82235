"""The verbs of the English-Urdu world: their English forms, Urdu stems, subjects and objects."""

from typing import NamedTuple

from corpora.urdu_lexicon import LIVING, Name, Noun


class Verb(NamedTuple):
    """A verb. `marker` is the Urdu postposition of its object: "" for none or کو, "bare" for the oblique alone."""

    english: tuple[str, str, str, str, str]  # base, third person, past, participle, -ing
    stem: str
    subjects: str = "person"
    objects: str = ""  # kinds, or English nouns; empty for an intransitive verb
    complement: str = ""  # the noun or adjective of a conjunct verb: صاف of صاف کرنا
    marker: str = ""
    particle: str = ""  # English preposition before the object
    ergative: bool = True  # the subject takes نے in perfective tenses
    agrees: str = ""  # gender of the complement if the verb agrees with it: "f" for مدد کی
    stative: bool = False  # it has no progressive, and an imperfective past in Urdu: رہتا تھا
    progressive: bool = True
    manner: str = ""  # Urdu words for a way of moving: تیر کر
    recipient: bool = False  # it takes "to somebody"

    def takes(self, noun: Noun | Name) -> bool:
        """Whether `noun` can be its object."""
        return noun.kind in self.objects.split() or noun.english in self.objects.split()

    @property
    def takes_people(self) -> bool:
        """Whether the question for its object is "who", not "what"."""
        return self.objects.startswith("person")


def verb_forms(text: str) -> tuple[str, str, str, str, str]:
    """The five English forms, from a text with all five, or with the base of a regular verb."""
    given = text.split()
    if len(given) == 5:
        return given[0], given[1], given[2], given[3], given[4]
    (base,) = given
    if base.endswith("y") and base[-2] not in "aeou":
        return base, base[:-1] + "ies", base[:-1] + "ied", base[:-1] + "ied", base + "ing"
    third = base + ("es" if base.endswith(("s", "sh", "ch", "x")) else "s")
    past = base + ("d" if base.endswith("e") else "ed")
    return base, third, past, past, base.removesuffix("e") + "ing"


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
    Verb(verb_forms("chase"), "کر", "person animal", "animal bird", complement="پیچھا", marker="کا", agrees="m"),
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
        "waters",
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
    Verb(verb_forms("go goes went gone going"), "جا", "person parent", "", "گھر", "", "home", False),
    Verb(verb_forms("come comes came come coming"), "آ", "person parent", "", "گھر", "", "home", False),
    # no object
    Verb(verb_forms("sit sits sat sat sitting"), "بیٹھ", LIVING, ergative=False, progressive=False),
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
DO = Verb(verb_forms("do does did done doing"), "کر", LIVING)
GET_TO = Verb(
    verb_forms("get gets got gotten getting"), "پہنچ", objects="place shore", marker="تک", particle="to", ergative=False
)
