"""nano-GPT and TinyLlama, made of the layers of ttscope.train."""
from dataclasses import dataclass
from typing import Callable, List, Union

from ttscope import sim, train


@dataclass
class ModelConfig:
    """Sizes of a transformer, as the training configurations of tt-train give them."""

    name: str
    vocabulary: int
    sequence_length: int
    width: int
    heads: int
    groups: int
    blocks: int
    dropout: float = 0.0
    recompute: bool = False


# The vocabulary is that of characters, rounded up to whole tiles.
NANO_GPT = ModelConfig("nano-GPT", 96, 256, 384, 6, 6, 6, dropout=0.2)
TINY_LLAMA = ModelConfig("TinyLlama", 96, 2048, 2048, 32, 4, 22)


class GptBlock(train.Module):
    """Layer norm, attention and GELU."""

    def __init__(self, device: sim.Device, config: ModelConfig) -> None:
        width = config.width
        self.config = config
        self.ln1 = train.LayerNorm(device, width)
        self.qkv_linear = train.Linear(device, width, 3 * width)
        self.out_linear = train.Linear(device, width, width)
        self.ln2 = train.LayerNorm(device, width)
        self.fc1 = train.Linear(device, width, 4 * width)
        self.fc2 = train.Linear(device, 4 * width, width)

    def attend(self, x: train.Tensor, mask: train.Tensor) -> train.Tensor:
        query, key, value = train.create_heads(self.qkv_linear(x), self.config.heads)
        mixed = train.fuse_heads(train.attention(query, key, value, mask))
        return train.dropout(self.out_linear(mixed), self.config.dropout)

    def __call__(self, x: train.Tensor, mask: train.Tensor) -> train.Tensor:
        x = train.add(self.attend(self.ln1(x), mask), x)
        hidden = train.gelu(self.fc1(self.ln2(x)))
        return train.add(train.dropout(self.fc2(hidden), self.config.dropout), x)


class LlamaBlock(train.Module):
    """RMS norm, grouped queries with rotary positions, gated SiLU."""

    def __init__(self, device: sim.Device, config: ModelConfig, tables: train.RotaryTables) -> None:
        width, hidden = config.width, (int(4 * config.width * 2 / 3) + 255) // 256 * 256
        self.config = config
        self.tables = tables
        self.attention_norm = train.RmsNorm(device, width)
        self.q_linear = train.Linear(device, width, width, False)
        self.kv_linear = train.Linear(device, width, 2 * config.groups * (width // config.heads), False)
        self.out_linear = train.Linear(device, width, width, False)
        self.mlp_norm = train.RmsNorm(device, width)
        self.w1 = train.Linear(device, width, hidden, False)
        self.w3 = train.Linear(device, width, hidden, False)
        self.w2 = train.Linear(device, hidden, width, False)

    def attend(self, x: train.Tensor, mask: train.Tensor) -> train.Tensor:
        q, kv = self.q_linear(x), self.kv_linear(x)
        query, key, value = train.create_heads(q, kv, self.config.heads, self.config.groups)
        query = train.rotary_embedding(query, self.tables)
        key = train.rotary_embedding(key, self.tables)
        return self.out_linear(train.fuse_heads(train.attention(query, key, value, mask)))

    def __call__(self, x: train.Tensor, mask: train.Tensor) -> train.Tensor:
        x = train.add(self.attend(self.attention_norm(x), mask), x)
        normed = self.mlp_norm(x)
        gated = train.multiply(train.silu(self.w1(normed)), self.w3(normed))
        return train.add(self.w2(gated), x)


Block = Union[GptBlock, LlamaBlock]
Norm = Union[train.LayerNorm, train.RmsNorm]


def forward_of(block: Block, mask: train.Tensor) -> Callable[[train.Tensor], train.Tensor]:
    return lambda x: block(x, mask)


class LanguageModel(train.Module):
    """Tokens to logits; the subclasses make the blocks and the last norm."""

    blocks: List[Block]
    ln_fc: Norm

    def __init__(self, device: sim.Device, config: ModelConfig) -> None:
        self.config = config
        self.tok_emb = train.Embedding(device, config.vocabulary, config.width)
        self.fc = train.Linear(device, config.width, config.vocabulary, False)

    def embed(self, tokens: train.Tensor) -> train.Tensor:
        return self.tok_emb(tokens)

    def __call__(self, tokens: train.Tensor, mask: train.Tensor) -> train.Tensor:
        x = self.embed(tokens)
        for block in self.blocks:
            forward = forward_of(block, mask)
            x = train.recompute(forward, x) if self.config.recompute else forward(x)
        return self.fc(self.ln_fc(x))


class Gpt(LanguageModel):
    def __init__(self, device: sim.Device, config: ModelConfig) -> None:
        super().__init__(device, config)
        self.pos_emb = train.random_parameter(device, [1, 1, config.sequence_length, config.width])
        self.blocks = [GptBlock(device, config) for _ in range(config.blocks)]
        self.ln_fc = train.LayerNorm(device, config.width)

    def embed(self, tokens: train.Tensor) -> train.Tensor:
        return train.dropout(train.add(self.tok_emb(tokens), self.pos_emb), self.config.dropout)


class Llama(LanguageModel):
    def __init__(self, device: sim.Device, config: ModelConfig) -> None:
        super().__init__(device, config)
        tables = train.make_rotary_tables(device, config.sequence_length, config.width // config.heads)
        self.blocks = [LlamaBlock(device, config, tables) for _ in range(config.blocks)]
        self.ln_fc = train.RmsNorm(device, config.width)
