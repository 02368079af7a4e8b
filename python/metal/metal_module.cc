// ttscope._metal: simulated chips for the stand-in of ttnn. Errors are RuntimeError.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <ttscope_host/profiled_ops.h>
#include <tt_metal/host_api.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace py = pybind11;
using namespace tt::tt_metal;

namespace {

constexpr std::uint64_t kPageBytes = 2048;

/// Devices that are opened and closed together.
class Mesh {
 public:
  Mesh(std::uint32_t rows, std::uint32_t columns)
      : mesh_(distributed::MeshDevice::create({rows, columns})),
        ops_(std::make_unique<ttscope::ProfiledOps>(mesh_->get_devices())) {}

  std::size_t size() const { return mesh_->get_devices().size(); }
  IDevice* device(std::size_t index) const {
    if (index >= size()) throw std::runtime_error("the mesh is closed, or has no such device");
    return mesh_->get_devices()[index];
  }
  int id(std::size_t index) const { return device(index)->id(); }
  std::pair<std::size_t, std::size_t> grid(std::size_t index) const {
    const CoreCoord size = device(index)->compute_with_storage_grid_size();
    return {size.x, size.y};
  }
  std::string arch(std::size_t index) const {
    return device(index)->arch() == tt::ARCH::BLACKHOLE ? "blackhole" : "wormhole_b0";
  }
  void run(const ttscope::ProfiledOp& op) {
    if (!ops_) throw std::runtime_error("the mesh is closed");
    ops_->run(op);
  }
  void finish() {
    for (std::size_t i = 0; i < size(); ++i) Finish(device(i)->command_queue());
  }
  void read_profiler() { ReadMeshDeviceProfilerResults(*mesh_); }
  void close() {
    ops_.reset();
    mesh_->close();
  }
  std::shared_ptr<Buffer> buffer(std::size_t index, std::uint64_t bytes) {
    const std::uint64_t pages = (bytes + kPageBytes - 1) / kPageBytes;
    return CreateBuffer({device(index), pages * kPageBytes, kPageBytes});
  }
  std::uint32_t begin_trace(std::size_t index) { return BeginTraceCapture(device(index), 0); }
  void end_trace(std::size_t index, std::uint32_t trace) { EndTraceCapture(device(index), 0, trace); }
  void replay_trace(std::size_t index, std::uint32_t trace, bool blocking) {
    ReplayTrace(device(index), 0, trace, blocking);
  }
  void release_trace(std::size_t index, std::uint32_t trace) { ReleaseTrace(device(index), trace); }

 private:
  std::shared_ptr<distributed::MeshDevice> mesh_;
  std::unique_ptr<ttscope::ProfiledOps> ops_;
};

/// Tensors and ops as the stand-in describes them: a value for each member.
void add_descriptions(py::module_& module) {
  using ttscope::ProfiledOp;
  using ttscope::ProfiledTensor;
  py::class_<ProfiledTensor>(module, "OpTensor")
      .def(py::init<>())
      .def_readwrite("shape", &ProfiledTensor::shape)
      .def_readwrite("padded", &ProfiledTensor::padded)
      .def_readwrite("dtype", &ProfiledTensor::dtype)
      .def_readwrite("layout", &ProfiledTensor::layout)
      .def_readwrite("buffer_type", &ProfiledTensor::buffer_type)
      .def_readwrite("memory_layout", &ProfiledTensor::memory_layout)
      .def_readwrite("bytes", &ProfiledTensor::bytes)
      .def_readwrite("dram_addresses", &ProfiledTensor::dram_addresses);
  py::class_<ProfiledOp>(module, "Op")
      .def(py::init<>())
      .def_readwrite("code", &ProfiledOp::code)
      .def_readwrite("attributes", &ProfiledOp::attributes)
      .def_readwrite("inputs", &ProfiledOp::inputs)
      .def_readwrite("outputs", &ProfiledOp::outputs)
      .def_readwrite("hash", &ProfiledOp::hash)
      .def_readwrite("turns", &ProfiledOp::turns)
      .def_readwrite("compute_ns", &ProfiledOp::compute_ns)
      .def("run_on_host", [](const ProfiledOp& op) { ttscope::ProfiledOps::run_on_host(op); });
}

}  // namespace

PYBIND11_MODULE(_metal, module) {
  module.doc() = "Simulated chips under the names of tt-metal's host API.";
  add_descriptions(module);
  py::class_<Buffer, std::shared_ptr<Buffer>>(module, "Buffer")
      .def_property_readonly("address", &Buffer::address)
      .def_property_readonly("size", &Buffer::size);
  const auto long_one = py::call_guard<py::gil_scoped_release>();
  py::class_<Mesh>(module, "Mesh")
      .def(py::init<std::uint32_t, std::uint32_t>(), py::arg("rows"), py::arg("columns"))
      .def("__len__", &Mesh::size)
      .def("id", &Mesh::id)
      .def("grid", &Mesh::grid)
      .def("arch", &Mesh::arch)
      .def("run", &Mesh::run, long_one)
      .def("finish", &Mesh::finish, long_one)
      .def("read_profiler", &Mesh::read_profiler, long_one)
      .def("close", &Mesh::close, long_one)
      .def("buffer", &Mesh::buffer)
      .def("begin_trace", &Mesh::begin_trace)
      .def("end_trace", &Mesh::end_trace)
      .def("replay_trace", &Mesh::replay_trace, long_one)
      .def("release_trace", &Mesh::release_trace);
}
