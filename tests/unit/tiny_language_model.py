"""A language model of two thousand random weights that writes words, saved as transformers does."""

from pathlib import Path

WORDS = "a story at sea tells that the old crew sails far home and then sleeps under stars ."
SPECIAL = ["<pad>", "<s>", "</s>", "<unk>"]


def save_tiny_model(folder: Path) -> Path:
    """Write the model and its tokenizer to `folder`."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    words = [*SPECIAL, *dict.fromkeys(WORDS.split())]
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(words)}, "<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", bos_token="<s>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(folder)
    torch.manual_seed(3)
    config = LlamaConfig(
        vocab_size=len(words),
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        # Large, so that what a word is followed by depends on what went before.
        initializer_range=0.5,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def base_model_row(model: str | Path, temperature: float = 1.0, top_p: float = 1.0) -> dict[str, object]:
    """Return the cells of a row for a model in full precision."""
    return {
        "name": "tiny",
        "published_name": "",
        "model": str(model),
        "quantisation": "none",
        "lora_rank": 2,
        "lora_alpha": 2,
        "lora_dropout": 0.0,
        "target_modules": "q_proj v_proj",
        "learning_rate": 0.01,
        "schedule": "constant",
        "warmup_steps": 0,
        "weight_decay": 0.0,
        "batch_size": 1,
        "gradient_accumulation": 1,
        "sequence_tokens": 8,
        "temperature": temperature,
        "top_p": top_p,
    }
