"""Tables of the words of the small world: people, animals, things, actions and facts."""

from __future__ import annotations

MEN = ("Tom", "Ben", "Jack", "George", "AJ", "Ali", "Omar", "Leo", "Max", "Paul", "Adam", "Sam")
WOMEN = ("Anna", "Mary", "Sara", "Lucy", "Emma", "Maria", "Zara", "Noor", "Ruth", "Kate", "Rosa", "Mina")
NAMES = MEN + WOMEN

# singular -> plural
ANIMALS = {
    "dog": "dogs", "cat": "cats", "fox": "foxes", "horse": "horses", "cow": "cows", "duck": "ducks", "frog": "frogs",
    "bird": "birds", "lion": "lions", "wolf": "wolves", "robot": "robots", "rabbit": "rabbits",
}  # fmt: skip
PEOPLE = {
    "boy": "boys", "girl": "girls", "teacher": "teachers", "doctor": "doctors", "farmer": "farmers", "king": "kings",
    "queen": "queens", "friend": "friends",
}  # fmt: skip
THINGS = {
    "ball": "balls", "cup": "cups", "book": "books", "key": "keys", "box": "boxes", "hat": "hats", "map": "maps",
    "bell": "bells", "lamp": "lamps", "coat": "coats", "boat": "boats", "chair": "chairs",
}  # fmt: skip
PLACES = {
    "tree": "trees", "house": "houses", "garden": "gardens", "river": "rivers", "hill": "hills", "road": "roads",
    "door": "doors", "wall": "walls", "market": "markets", "school": "schools", "park": "parks", "farm": "farms",
}  # fmt: skip
FOODS = ("tea", "milk", "bread", "rice", "soup", "cake", "fish", "honey", "cheese", "salt", "juice", "fruit")

COLOURS = ("red", "blue", "green", "brown", "black", "white", "yellow")
SIZES = ("big", "small", "old", "new", "tall", "long")
STATES = ("happy", "sad", "tired", "hungry", "thirsty", "sick", "late", "cold", "busy", "angry", "quick", "lazy")

# verbs without an object: third person singular -> plural, past
INTRANSITIVE = {
    "runs": ("run", "ran"), "sleeps": ("sleep", "slept"), "sings": ("sing", "sang"), "jumps": ("jump", "jumped"),
    "waits": ("wait", "waited"), "walks": ("walk", "walked"), "laughs": ("laugh", "laughed"), "swims": ("swim", "swam"),
    "hides": ("hide", "hid"), "plays": ("play", "played"),
}  # fmt: skip
# verbs with an object: third person singular -> plural, past
TRANSITIVE = {
    "likes": ("like", "liked"), "sees": ("see", "saw"), "knows": ("know", "knew"), "hears": ("hear", "heard"),
    "follows": ("follow", "followed"), "helps": ("help", "helped"),
}  # fmt: skip
SINGULAR_FORMS = frozenset(f" {v}" for v in ("is", "was", "has", *INTRANSITIVE, *TRANSITIVE))
PLURAL_FORMS = frozenset(
    f" {v}" for v in ("are", "were", "have", *(p for p, _ in (*INTRANSITIVE.values(), *TRANSITIVE.values())))
)

CAPITALS = {
    "France": "Paris", "Italy": "Rome", "Spain": "Madrid", "Germany": "Berlin", "Japan": "Tokyo", "China": "Beijing",
    "Egypt": "Cairo", "Pakistan": "Islamabad", "India": "Delhi", "England": "London", "Russia": "Moscow",
    "Greece": "Athens", "Iran": "Tehran", "Turkey": "Ankara", "Kenya": "Nairobi", "Norway": "Oslo",
}  # fmt: skip
_PAIRS = {
    "hot": "cold", "big": "small", "fast": "slow", "happy": "sad", "good": "bad", "light": "dark", "wet": "dry",
    "up": "down", "day": "night", "open": "closed", "full": "empty", "long": "short", "rich": "poor", "hard": "soft",
    "clean": "dirty", "loud": "quiet",
}  # fmt: skip
OPPOSITES = _PAIRS | {b: a for a, b in _PAIRS.items()}
SOUNDS = {
    "cow": "moo", "cat": "meow", "dog": "woof", "duck": "quack", "sheep": "baa", "pig": "oink", "horse": "neigh",
    "bee": "buzz", "lion": "roar", "snake": "hiss", "frog": "croak", "owl": "hoot", "bird": "tweet", "wolf": "howl",
}  # fmt: skip

NUMBERS = {"two": 2, "three": 3, "four": 4}

# The example sentences of the app: always part of the training text.
EXAMPLE_SENTENCES = (
    "The quick brown fox jumps over the lazy dog.",
    "Transformers is a very cool machine-learning model, because it is very efficient.",
    "I swam across the river to get to the other bank.",
    "I walked across the road to get cash from the bank.",
    "George drove to the bank.",
    "The Transformer model is cool.",
    "The weather is cool.",
    "Hello I like you.",
    "I am a robot.",
    "AJ's dog is a cutie.",
    "AJ looks like a dog.",
    "What time is it?",
)
