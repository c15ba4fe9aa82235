"""The units in which things are counted, and the nouns that each can hold."""

CONTENTS = {  # measures that stand bare before the noun in Urdu, and what they hold: ایک گلاس پانی
    "glass": "water milk juice lassi",
    "cup": "tea coffee",
    "kilo": "rice sugar flour meat",
    "litre": "milk oil petrol",
    "dozen": "egg banana",
    "metre": "cloth silk",
    "spoon": "sugar salt honey",
}
PIECES = {  # pieces and full containers take کا in Urdu, and what they hold: روٹی کا ایک ٹکڑا
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
