"""The units in which things are counted, and the nouns that each can hold."""

CONTENTS = {  # measures and what they hold
    "glass": "water milk juice lassi",
    "cup": "tea coffee",
    "bottle": "water oil milk",
    "plate": "rice biryani salad",
    "bowl": "soup yoghurt rice",
    "kilo": "rice sugar flour meat",
    "litre": "milk oil petrol",
    "bag": "flour sugar rice cement",
    "piece": "cake bread cloth paper wood",
    "packet": "sugar salt tea",
    "box": "sweet apple chocolate",
    "dozen": "egg banana",
    "metre": "cloth silk",
    "basket": "fruit apple mango",
    "spoon": "sugar salt honey",
    "pair": "shoe sock glove",
}
PIECES = {  # units of which Urdu says کا, and what they hold
    "piece": "cake bread cloth paper wood meat cheese chocolate",
    "plate": "rice biryani salad",
    "bowl": "soup yoghurt rice",
    "bottle": "water oil milk juice",
    "box": "sweet apple chocolate",
    "bag": "flour sugar rice cement",
    "packet": "sugar salt tea biscuit",
    "basket": "fruit apple mango",
    "pair": "shoe sock glove",
}
