"""Tensors: shapes, types and places, and the values that they were given."""
import os

from tracy._marks import recorder

from ._device import _metal

_BYTES = {"BFLOAT16": 2, "FLOAT32": 4, "BFLOAT8_B": 1, "UINT32": 4}
bfloat16, float32, bfloat8_b, uint32 = "BFLOAT16", "FLOAT32", "BFLOAT8_B", "UINT32"
TILE_LAYOUT, ROW_MAJOR_LAYOUT = "TILE", "ROW_MAJOR"
_TILE = 32


class MemoryConfig:
    def __init__(self, memory_layout="INTERLEAVED", buffer_type="DRAM"):
        self.memory_layout, self.buffer_type = memory_layout, buffer_type


DRAM_MEMORY_CONFIG = MemoryConfig(buffer_type="DRAM")
L1_MEMORY_CONFIG = MemoryConfig(buffer_type="L1")

_next_l1 = 0x20000


class _Allocation:
    """Memory on each device of a mesh; the memory profiler is told (of buffers in DRAM by the devices themselves)."""

    def __init__(self, device, buffer_type, size):
        global _next_l1
        self.buffers, self.told = [], []
        if buffer_type == "DRAM":
            self.buffers = [device.native.buffer(i, size) for i in range(device.get_num_devices())]
            return
        if os.environ.get("TT_METAL_MEM_PROFILER", "").startswith("1"):
            self.told = [(_next_l1, f"Device {number} {buffer_type}") for number in device.get_device_ids()]
            for address, pool in self.told:
                recorder.alloc(address, size, pool)
        _next_l1 += (size + 31) // 32 * 32

    def free(self):
        for address, pool in self.told:
            recorder.free(address, pool)
        self.told, self.buffers = [], []

    __del__ = free


class Tensor:
    def __init__(self, shape, dtype=bfloat16, layout=TILE_LAYOUT, values=None):
        self.shape = tuple(int(n) for n in shape)
        self.dtype, self.layout, self.values = dtype, layout, values
        self.device_, self.memory_config, self.allocation = None, None, None

    def placed_on(self, device, memory_config=None):
        self.device_, self.memory_config = device, memory_config or DRAM_MEMORY_CONFIG
        self.allocation = _Allocation(device, self.memory_config.buffer_type, self.size_bytes())
        return self

    def device(self):
        return self.device_

    def padded(self):
        """Four dimensions, with the last two in whole tiles."""
        four = (1,) * (4 - len(self.shape)) + self.shape[-4:]
        if self.layout != TILE_LAYOUT:
            return four, four
        up = lambda n: (n + _TILE - 1) // _TILE * _TILE
        return four, four[:2] + (up(four[2]), up(four[3]))

    def tiles(self):
        _, padded = self.padded()
        count = 1
        for n in padded:
            count *= n
        return max(1, count // (_TILE * _TILE))

    def size_bytes(self):
        return self.tiles() * _TILE * _TILE * _BYTES.get(self.dtype, 2)

    def description(self):
        """As op messages have it."""
        told = _metal.OpTensor()
        told.shape, told.padded = self.padded()
        told.dtype, told.layout, told.bytes = self.dtype, self.layout, self.size_bytes()
        told.buffer_type = ""
        if self.device_ is not None:
            told.buffer_type, told.memory_layout = self.memory_config.buffer_type, self.memory_config.memory_layout
        if self.allocation is not None:
            told.dram_addresses = [buffer.address for buffer in self.allocation.buffers]
        return told

    def __add__(self, other):
        from . import _ops
        return _ops.add(self, other)

    def __mul__(self, other):
        from . import _ops
        return _ops.multiply(self, other)

    def __sub__(self, other):
        from . import _ops
        return _ops.subtract(self, other)

    def __matmul__(self, other):
        from . import _ops
        return _ops.matmul(self, other)

    def __repr__(self):
        return f"ttnn.Tensor(shape={self.shape}, dtype={self.dtype}, layout={self.layout})"


def from_torch(values, dtype=bfloat16, layout=TILE_LAYOUT, device=None, memory_config=None, **_named):
    tensor = Tensor(tuple(values.shape), dtype, layout, values)
    return tensor if device is None else tensor.placed_on(device, memory_config)


from_numpy = from_torch


def to_torch(tensor, *_more, **_named):
    return tensor.values


to_numpy = to_torch


def to_device(tensor, device, memory_config=None):
    return Tensor(tensor.shape, tensor.dtype, tensor.layout, tensor.values).placed_on(device, memory_config)


def full(shape, fill_value, dtype=bfloat16, layout=TILE_LAYOUT, device=None, memory_config=None):
    tensor = Tensor(shape, dtype, layout)
    return tensor if device is None else tensor.placed_on(device, memory_config)


def ones(shape, dtype=bfloat16, layout=TILE_LAYOUT, device=None, memory_config=None):
    return full(shape, 1, dtype, layout, device, memory_config)


def zeros(shape, dtype=bfloat16, layout=TILE_LAYOUT, device=None, memory_config=None):
    return full(shape, 0, dtype, layout, device, memory_config)


def rand(shape, dtype=bfloat16, layout=TILE_LAYOUT, device=None, memory_config=None):
    return full(shape, 0, dtype, layout, device, memory_config)


def deallocate(tensor, *_more):
    if tensor.allocation is not None:
        tensor.allocation.free()
        tensor.allocation = None
