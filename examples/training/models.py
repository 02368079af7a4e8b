"""nano-GPT and TinyLlama, by the sizes that tt-train's configurations give."""
from ttscope import train


def nano_gpt() -> train.ModelConfig:
    config = train.ModelConfig()
    config.name = "nano-GPT"
    config.family = train.ModelFamily.GPT
    config.vocabulary = 96  # characters, rounded up to whole tiles
    config.sequence_length = 256
    config.width = 384
    config.heads = 6
    config.blocks = 6
    config.dropout = 0.2
    return config


def tiny_llama() -> train.ModelConfig:
    config = train.ModelConfig()
    config.name = "TinyLlama"
    config.family = train.ModelFamily.LLAMA
    config.vocabulary = 96
    config.sequence_length = 2048
    config.width = 2048
    config.heads = 32
    config.groups = 4
    config.blocks = 22
    return config
