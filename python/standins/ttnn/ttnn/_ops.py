"""Ops: each is a program on all devices of its tensors, told as tt-metal tells it."""
import hashlib

from ._device import _metal
from ._tensor import Tensor


_MOST_TURNS = 2000  # of a kernel: simulated chips are slow


def _hash_of(code, inputs, output, attributes):
    text = repr((code, [(t.shape, t.dtype, t.layout) for t in inputs], output.shape, sorted(attributes.items())))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def _described(code, inputs, output, turns, attributes):
    op = _metal.Op()
    op.code, op.hash = code, _hash_of(code, inputs, output, attributes)
    # At best a turn is a cycle of 1 ns. Kernels take about four: they reach a quarter of what arithmetic allows.
    op.compute_ns = max(1, turns)
    op.turns = min(_MOST_TURNS, op.compute_ns)
    op.attributes = {key: str(value) for key, value in attributes.items()}
    op.inputs = [t.description() for t in inputs]
    op.outputs = [output.description()]
    return op


def _run(code, inputs, shape, turns, compute=None, **attributes):
    tensors = [t for t in inputs if isinstance(t, Tensor)]
    first = tensors[0]
    values = None
    if compute is not None and all(t.values is not None for t in tensors):
        values = compute(*[t.values if isinstance(t, Tensor) else t for t in inputs])
    output = Tensor(shape, first.dtype, first.layout, values)
    device = next((t.device_ for t in tensors if t.device_ is not None), None)
    if device is not None:
        output.placed_on(device, attributes.pop("memory_config", None) or first.memory_config)
    op = _described(code, tensors, output, turns, attributes)
    if device is None:
        op.run_on_host()
    else:
        device.native.run(op)
    return output


def _wider(a, b):
    if not isinstance(b, Tensor):
        return a.shape
    return a.shape if a.tiles() >= b.tiles() else b.shape


def _binary(name, compute):
    def op(a, b, *, memory_config=None, **_named):
        return _run("BinaryNgDeviceOperation", [a, b], _wider(a, b), 8 * a.tiles(), compute, binary_op_type=f"BinaryOpType::{name}",
                    **({"memory_config": memory_config} if memory_config else {}))
    op.__name__ = op.__qualname__ = name.lower()
    return op


add = _binary("ADD", lambda a, b: a + b)
subtract = _binary("SUB", lambda a, b: a - b)
multiply = _binary("MUL", lambda a, b: a * b)
sub, mul = subtract, multiply


def matmul(a, b, *, memory_config=None, **_named):
    shape = a.shape[:-1] + (b.shape[-1],)
    turns = 16 * a.tiles() * max(1, b.shape[-1] // 32)
    return _run("MatmulDeviceOperation", [a, b], shape, turns, lambda x, y: x @ y, transpose_b="false",
                **({"memory_config": memory_config} if memory_config else {}))


def linear(a, weight, *, bias=None, **named):
    result = matmul(a, weight, **named)
    return result if bias is None else add(result, bias)


def _unary(code, kind, turns_of_a_tile):
    def op(a, *_more, **_named):
        return _run(code, [a], a.shape, turns_of_a_tile * a.tiles(), None, op_type=kind)
    op.__name__ = op.__qualname__ = kind.lower()
    return op


relu = _unary("UnaryDeviceOperation", "RELU", 6)
gelu = _unary("UnaryDeviceOperation", "GELU", 20)
softmax = _unary("SoftmaxDeviceOperation", "SOFTMAX", 40)
layer_norm = _unary("LayerNormDeviceOperation", "LAYER_NORM", 40)


def reshape(a, shape):
    return _run("ReshapeViewDeviceOperation", [a], shape, 4 * a.tiles(), None)
