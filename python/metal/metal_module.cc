// ttscope._metal: simulated chips for the stand-in of ttnn. Errors are RuntimeError.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <ttscope_host/profiled_ops.h>
#include <tt_metal/host_api.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace py = pybind11;
using namespace tt::tt_metal;

namespace {

constexpr std::uint64_t kPageBytes = ttscope::ProfiledOps::kPageBytes;

/// The chips of a process are one simulation: one thread of Python at a time. Taken without the lock of
/// Python, or for as long as nothing below asks for that.
std::mutex simulation;
using Turn = std::lock_guard<std::mutex>;

/// Devices that are opened and closed together.
class Mesh {
 public:
  Mesh(std::uint32_t rows, std::uint32_t columns) {
    const Turn turn(simulation);
    mesh_ = distributed::MeshDevice::create({rows, columns});
    ops_ = std::make_unique<ttscope::ProfiledOps>(mesh_->get_devices());
  }
  ~Mesh() {
    const Turn turn(simulation);
    ops_.reset();
    mesh_.reset();
  }
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;

  std::size_t size() const {
    const Turn turn(simulation);
    return mesh_->get_devices().size();
  }
  int id(std::size_t index) const {
    const Turn turn(simulation);
    return device(index)->id();
  }
  std::pair<std::size_t, std::size_t> grid(std::size_t index) const {
    const Turn turn(simulation);
    const CoreCoord size = device(index)->compute_with_storage_grid_size();
    return {size.x, size.y};
  }
  std::string arch(std::size_t index) const {
    const Turn turn(simulation);
    return device(index)->arch() == tt::ARCH::BLACKHOLE ? "blackhole" : "wormhole_b0";
  }
  void run(const ttscope::ProfiledOp& op) {
    const Turn turn(simulation);
    if (!ops_) throw std::runtime_error("the mesh is closed");
    ops_->run(op);
  }
  void finish() {
    const Turn turn(simulation);
    for (IDevice* one : mesh_->get_devices()) Finish(one->command_queue());
  }
  void read_profiler() {
    const Turn turn(simulation);
    ReadMeshDeviceProfilerResults(*mesh_);
  }
  void close() {
    const Turn turn(simulation);
    ops_.reset();
    mesh_->close();
  }
  std::shared_ptr<Buffer> buffer(std::size_t index, std::uint64_t bytes) {
    const Turn turn(simulation);
    const std::uint64_t pages = (bytes + kPageBytes - 1) / kPageBytes;
    std::shared_ptr<Buffer> made = CreateBuffer({device(index), pages * kPageBytes, kPageBytes});
    Buffer* const shown = made.get();
    // Python gives it back when it likes, and another thread may be running an op then: that is waited for
    // without the lock of Python, where this thread has it.
    return {shown, [made = std::move(made)](Buffer*) mutable {
              std::optional<py::gil_scoped_release> others_go_on;
              if (PyGILState_Check() == 1) others_go_on.emplace();
              const Turn end(simulation);
              made.reset();
            }};
  }
  std::uint32_t begin_trace(std::size_t index) {
    const Turn turn(simulation);
    return BeginTraceCapture(device(index), 0);
  }
  void end_trace(std::size_t index, std::uint32_t trace) {
    const Turn turn(simulation);
    EndTraceCapture(device(index), 0, trace);
  }
  void replay_trace(std::size_t index, std::uint32_t trace, bool blocking) {
    const Turn turn(simulation);
    ReplayTrace(device(index), 0, trace, blocking);
  }
  void release_trace(std::size_t index, std::uint32_t trace) {
    const Turn turn(simulation);
    ReleaseTrace(device(index), trace);
  }

 private:
  IDevice* device(std::size_t index) const {
    if (index >= mesh_->get_devices().size())
      throw std::runtime_error("the mesh is closed, or has no such device");
    return mesh_->get_devices()[index];
  }

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
  // Who waits for the simulation does not hold up Python.
  const auto alone = py::call_guard<py::gil_scoped_release>();
  py::class_<Mesh>(module, "Mesh")
      .def(py::init<std::uint32_t, std::uint32_t>(), py::arg("rows"), py::arg("columns"), alone)
      .def("__len__", &Mesh::size, alone)
      .def("id", &Mesh::id, alone)
      .def("grid", &Mesh::grid, alone)
      .def("arch", &Mesh::arch, alone)
      .def("run", &Mesh::run, alone)
      .def("finish", &Mesh::finish, alone)
      .def("read_profiler", &Mesh::read_profiler, alone)
      .def("close", &Mesh::close, alone)
      .def("buffer", &Mesh::buffer, alone)
      .def("begin_trace", &Mesh::begin_trace, alone)
      .def("end_trace", &Mesh::end_trace, alone)
      .def("replay_trace", &Mesh::replay_trace, alone)
      .def("release_trace", &Mesh::release_trace, alone);
}
