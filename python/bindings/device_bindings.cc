#include <fmt/format.h>
#include <ttscope/ops.h>

#include "bindings.h"

namespace py = pybind11;

namespace ttscope::python {
namespace {

using namespace ttscope::sim;

constexpr double kMib = 1048576.0;

void bind_enums(py::module_& module) {
  py::enum_<BufferType>(module, "BufferType")
      .value("DRAM", BufferType::kDram)
      .value("L1", BufferType::kL1)
      .value("SYSTEM_MEMORY", BufferType::kSystemMemory)
      .value("L1_SMALL", BufferType::kL1Small)
      .value("TRACE", BufferType::kTrace);
  py::enum_<DataType>(module, "DataType")
      .value("BFLOAT16", DataType::kBfloat16)
      .value("FLOAT32", DataType::kFloat32)
      .value("BFLOAT8_B", DataType::kBfloat8B)
      .value("BFLOAT4_B", DataType::kBfloat4B)
      .value("UINT32", DataType::kUint32)
      .value("INT32", DataType::kInt32)
      .value("UINT16", DataType::kUint16)
      .value("UINT8", DataType::kUint8);
  py::enum_<Layout>(module, "Layout").value("TILE", Layout::kTile).value("ROW_MAJOR", Layout::kRowMajor);
  py::enum_<BufferLayout>(module, "BufferLayout")
      .value("INTERLEAVED", BufferLayout::kInterleaved)
      .value("HEIGHT_SHARDED", BufferLayout::kHeightSharded)
      .value("WIDTH_SHARDED", BufferLayout::kWidthSharded)
      .value("BLOCK_SHARDED", BufferLayout::kBlockSharded);
  py::enum_<Arch>(module, "Arch").value("WORMHOLE", Arch::kWormhole).value("BLACKHOLE", Arch::kBlackhole);
}

std::string spec_text(const DeviceSpec& spec) {
  return fmt::format("DeviceSpec({}: {} chip{}, DRAM {} x {:.2f} MB, L1 {} x {:.2f} MB)", spec.name,
                     spec.chips, spec.chips == 1 ? "" : "s", spec.dram_banks,
                     static_cast<double>(spec.dram_usable_bytes_per_bank()) / kMib, spec.l1_banks(),
                     static_cast<double>(spec.l1_usable_bytes_per_core()) / kMib);
}

void bind_spec(py::module_& module) {
  py::class_<DeviceSpec>(module, "DeviceSpec")
      .def(py::init<>())
      .def_static("n150", &DeviceSpec::n150)
      .def_static("n300", &DeviceSpec::n300)
      .def_static("p100", &DeviceSpec::p100)
      .def_static("p150", &DeviceSpec::p150)
      .def_static("named", &DeviceSpec::named, py::arg("name"))
      .def_readwrite("name", &DeviceSpec::name)
      .def_readwrite("arch", &DeviceSpec::arch)
      .def_readwrite("chips", &DeviceSpec::chips)
      .def_readwrite("dram_banks", &DeviceSpec::dram_banks)
      .def_readwrite("dram_bank_bytes", &DeviceSpec::dram_bank_bytes)
      .def_readwrite("dram_alignment_bytes", &DeviceSpec::dram_alignment_bytes)
      .def_readwrite("l1_alignment_bytes", &DeviceSpec::l1_alignment_bytes)
      .def_readwrite("l1_bytes_per_core", &DeviceSpec::l1_bytes_per_core)
      .def_readwrite("l1_base_address", &DeviceSpec::l1_base_address)
      .def_readwrite("grid_x", &DeviceSpec::grid_x)
      .def_readwrite("grid_y", &DeviceSpec::grid_y)
      .def_readwrite("l1_small_bytes", &DeviceSpec::l1_small_bytes)
      .def_readwrite("trace_region_bytes", &DeviceSpec::trace_region_bytes)
      .def_readwrite("profiler_reserved", &DeviceSpec::profiler_reserved)
      .def_readwrite("device_print_reserved", &DeviceSpec::device_print_reserved)
      .def_readwrite("command_queue_reserved", &DeviceSpec::command_queue_reserved)
      .def_readwrite("physical_cores", &DeviceSpec::physical_cores)
      .def_property_readonly("dram_base_address", &DeviceSpec::dram_base_address)
      .def_property_readonly("dram_capacity_bytes", &DeviceSpec::dram_capacity_bytes)
      .def_property_readonly("trace_bytes_per_bank", &DeviceSpec::trace_bytes_per_bank)
      .def_property_readonly("dram_usable_bytes_per_bank", &DeviceSpec::dram_usable_bytes_per_bank)
      .def_property_readonly("l1_usable_bytes_per_core", &DeviceSpec::l1_usable_bytes_per_core)
      .def_property_readonly("l1_banks", &DeviceSpec::l1_banks)
      .def("__repr__", &spec_text);
}

void bind_stats(py::module_& module) {
  py::class_<MemoryStats>(module, "MemoryStats")
      .def_readonly("banks", &MemoryStats::banks)
      .def_readonly("total_bytes_per_bank", &MemoryStats::total_bytes_per_bank)
      .def_readonly("allocated_bytes_per_bank", &MemoryStats::allocated_bytes_per_bank)
      .def_readonly("free_bytes_per_bank", &MemoryStats::free_bytes_per_bank)
      .def_readonly("largest_free_bytes_per_bank", &MemoryStats::largest_free_bytes_per_bank)
      .def_readonly("lowest_occupied_address", &MemoryStats::lowest_occupied_address)
      .def("__repr__", [](const MemoryStats& stats) {
        return fmt::format("MemoryStats({} banks of {} bytes: allocated {}, free {}, largest free block {})",
                           stats.banks, stats.total_bytes_per_bank, stats.allocated_bytes_per_bank,
                           stats.free_bytes_per_bank, stats.largest_free_bytes_per_bank);
      });
  py::class_<Device>(module, "Device")
      .def(py::init<const DeviceSpec&>(), py::arg("spec"))
      .def(py::init([](const std::string& name) { return Device(DeviceSpec::named(name)); }), py::arg("name"))
      .def_property_readonly("spec", &Device::spec)
      .def("stats", &Device::stats, py::arg("type") = BufferType::kDram)
      .def("peak_allocated_bytes_per_bank", &Device::peak_allocated_bytes_per_bank,
           py::arg("type") = BufferType::kDram)
      .def("enable_program_cache", &Device::enable_program_cache, py::arg("enabled"))
      .def_property_readonly("program_cache_entries", &Device::program_cache_entries)
      .def("__repr__", [](const Device& device) {
        return fmt::format("Device({}, {} of {} DRAM bytes per bank in use)", device.spec().name,
                           device.stats(BufferType::kDram).allocated_bytes_per_bank,
                           device.spec().dram_usable_bytes_per_bank());
      });
}

void bind_tensor(py::module_& module) {
  py::class_<ShardSpec>(module, "ShardSpec")
      .def(py::init<std::uint32_t, std::uint32_t, std::uint32_t>(), py::arg("cores"), py::arg("height"),
           py::arg("width"))
      .def_readonly("cores", &ShardSpec::cores)
      .def_readonly("height", &ShardSpec::height)
      .def_readonly("width", &ShardSpec::width)
      .def("__eq__", [](const ShardSpec& a, const ShardSpec& b) { return a == b; })
      .def("__repr__", [](const ShardSpec& shard) {
        return fmt::format("ShardSpec(cores={}, height={}, width={})", shard.cores, shard.height,
                           shard.width);
      });
  py::class_<MemoryConfig>(module, "MemoryConfig")
      .def(py::init<BufferType, BufferLayout, std::optional<ShardSpec>>(),
           py::arg("type") = BufferType::kDram, py::arg("layout") = BufferLayout::kInterleaved,
           py::arg("shard") = std::nullopt)
      .def_readonly("type", &MemoryConfig::type)
      .def_readonly("layout", &MemoryConfig::layout)
      .def_readonly("shard", &MemoryConfig::shard)
      .def_static("dram", &MemoryConfig::dram)
      .def_static("l1", &MemoryConfig::l1)
      .def("__eq__", [](const MemoryConfig& a, const MemoryConfig& b) { return a == b; })
      .def("__repr__", &MemoryConfig::text);
  py::class_<Tensor>(module, "Tensor")
      .def_property_readonly("shape", &Tensor::shape)
      .def_property_readonly("dtype", &Tensor::dtype)
      .def_property_readonly("layout", &Tensor::layout)
      .def_property_readonly("memory", [](const Tensor& tensor) { return tensor.spec().memory; })
      .def_property_readonly("device", &Tensor::device)
      .def_property_readonly("address", &Tensor::address)
      .def_property_readonly("bytes_per_bank", &Tensor::bytes_per_bank)
      .def_property_readonly("stored_bytes",
                             [](const Tensor& tensor) { return tensor.spec().stored_bytes(); })
      .def_property_readonly("is_allocated", &Tensor::is_allocated)
      .def_property_readonly("id", &Tensor::id)
      .def("deallocate", &Tensor::deallocate)
      .def("__repr__", [](const Tensor& tensor) {
        return "Tensor(" + tensor.shape().text() + ", " + std::string(name_of(tensor.dtype())) + ")";
      });
}

/// OutOfMemoryError with what could not be placed as its attribute `failure`.
void bind_failure(py::module_& module) {
  py::class_<LiveMemory>(module, "LiveMemory")
      .def_readonly("kind", &LiveMemory::kind)
      .def_readonly("name", &LiveMemory::name)
      .def_readonly("bytes_per_bank", &LiveMemory::bytes_per_bank)
      .def_readonly("buffers", &LiveMemory::buffers);
  py::class_<MemoryFailure>(module, "MemoryFailure")
      .def_readonly("memory", &MemoryFailure::memory)
      .def_readonly("operation", &MemoryFailure::operation)
      .def_readonly("module", &MemoryFailure::module)
      .def_readonly("bytes_per_bank", &MemoryFailure::bytes_per_bank)
      .def_readonly("stats", &MemoryFailure::stats)
      .def_readonly("live", &MemoryFailure::live);
  static py::exception<OutOfMemory> type(module, "OutOfMemoryError", PyExc_RuntimeError);
  py::setattr(type, "failure", py::none());
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const OutOfMemory& error) {
      py::object made = py::reinterpret_borrow<py::object>(type)(error.what());
      if (error.failure() != nullptr) made.attr("failure") = py::cast(*error.failure());
      PyErr_SetObject(type.ptr(), made.ptr());
    }
  });
}

}  // namespace

void bind_device(py::module_& module) {
  auto simulated = module.def_submodule("sim");
  bind_enums(simulated);
  bind_spec(simulated);
  bind_stats(simulated);
  bind_tensor(simulated);
  bind_failure(simulated);
}

}  // namespace ttscope::python
