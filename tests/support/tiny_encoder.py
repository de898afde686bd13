"""A transformer with a handful of words, made here; needs PyTorch and transformers."""

from pathlib import Path

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "sunny", "rainy", "day", "again"]


def make_tiny_encoder(folder: Path, layers: int = 1) -> Path:
    """Write its files to `folder`, and return it."""
    import torch
    import transformers

    (folder / "vocab.txt").write_text("\n".join(WORDS), "utf-8")
    transformers.BertTokenizer(str(folder / "vocab.txt"), model_max_length=64).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=layers, num_attention_heads=2, intermediate_size=16
    )
    transformers.BertModel(config).save_pretrained(folder)
    return folder
