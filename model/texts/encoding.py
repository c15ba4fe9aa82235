"""From the bytes of a reader's file to characters."""

from __future__ import annotations

import codecs

from model.errors import TextsError

ENCODINGS = "Save it as UTF-8, or as UTF-16 with a byte order mark."


def decode(data: bytes) -> str:
    """The characters of a file in UTF-8, with or without a byte order mark, or in UTF-16 with one.

    Every line ends with "\\n" alone. A byte that is not UTF-8 becomes half a surrogate pair, as in PEP 383. It spoils
    its own line alone, where `model.texts.complaints.fault_of` finds it. Raises `TextsError` where the mark is that of
    UTF-32, or promises a UTF-16 that does not follow.
    """
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise TextsError(f"The file is in UTF-32. {ENCODINGS}")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            text = data.decode("utf-16", errors="surrogatepass")
        except UnicodeDecodeError:
            raise TextsError(f"The file begins as UTF-16 does, and is damaged. {ENCODINGS}") from None
    else:
        text = data.decode("utf-8-sig", errors="surrogateescape")
    return text.replace("\r\n", "\n").replace("\r", "\n")
