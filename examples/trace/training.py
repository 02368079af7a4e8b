"""A long workload: the profiler is read after each epoch, so that its buffers never overflow.

    TT_METAL_PROFILER_MID_RUN_DUMP=1 ttscope trace -p -r examples/trace/training.py
"""
import sys

import ttnn

epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
mesh_device = ttnn.open_mesh_device(ttnn.MeshShape(1, 1))
weights = ttnn.ones((64, 64), device=mesh_device)


def train_step(batch):
    hidden = ttnn.relu(ttnn.matmul(batch, weights))
    return ttnn.multiply(hidden, batch)


for epoch in range(epochs):
    for _ in range(10):
        loss = train_step(weights)
    ttnn.ReadDeviceProfiler(mesh_device)
    print(f"Epoch {epoch} complete, profiler data captured")
mesh_device.close()
