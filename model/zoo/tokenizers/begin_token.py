"""The token that may stand before a text: the tokenizer's own `bos_token`, else `bos_token_id` of config.json.

Only a decoder has one to choose. An encoder was trained on texts between its own tokens, such as [CLS] and [SEP], and
gives its answer there. What a translator reads begins with its first word, and its decoder begins with a token of its
own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.config import TransformerConfig
from model.tokens.tokenizer import Tokenizer


def set_begin(tokenizer: Tokenizer, name: object, values: Mapping[str, Any], config: TransformerConfig) -> Tokenizer:
    """The tokenizer, which can put the begin token of a decoder before a text and leave it out.

    `name` is its bos_token, or None; `values` are those of config.json. An id or a name that no token has means none,
    as of an end token.
    """
    if config.kind == "decoder":
        found = None if name is None else tokenizer.id_of(str(name))
        id = values.get("bos_token_id") if found is None else found
        tokenizer.offer_begin(id if type(id) is int and tokenizer.has(id) else None)
    return tokenizer
