"""The complete example of a profiled script: warm-up, measurement, signposts, the profiler read at the end.

    ttscope trace -p -r examples/trace/model.py
"""
import sys

import ttnn
from tracy import Profiler, signpost


def model(inputs, weights):
    hidden = ttnn.gelu(ttnn.matmul(inputs, weights))
    return ttnn.softmax(hidden + inputs)


def run_model_with_profiling(mesh_device, num_warmup=2, num_iterations=10):
    inputs = ttnn.ones((64, 64), device=mesh_device)
    weights = ttnn.ones((64, 64), device=mesh_device)
    profiler = Profiler()
    signpost("Warmup Phase Start", f"Running {num_warmup} warmup iterations")
    for _ in range(num_warmup):
        model(inputs, weights)
    ttnn.synchronize_device(mesh_device)
    signpost("Warmup Phase End")

    signpost("Measurement Phase Start", f"Running {num_iterations} measured iterations")
    profiler.enable()
    for i in range(num_iterations):
        if i % 10 == 0:
            signpost(f"Iteration {i}")
        result = model(inputs, weights)
    ttnn.synchronize_device(mesh_device)
    profiler.disable()
    signpost("Measurement Phase End")
    ttnn.ReadDeviceProfiler(mesh_device)
    return result


if __name__ == "__main__":
    mesh_device = ttnn.open_mesh_device(ttnn.MeshShape(1, 1))
    ttnn.tracy_message("Starting batch processing", color=0xFF0000)
    ttnn.start_tracy_zone("model.py", "MY_CUSTOM_ZONE", line_number=42)
    result = run_model_with_profiling(mesh_device)
    ttnn.stop_tracy_zone("MY_CUSTOM_ZONE", color=0x00FF00)
    print("shape", result.shape, "arguments", sys.argv[1:])
    mesh_device.close()
