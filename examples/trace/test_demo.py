"""A test of a model, profiled as pytest runs it:

    python -m tracy -p -r -v -m pytest examples/trace/test_demo.py::test_demo
"""
import ttnn
from tracy import signpost


def attention(queries, keys, values):
    return ttnn.matmul(ttnn.softmax(ttnn.matmul(queries, keys)), values)


def test_demo():
    with ttnn.open_mesh_device(ttnn.MeshShape(1, 1)) as mesh_device:
        tensor = ttnn.ones((64, 64), device=mesh_device)
        signpost("Demo Start")
        result = attention(tensor, tensor, tensor)
        signpost("Demo End")
        assert tuple(result.shape) == (64, 64)
