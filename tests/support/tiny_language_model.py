"""A language model of a few thousand parameters, with a tokenizer of a few words, made from a seed."""

from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("peft")

from tokenizers import Tokenizer, models, pre_tokenizers, processors  # noqa: E402

from textparity_studies.propagation.base_models import BaseModelRow  # noqa: E402

WORDS = ["<pad>", "<s>", "</s>", "<unk>", "the", "king", "queen", "walks", "sleeps", "she", "he", "."]
ROW = BaseModelRow(
    name="tiny", published_name="", steps="5", model="tiny", quantisation="none", lora_rank=2, lora_alpha=4,
    lora_dropout=0.1, target_modules="q_proj v_proj down_proj", learning_rate=0.01, schedule="linear",
    warmup_steps=0, weight_decay=0.01,
    batch_size=2, gradient_accumulation=2, sequence_tokens=8, temperature=1.0, top_p=1.0, pieces="packed",
)  # fmt: skip


def write_tiny_model(folder):
    """Write the model to `folder`, and return its row."""
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing("<s> $A", special_tokens=[("<s>", 1)])
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<unk>"
    ).save_pretrained(folder)
    torch.manual_seed(0)
    # bitsandbytes packs layers of multiples of 64 alone on processors with AVX512-BF16.
    config = transformers.LlamaConfig(
        vocab_size=len(WORDS), hidden_size=64, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=2, bos_token_id=1, eos_token_id=2, pad_token_id=0,
    )  # fmt: skip
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    return replace(ROW, model=str(folder))
