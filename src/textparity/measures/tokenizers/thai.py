"""PyThaiNLP, as the paper used it for Thai."""

from importlib.metadata import version

from pythainlp.tokenize import word_tokenize

from textparity.measures.tokenizers import Sentences


class ThaiTokenizer:
    """PyThaiNLP's default engine; runs of white space stay tokens, as in the paper (the corrected count drops them)."""

    stand_in = False
    spaces_in_tokens = True

    def __init__(self) -> None:
        self.label = f"PyThaiNLP newmm (pythainlp {version('pythainlp')})"

    def cut(self, texts: list[str]) -> list[Sentences]:
        """See `textparity.measures.tokenizers.Tokenizer`."""
        return [[tokens] if (tokens := word_tokenize(text.lower())) else [] for text in texts]
