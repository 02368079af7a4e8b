// ttscope._metal: simulated chips for the stand-in of ttnn. Errors are RuntimeError.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <tt_metal/host_api.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace py = pybind11;
using namespace tt::tt_metal;

namespace {

constexpr std::uint32_t kPageBytes = 2048;

/// One kernel of a program as Python says it: its file, where it runs (`reader`, `writer`, `compute`).
using KernelWords = std::pair<std::string, std::string>;

KernelConfig config_of(const std::string& role) {
  if (role == "compute") return ComputeConfig{};
  DataMovementConfig config;
  if (role == "writer") {
    config.processor = DataMovementProcessor::RISCV_1;
  } else if (role != "reader") {
    throw std::runtime_error("kernel role " + role + ": expected reader, writer or compute");
  }
  return config;
}

/// Kernels on a grid of cores, and a circular buffer of two pages on each.
class OpProgram {
 public:
  OpProgram(const std::vector<KernelWords>& kernels, std::pair<std::size_t, std::size_t> grid)
      : program_(CreateProgram()), cores_(cores_of(grid)) {
    CreateCircularBuffer(program_, cores_,
                         {.index = 0, .total_bytes = 2 * kPageBytes, .page_bytes = kPageBytes});
    for (const auto& [file, role] : kernels)
      kernels_.push_back(CreateKernel(program_, file, cores_, config_of(role)));
  }

  /// What each kernel is told, in their order; its first argument on a core is the number of the core.
  void set_arguments(const std::vector<std::vector<std::uint32_t>>& of_kernels) {
    if (of_kernels.size() != kernels_.size())
      throw std::runtime_error("a list of arguments for each kernel is needed");
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      std::uint32_t number = 0;
      for (std::size_t y = cores_.start_coord.y; y <= cores_.end_coord.y; ++y) {
        for (std::size_t x = cores_.start_coord.x; x <= cores_.end_coord.x; ++x) {
          std::vector<std::uint32_t> words = {number++};
          words.insert(words.end(), of_kernels[i].begin(), of_kernels[i].end());
          SetRuntimeArgs(program_, kernels_[i], CoreCoord{x, y}, words);
        }
      }
    }
  }
  Program& program() { return program_; }

 private:
  static CoreRange cores_of(std::pair<std::size_t, std::size_t> grid) {
    if (grid.first == 0 || grid.second == 0) throw std::runtime_error("a program needs cores");
    return CoreRange({0, 0}, {grid.first - 1, grid.second - 1});
  }

  Program program_;
  CoreRange cores_;
  std::vector<KernelHandle> kernels_;
};

/// Devices that are opened and closed together.
class Mesh {
 public:
  Mesh(std::uint32_t rows, std::uint32_t columns) : mesh_(distributed::MeshDevice::create({rows, columns})) {}

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
  void enqueue(std::size_t index, OpProgram& op, std::uint64_t runtime_id,
               const std::vector<std::vector<std::uint32_t>>& arguments) {
    op.set_arguments(arguments);
    op.program().set_runtime_id(runtime_id);
    EnqueueProgram(device(index)->command_queue(), op.program(), false);
  }
  void finish() {
    for (std::size_t i = 0; i < size(); ++i) Finish(device(i)->command_queue());
  }
  void read_profiler() { ReadMeshDeviceProfilerResults(*mesh_); }
  void close() { mesh_->close(); }
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
};

}  // namespace

PYBIND11_MODULE(_metal, module) {
  module.doc() = "Simulated chips under the names of tt-metal's host API.";
  py::class_<OpProgram>(module, "Program")
      .def(py::init<const std::vector<KernelWords>&, std::pair<std::size_t, std::size_t>>(),
           py::arg("kernels"), py::arg("grid"));
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
      .def("enqueue", &Mesh::enqueue, long_one)
      .def("finish", &Mesh::finish, long_one)
      .def("read_profiler", &Mesh::read_profiler, long_one)
      .def("close", &Mesh::close, long_one)
      .def("buffer", &Mesh::buffer)
      .def("begin_trace", &Mesh::begin_trace)
      .def("end_trace", &Mesh::end_trace)
      .def("replay_trace", &Mesh::replay_trace, long_one)
      .def("release_trace", &Mesh::release_trace);
}
