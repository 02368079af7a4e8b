"""Devices: simulated chips of ttscope."""
import os
import weakref

from tracy import _other_python

try:
    from ttscope import _metal
except ImportError as error:
    raise ImportError(f"the stand-in of ttnn needs the Python package ttscope: {_other_python.reason('_metal', error)}") from None


class MeshShape:
    def __init__(self, rows=1, columns=1):
        self.rows, self.columns = int(rows), int(columns)

    def __iter__(self):
        return iter((self.rows, self.columns))


class MeshDevice:
    """One or several chips that run the same ops."""

    def __init__(self, shape):
        self.shape = shape
        # As many chips as are asked for, unless the user says which machine this is.
        os.environ.setdefault("TTSCOPE_CHIPS", str(shape.rows * shape.columns))
        self.native = _metal.Mesh(shape.rows, shape.columns)
        self.traces = {}
        # What was read is written when a device is closed: also one that is left open at the end of Python, or lost.
        self.close_once = weakref.finalize(self, self.native.close)

    def get_num_devices(self):
        return len(self.native)

    def get_device_ids(self):
        return [self.native.id(i) for i in range(len(self.native))]

    def compute_with_storage_grid_size(self):
        return self.native.grid(0)

    def arch(self):
        return self.native.arch(0)

    def id(self):
        return self.native.id(0)

    def close(self):
        self.close_once()

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.close()


def open_mesh_device(mesh_shape=None, *_more, **_named):
    """`mesh_shape`: a MeshShape, a pair, or nothing for one chip. What else real devices are told has no meaning here."""
    shape = mesh_shape if mesh_shape is not None else MeshShape(1, 1)
    if not isinstance(shape, MeshShape):
        shape = MeshShape(*shape)
    return MeshDevice(shape)


def open_device(device_id=0, **_named):
    if device_id != 0:
        raise RuntimeError(f"device {device_id}: a stand-in opens devices from 0 on; use open_mesh_device for several")
    return MeshDevice(MeshShape(1, 1))


CreateDevice = open_device


def close_mesh_device(device):
    device.close()


close_device = close_mesh_device


def synchronize_device(device, *_more, **_named):
    device.native.finish()


def ReadDeviceProfiler(device):
    """Takes the profiler's markers from the device and empties its buffers."""
    device.native.read_profiler()


def begin_trace_capture(device, cq_id=0, **_named):
    numbers = [device.native.begin_trace(i) for i in range(len(device.native))]
    device.traces[numbers[0]] = numbers
    return numbers[0]


def end_trace_capture(device, trace_id, cq_id=0, **_named):
    for i, number in enumerate(device.traces[trace_id]):
        device.native.end_trace(i, number)


def execute_trace(device, trace_id, cq_id=0, blocking=True, **_named):
    for i, number in enumerate(device.traces[trace_id]):
        device.native.replay_trace(i, number, blocking)


def release_trace(device, trace_id):
    for i, number in enumerate(device.traces.pop(trace_id)):
        device.native.release_trace(i, number)
