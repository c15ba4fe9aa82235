"""Random commands to friends and strangers, and polite questions that ask for something to be done."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import Phrase, name_phrase, pronoun_phrase, words
from corpora.everyday.actions import is_negative
from corpora.everyday.clauses import Clause
from corpora.everyday.clauses import urdu as urdu_of
from corpora.everyday.deeds import PHASE_BASES, PHASES, Phase, in_phase, phase
from corpora.everyday.lexicon import names, verb
from corpora.everyday.urging import Urger, helps, let, tell

FRIENDS = {  # who is spoken to with تم
    "my friend": "میرے دوست",
    "my son": "بیٹا",
    "my daughter": "بیٹی",
    "children": "بچو",
    "friends": "دوستو",
    "boys": "لڑکو",
    "my dear": "میرے پیارے",
}
STRANGERS = {"sir": "جناب", "madam": "محترمہ", "ladies and gentlemen": "خواتین و حضرات", "doctor": "ڈاکٹر صاحب"}
WARNINGS = {  # Urdu to a stranger, and to a friend
    "be careful": ("احتیاط کریں", "احتیاط کرو"),
    "be quiet": ("خاموش رہیں", "خاموش رہو"),
    "be patient": ("صبر کریں", "صبر کرو"),
    "be brave": ("ہمت کریں", "ہمت کرو"),
    "be happy": ("خوش رہیں", "خوش رہو"),
    "be on time": ("وقت پر آئیں", "وقت پر آؤ"),
    "hurry": ("جلدی کریں", "جلدی کرو"),
    "hurry up": ("جلدی کریں", "جلدی کرو"),
    "do not be afraid": ("نہ ڈریں", "نہ ڈرو"),
    "do not be late": ("دیر نہ کریں", "دیر نہ کرو"),
    "do not be angry": ("ناراض نہ ہوں", "ناراض نہ ہو"),
    "do not be sad": ("اداس نہ ہوں", "اداس نہ ہو"),
    "do not worry": ("فکر نہ کریں", "فکر نہ کرو"),
    "do not hurry": ("جلدی نہ کریں", "جلدی نہ کرو"),
    "calm down": ("پرسکون ہو جائیں", "پرسکون ہو جاؤ"),
    "come here": ("یہاں آئیں", "یہاں آؤ"),
    "go away": ("چلے جائیں", "چلے جاؤ"),
    "wait": ("انتظار کریں", "انتظار کرو"),
    "stand up": ("کھڑے ہو جائیں", "کھڑے ہو جاؤ"),
}
REMEMBER = phase("remember", "یاد رکھ", "to")
FORGET, KEEP, STOP, TRY = (
    next(one for one in PHASES if one.verb.base == base) for base in ("forget", "keep", "stop", "try")
)
POLITE = {  # first word and subject -> the tense of the clause
    ("could", "you"): "can",
    ("can", "you"): "can",
    ("would", "you"): "future",
    ("will", "you"): "future",
    ("may", "I"): "can",
    ("can", "I"): "can",
    ("could", "I"): "can",
    ("shall", "we"): "shall",
    ("shall", "I"): "shall",
    ("should", "I"): "should",
}


class Commander(Urger):
    """A speaker who also gives orders and warnings, and asks politely."""

    def command(self) -> Pair:
        """ "Close the door, my friend", "Sir, please wait for me", "Do not forget to call her", "Keep walking"."""
        friendly, called = self.address()
        please = not friendly and self.chance(0.35)
        tense = "familiar" if friendly else "imperative"
        pair = self.order(tense)
        if please:
            pair = Pair(words("please", "greeting") + pair.english, words("براہ کرم", "greeting") + pair.urdu)
        if not called:
            return pair if len(pair.english) > 1 else self.command()  # "sleep" alone may be a noun
        return self.called(pair, *called)

    def address(self) -> tuple[bool, tuple[str, ...]]:
        """Whether a friend is addressed, and the words for whom: a name or nobody is addressed as a stranger is."""
        roll = self.rng.random()
        if roll < 0.42:
            return True, self.choose(list(FRIENDS.items()))
        if roll < 0.57:
            return False, self.choose(list(STRANGERS.items()))
        if roll < 0.67:
            person = name_phrase("called", self.choose(names()))
            return False, (person.english[0].text, person.direct[0].text) if len(person.direct) == 1 else ()
        return False, ()

    def order(self, tense: str) -> Pair:
        """The order itself."""
        kind = self.pick(
            {"deed": 55, "warning": 18, "forget": 15, "remember": 4, "keep": 6, "stop": 6, "try": 5, "other": 12}
        )
        if kind == "warning":
            english = self.choose([*WARNINGS, *3 * ("be careful",), *2 * ("hurry up", "hurry")])
            return warning(english, tense)
        if kind == "other":
            return self.about_another(tense)
        deed = self.deed(pronoun_phrase("subject", "you"))
        deed = replace(deed, verb=deed.verb._replace(vector="" if tense == "familiar" else deed.verb.vector))
        if kind == "deed":
            return replace(deed, tense=tense, negative=self.chance(0.3)).pair()
        if deed.verb.base in PHASE_BASES:
            return self.order(tense)
        chosen: Phase = {"forget": FORGET, "remember": REMEMBER, "keep": KEEP, "stop": STOP, "try": TRY}[kind]
        return in_phase(chosen, deed, tense, chosen.links.split()[0], kind == "forget")

    def about_another(self, tense: str) -> Pair:
        """ "Let him go", "Tell her to come", "Help me clean the room"."""
        person = self.person("person", "I I he she they")
        if is_negative(person):
            return self.about_another(tense)
        you, deed = pronoun_phrase("subject", "you"), self.deed(person, own=False)
        kind = self.choose(["let", "let", "help", "tell"])
        if kind == "let":
            return let(you, deed, tense, self.chance(0.2))
        if kind == "help":
            return helps(you, deed, tense)
        return tell(you, self.choose(["tell", "ask"]), replace(deed, negative=self.chance(0.15)), tense)

    def polite(self) -> Pair:
        """ "Could you help me, please?", "Shall we go home?", "May I open the window?", "Where shall we sit?" """
        roll = self.rng.random()
        if roll < 0.1:
            deed = self.deed(pronoun_phrase("subject", "we"))
            return why_not(deed)
        first, pronoun = self.choose([*POLITE, *list(POLITE)[:8]])
        clause = replace(self.deed(pronoun_phrase("subject", pronoun)), tense=POLITE[first, pronoun])
        asked = "yes/no"
        if first == "shall" and clause.verb.marker in ("", "bare") and self.chance(0.3):
            asked = self.choose(["when", "where", "how"] if not clause.adjuncts else ["when", "how"])
            if asked == "where" and clause.verb.complement:
                asked = "when"
            if asked == "where" and clause.verb.marker == "bare":
                clause = replace(clause, object=None, verb=clause.verb._replace(particle=""))
        pair = replace(clause, question=asked).pair()
        place = 1 if asked != "yes/no" else 0
        english = (*pair.english[:place], *words(first, "modal"), *pair.english[place + 1 :])
        please = self.chance(0.3) and asked == "yes/no" and first not in ("shall", "should")
        polite = words("please" if please else "", "greeting"), words("براہ کرم" if please else "", "greeting")
        if self.chance(0.4) and pronoun == "you":
            english = english[: place + 2] + polite[0] + english[place + 2 :]
        else:
            english += polite[0]
        return Pair(english, pair.urdu[:2] + polite[1] + pair.urdu[2:], True)

    def bring_me(self) -> Pair:
        """ "Give me the book, my friend", "Please bring us some water", "Show him your house"."""
        friendly, called = self.address()
        receiver = self.person("recipient", "I I we he she they")
        if is_negative(receiver):
            return self.bring_me()
        doing = verb(self.choose(["give", "bring", "show", "send", "tell"]))
        thing = self.object(doing, pronoun_phrase("subject", "you"))
        if thing is None or thing.pronoun is not None:
            return self.bring_me()
        clause = Clause(
            pronoun_phrase("subject", "you"), doing, "familiar" if friendly else "imperative", thing, receiver,
            negative=self.chance(0.15), recipient_first=True,
        )  # fmt: skip
        pair = clause.pair()
        return self.called(pair, *called) if called else pair


def warning(english: str, tense: str) -> Pair:
    """ "Be careful": احتیاط کریں to a stranger, احتیاط کرو to a friend."""
    return Pair(words(english, "verb"), words(WARNINGS[english][tense == "familiar"], "verb"))


def why_not(deed: Clause) -> Pair:
    """ "Why don't we go home?": کیوں نہ ہم گھر جائیں؟."""
    said = replace(deed, tense="imperative")
    start: Phrase = words("why don't", "question") + deed.subject.english
    urdu = urdu_of(replace(deed, tense="subjunctive"))
    return Pair(start + said.pair().english, words("کیوں نہ", "question") + urdu, True)
