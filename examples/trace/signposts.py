"""Warm-up and measurement kept apart by signposts, which reports and timelines show:

    ttscope trace -p -r examples/trace/signposts.py
    ttscope perf generated/profiler --start-signpost "Measurement Start" --end-signpost "Measurement End"
"""
import ttnn
from tracy import signpost

mesh_device = ttnn.open_mesh_device(ttnn.MeshShape(1, 1))
input_tensor = ttnn.ones((64, 64), device=mesh_device)


def model(tensor):
    return ttnn.relu(ttnn.matmul(tensor, tensor))


signpost("Warmup Start")
for _ in range(5):
    model(input_tensor)

signpost("Measurement Start", "Beginning timed runs")
for _ in range(10):
    model(input_tensor)
signpost("Measurement End")

mesh_device.close()
