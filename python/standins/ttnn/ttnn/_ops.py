"""Ops: each is a program on all devices of its tensors, told as tt-metal tells it."""
import hashlib
import json
import os
import pathlib

from tracy import tracy_message
from tracy._marks import recorder

from ._device import _metal
from ._tensor import Tensor

_KERNELS = pathlib.Path(__file__).resolve().parent / "kernels"
_MOST_TURNS = 2000   # of a kernel: simulated chips run some million instructions a second
_MOST_PAGES = 32     # that a core moves
_GRID = (2, 2)       # cores of an op
_ROLES = ("reader", "writer", "compute")
_next_fallback = 1


def _is_on(name):
    return os.environ.get(name, "").startswith("1")


def _hash_of(code, inputs, output, attributes):
    text = repr((code, [(t.shape, t.dtype, t.layout) for t in inputs], output.shape, sorted(attributes.items())))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def _model(turns, inputs, output):
    """What the op would take at best: cycles of 1 GHz, bytes at 258 GiB/s."""
    moved = [t.size_bytes() for t in inputs + [output]]
    bandwidth = max(1, round(max(moved) / (258 * 2**30) * 1e9))
    ideal = max(turns, bandwidth, 1)
    return {"compute_ns": max(1, turns), "ideal_ns": ideal, "bandwidth_ns": bandwidth,
            "input_bws": [size / ideal for size in moved[:-1]], "output_bws": [moved[-1] / ideal]}


def _kernel_info():
    return {"compute_kernels": [{"math_fidelity": "HiFi4", "name": "compute", "source": str(_KERNELS / "compute.cpp")}],
            "datamovement_kernels": [{"name": name, "source": str(_KERNELS / (name + ".cpp"))} for name in ("reader", "writer")],
            "kernel_sizes": {}}


class _Op:
    """One call of an op."""

    def __init__(self, code, inputs, output, turns, attributes):
        self.code, self.inputs, self.output, self.attributes = code, inputs, output, attributes
        self.turns = max(1, min(_MOST_TURNS, turns))
        self.hash = _hash_of(code, inputs, output, attributes)

    def document(self, number, device_number, is_hit):
        text = {
            "attributes": {key: str(value) for key, value in self.attributes.items()} or None,
            "global_call_count": number,
            "input_tensors": [t.description(device_number) for t in self.inputs],
            "op_code": self.code,
            "optional_input_tensors": [],
            "output_tensors": [self.output.description(device_number)],
            "performance_model": _model(self.turns, self.inputs, self.output),
        }
        if device_number is None:
            return dict(text, op_type="python_fallback")
        return dict(text, op_type="tt_dnn_device", device_id=device_number, op_hash=self.hash, program_cache_hit=is_hit,
                    kernel_info=_kernel_info())

    def tell(self, device, number, device_number, is_hit):
        head = f'TT_DNN_DEVICE_OP: "{self.code}", {self.hash}, {device_number}, {str(is_hit).lower()}, {number}'
        known = (device_number, self.hash)
        if known in device.told and "TT_METAL_PROFILER_NO_CACHE_OP_INFO" not in os.environ:
            tracy_message(f"`{head}`")
            return
        device.told.add(known)
        body = json.dumps(self.document(number, device_number, is_hit), indent=4, sort_keys=True)
        tracy_message(f"`{head} ->\n{body}`")

    def program(self, device):
        """Made once for each kind of op."""
        if self.hash not in device.programs:
            recorder.zone_begin("CompileProgram", __file__, self.code, 0, 0)
            try:
                device.programs[self.hash] = _metal.Program([(str(_KERNELS / f"{role}.cpp"), role) for role in _ROLES], _GRID)
            finally:
                recorder.zone_end()
        return device.programs[self.hash]

    def arguments(self, device_index):
        """Of reader, writer and compute kernel: where the pages of a tensor are, how many, and on how many cores."""
        cores = _GRID[0] * _GRID[1]

        def moved(tensor):
            address = tensor.allocation.dram_address(device_index) if tensor.allocation else 0
            return [address, min(_MOST_PAGES * cores, tensor.pages()), cores]
        return [moved(self.inputs[0]), moved(self.output), [self.turns]]

    def run(self, device):
        is_hit = self.hash in device.programs
        base = device.next_id
        device.next_id += 1
        tells = _is_on("TTNN_OP_PROFILER")
        for i, device_number in enumerate(device.get_device_ids()):
            number = base << 10 | device_number
            recorder.zone_begin("TT_DNN_DEVICE_OP", __file__, self.code, 0, 0)
            try:
                program = self.program(device)
                recorder.zone_begin("EnqueueProgram", __file__, self.code, 0, 0)
                try:
                    device.native.enqueue(i, program, base, self.arguments(i))
                finally:
                    recorder.zone_end()
                if tells:
                    self.tell(device, number, device_number, is_hit)
                recorder.zone_text(f"id:{number}")
            finally:
                recorder.zone_end()

    def run_on_host(self):
        """An op of tensors that are on no device."""
        global _next_fallback
        number = 1 << 31 | _next_fallback << 10
        _next_fallback += 1
        recorder.zone_begin("TT_DNN_FALLBACK_OP", __file__, self.code, 0, 0)
        if _is_on("TTNN_OP_PROFILER"):
            body = json.dumps(self.document(number, None, False), indent=4, sort_keys=True)
            tracy_message(f'`TT_DNN_FALL_BACK_OP:"{self.code}" ->\n{body}`')
        recorder.zone_text(f"id:{number}")
        recorder.zone_end()


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
    op = _Op(code, tensors, output, turns, attributes)
    if device is None:
        op.run_on_host()
    else:
        op.run(device)
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
