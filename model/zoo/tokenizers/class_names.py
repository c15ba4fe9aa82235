"""Which class builds the tokenizer of a folder, as `AutoTokenizer` of `transformers` 5 chooses it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.errors import UnsupportedFamily
from model.zoo.tokenizers.classes import KINDS, Kind

LLAMA = "LlamaTokenizer"
ALIKE = {  # classes that are another one under a name of their own
    **dict.fromkeys(("DistilBertTokenizer", "ConvBertTokenizer", "MobileBertTokenizer"), "BertTokenizer"),
    **dict.fromkeys(("ElectraTokenizer", "SqueezeBertTokenizer", "LxmertTokenizer"), "BertTokenizer"),
    **dict.fromkeys(("BartTokenizer", "LongformerTokenizer", "LEDTokenizer", "MvpTokenizer"), "RobertaTokenizer"),
}
# By the `model_type` of config.json: the class of a folder that names none. Of Llama and Mistral: the file as it is.
USUAL = {
    "bert": "BertTokenizer",
    "distilbert": "BertTokenizer",
    "roberta": "RobertaTokenizer",
    "xlm-roberta": "XLMRobertaTokenizer",
    "gpt2": "GPT2Tokenizer",
    "gpt_neox": "GPTNeoXTokenizer",
    "mpt": "GPTNeoXTokenizer",
    "qwen2": "Qwen2Tokenizer",
    "qwen3": "Qwen2Tokenizer",
    "t5": "T5Tokenizer",
    "mt5": "T5Tokenizer",
    "clip": "CLIPTokenizer",
    "siglip": "SiglipTokenizer",
    "electra": "BertTokenizer",
}
ALWAYS_USUAL = ("qwen2",)  # whose files often name a wrong class
ALWAYS_WHOLE = ("mistral",)  # whose tokenizer.json is taken as it stands, whatever class is named
# Classes that build tokenizers of their own, which are not built here. Any other name is that of no class.
OTHERS = frozenset(
    (
        *("AlbertTokenizer", "BarthezTokenizer", "BartphoTokenizer", "BertGenerationTokenizer"),
        *("BertJapaneseTokenizer", "BertTokenizerLegacy", "BertweetTokenizer", "BigBirdTokenizer"),
        *("BioGptTokenizer", "BlenderbotSmallTokenizer", "BlenderbotTokenizer", "ByT5Tokenizer"),
        *("CTRLTokenizer", "CamembertTokenizer", "CanineTokenizer", "ClvpTokenizer", "CodeGenTokenizer"),
        *("CodeLlamaTokenizer", "CohereTokenizer", "CpmAntTokenizer", "CpmTokenizer", "DPRContextEncoderTokenizer"),
        *("DPRQuestionEncoderTokenizer", "DPRReaderTokenizer", "DebertaTokenizer", "DebertaV2Tokenizer"),
        *("DiaTokenizer", "EsmTokenizer", "EsmcTokenizer", "FNetTokenizer", "FSMTTokenizer"),
        *("FastSpeech2ConformerTokenizer", "FlaubertTokenizer", "FunnelTokenizer", "GPTNeoXJapaneseTokenizer"),
        *("GPTSw3Tokenizer", "GemmaTokenizer", "HerbertTokenizer", "LasrTokenizer", "LayoutLMv2Tokenizer"),
        *("LayoutLMv3Tokenizer", "LayoutXLMTokenizer", "LukeTokenizer", "M2M100Tokenizer", "MBart50Tokenizer"),
        *("MBartTokenizer", "MLukeTokenizer", "MPNetTokenizer", "MarianTokenizer", "MarkupLMTokenizer"),
        *("MgpstrTokenizer", "MyT5Tokenizer", "NllbTokenizer", "NougatTokenizer", "OpenAIGPTTokenizer"),
        *("PLBartTokenizer", "ParakeetTokenizer", "PegasusTokenizer", "PerceiverTokenizer", "PhobertTokenizer"),
        *("ProphetNetTokenizer", "Qwen3_5Tokenizer", "ReformerTokenizer", "RemBertTokenizer", "RoCBertTokenizer"),
        *("RoFormerTokenizer", "SeamlessM4TTokenizer", "Siglip2Tokenizer"),
        *("Speech2TextTokenizer", "SpeechT5Tokenizer", "SplinterTokenizer", "TapasTokenizer", "Tipsv2Tokenizer"),
        *("UdopTokenizer", "VideoPrismTokenizer", "VitsTokenizer", "Wav2Vec2CTCTokenizer"),
        *("Wav2Vec2PhonemeCTCTokenizer", "WhisperTokenizer", "XGLMTokenizer", "XLMTokenizer", "XLNetTokenizer"),
    )
)


@dataclass(frozen=True)
class Chosen:
    """`kind` is None for tokenizer.json as it stands. `named` says whether a file names the class."""

    kind: Kind | None
    named: bool
    name: str


def choose_class(folder: Path, config: Mapping[str, Any], settings: Mapping[str, Any], byte_level: bool) -> Chosen:
    """`config` are the values of config.json, `settings` those of tokenizer_config.json. `byte_level` says whether
    tokenizer.json is so. Raises `UnsupportedFamily` for a class that is not built here.
    """
    model = config.get("model_type")
    usual = USUAL.get(str(model))
    given = settings.get("tokenizer_class") or config.get("tokenizer_class")
    name = str(given).removesuffix("Fast") if given else ""
    if model in ALWAYS_WHOLE or (name == LLAMA and byte_level and model not in ALWAYS_USUAL):
        return Chosen(None, named=False, name=name)
    if not name or (usual and model in ALWAYS_USUAL):
        return Chosen(KINDS[usual] if usual else None, named=False, name=usual or "")
    name = ALIKE.get(name, name)
    own_program = name not in KINDS and settings.get("auto_map")
    if name in OTHERS or own_program:
        whose = "a program of its repository" if own_program else "a class of transformers"
        raise UnsupportedFamily(
            f"{folder.name} has a tokenizer that is made by {whose}, {name[:60]}, and this is not read here: its ids "
            f"would be others. These are read: {', '.join(KINDS)}, and any tokenizer.json without a class."
        )
    return Chosen(KINDS.get(name), named=True, name=name)
