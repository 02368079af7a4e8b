"""nano-GPT and TinyLlama, made of the layers of ttscope.train, in the order in which tt-train makes them."""
from dataclasses import dataclass
from typing import Callable, List, Optional, Union

from ttscope import sim, train

Mask = Optional[train.Tensor]


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
    intermediate: int = 0
    dropout: float = 0.0
    recompute: bool = False
    composite: bool = False

    @property
    def padded_vocabulary(self) -> int:
        return (self.vocabulary + 31) // 32 * 32

    @property
    def hidden_width(self) -> int:
        return self.intermediate or (4 * self.width * 2 // 3 + 255) // 256 * 256


# The vocabulary is that of characters, rounded up to whole tiles.
NANO_GPT = ModelConfig("nano-GPT", 96, 256, 384, 6, 6, 6, dropout=0.2)
TINY_LLAMA = ModelConfig("TinyLlama", 96, 2048, 2048, 32, 4, 22)


def attend(config: ModelConfig, query: train.Tensor, key: train.Tensor, value: train.Tensor, mask: Mask) -> train.Tensor:
    """Fused, or made of parts as tt-train had it before March 2026."""
    attention = train.attention_composite if config.composite else train.attention
    return train.fuse_heads(attention(query, key, value, mask))


class GptAttention(train.Module):
    def __init__(self, device: sim.Device, config: ModelConfig) -> None:
        self.config = config
        self.qkv_linear = train.Linear(device, config.width, 3 * config.width)
        self.out_linear = train.Linear(device, config.width, config.width)

    def __call__(self, x: train.Tensor, mask: Mask) -> train.Tensor:
        query, key, value = train.create_heads(self.qkv_linear(x), self.config.heads)
        mixed = attend(self.config, query, key, value, mask)
        return train.dropout(self.out_linear(mixed), self.config.dropout)


class GptMlp(train.Module):
    def __init__(self, device: sim.Device, config: ModelConfig) -> None:
        self.dropout = config.dropout
        self.fc1 = train.Linear(device, config.width, 4 * config.width)
        self.fc2 = train.Linear(device, 4 * config.width, config.width)

    def __call__(self, x: train.Tensor) -> train.Tensor:
        hidden = self.fc1(x)
        hidden = train.gelu(hidden)
        hidden = self.fc2(hidden)
        return train.dropout(hidden, self.dropout)


class GptBlock(train.Module):
    """Layer norm, attention and GELU."""

    def __init__(self, device: sim.Device, config: ModelConfig) -> None:
        self.ln1 = train.LayerNorm(device, config.width)
        self.ln2 = train.LayerNorm(device, config.width)
        self.attention = GptAttention(device, config)
        self.mlp = GptMlp(device, config)

    def __call__(self, x: train.Tensor, mask: Mask) -> train.Tensor:
        # A tensor is dropped where the next one replaces it, as in tt-train.
        attended = self.ln1(x)
        attended = self.attention(attended, mask)
        attended = train.add(attended, x)
        mixed = self.ln2(attended)
        mixed = self.mlp(mixed)
        return train.add(mixed, attended)


class GroupedAttention(train.Module):
    """Grouped queries with rotary positions."""

    def __init__(self, device: sim.Device, config: ModelConfig, tables: train.RotaryTables) -> None:
        self.config = config
        self.tables = tables
        key_value_width = 2 * config.groups * (config.width // config.heads)
        self.q_linear = train.Linear(device, config.width, config.width, False)
        self.kv_linear = train.Linear(device, config.width, key_value_width, False)
        self.out_linear = train.Linear(device, config.width, config.width, False)

    def __call__(self, x: train.Tensor, mask: Mask) -> train.Tensor:
        q, kv = self.q_linear(x), self.kv_linear(x)
        query, key, value = train.create_heads(q, kv, self.config.heads, self.config.groups)
        query = train.rotary_embedding(query, self.tables)
        key = train.rotary_embedding(key, self.tables)
        mixed = attend(self.config, query, key, value, mask)
        return train.dropout(self.out_linear(mixed), self.config.dropout)


class GatedLayer(train.Module):
    """Gated SiLU, in one operation unless it is made of parts."""

    def __init__(self, device: sim.Device, config: ModelConfig) -> None:
        self.config = config
        self.w1 = train.Linear(device, config.width, config.hidden_width, False)
        self.w3 = train.Linear(device, config.width, config.hidden_width, False)
        self.w2 = train.Linear(device, config.hidden_width, config.width, False)

    def __call__(self, x: train.Tensor) -> train.Tensor:
        if not self.config.composite:
            return train.swiglu(x, self.w1.weight, self.w2.weight, self.w3.weight, self.config.dropout)
        gate, up = train.silu(self.w1(x)), self.w3(x)
        gated = train.multiply(gate, up)
        gated = self.w2(gated)
        return train.dropout(gated, self.config.dropout)


class LlamaBlock(train.Module):
    """RMS norm, grouped queries, gated SiLU."""

    def __init__(self, device: sim.Device, config: ModelConfig, tables: train.RotaryTables) -> None:
        self.mlp = GatedLayer(device, config)
        self.attention_norm = train.RmsNorm(device, config.width)
        self.mlp_norm = train.RmsNorm(device, config.width)
        self.attention = GroupedAttention(device, config, tables)

    def __call__(self, x: train.Tensor, mask: Mask) -> train.Tensor:
        attended = self.attention_norm(x)
        attended = self.attention(attended, mask)
        attended = train.add(attended, x)
        gated = self.mlp_norm(attended)
        gated = self.mlp(gated)
        return train.add(gated, attended)


Block = Union[GptBlock, LlamaBlock]
Norm = Union[train.LayerNorm, train.RmsNorm]


def forward_of(block: Block, mask: Mask) -> Callable[[train.Tensor], train.Tensor]:
    return lambda x: block(x, mask)


class LanguageModel(train.Module):
    """Tokens to logits; the subclasses make the blocks and the last norm."""

    layers: List[Block]
    ln_fc: Norm

    def __init__(self, device: sim.Device, config: ModelConfig) -> None:
        self.config = config
        self.fc = train.Linear(device, config.width, config.padded_vocabulary, False)
        self.tok_emb = train.Embedding(device, config.padded_vocabulary, config.width)

    def embed(self, tokens: train.Tensor) -> train.Tensor:
        return self.tok_emb(tokens)

    def __call__(self, tokens: train.Tensor, mask: Mask) -> train.Tensor:
        x = self.embed(tokens)
        for block in self.layers:
            forward = forward_of(block, mask)
            x = train.recompute(forward, x) if self.config.recompute else forward(x)
        return self.fc(self.ln_fc(x))


class Gpt(LanguageModel):
    def __init__(self, device: sim.Device, config: ModelConfig) -> None:
        super().__init__(device, config)
        self.pos_emb = train.random_parameter(device, [1, 1, config.sequence_length, config.width])
        self.layers = [GptBlock(device, config) for _ in range(config.blocks)]
        self.ln_fc = train.LayerNorm(device, config.width)
        self.name_memory()

    def embed(self, tokens: train.Tensor) -> train.Tensor:
        return train.dropout(train.add(self.tok_emb(tokens), self.pos_emb), self.config.dropout)


class Llama(LanguageModel):
    def __init__(self, device: sim.Device, config: ModelConfig) -> None:
        super().__init__(device, config)
        tables = train.make_rotary_tables(device, config.sequence_length, config.width // config.heads)
        self.layers = [LlamaBlock(device, config, tables) for _ in range(config.blocks)]
        self.ln_fc = train.RmsNorm(device, config.width)
        self.name_memory()
