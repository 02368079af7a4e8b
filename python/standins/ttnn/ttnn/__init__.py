"""A stand-in for ttnn where tt-metal is absent: the calls that a profiled script makes, on simulated chips.

Tensors know their shape, type and place; their values are kept where they were given (as whatever supports + - * @, such as numpy
arrays) and not computed by the chips, which run kernels of about the right length. The tracing of ops, devices and memory is that of
tt-metal: `ttscope trace -p -r script.py`.
"""
from tracy import start_tracy_zone, stop_tracy_zone, tracy_message
from tracy._marks import frame_mark as _frame_mark

from ._device import (CreateDevice, MeshDevice, MeshShape, ReadDeviceProfiler, begin_trace_capture, close_device, close_mesh_device,
                      end_trace_capture, execute_trace, open_device, open_mesh_device, release_trace, synchronize_device)
from ._ops import (add, gelu, layer_norm, linear, matmul, mul, multiply, relu, reshape, softmax, sub, subtract)
from ._tensor import (DRAM_MEMORY_CONFIG, L1_MEMORY_CONFIG, ROW_MAJOR_LAYOUT, TILE_LAYOUT, MemoryConfig, Tensor, bfloat16, bfloat8_b,
                      deallocate, float32, from_numpy, from_torch, full, ones, rand, to_device, to_numpy, to_torch, uint32, zeros)

is_stand_in = True


def tracy_frame():
    _frame_mark()
