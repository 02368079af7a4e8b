#include <ttscope/ops.h>

#include "bindings.h"

namespace py = pybind11;

namespace ttscope::python {
namespace {

using namespace ttscope::sim;

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

void bind_spec(py::module_& module) {
  py::class_<DeviceSpec>(module, "DeviceSpec")
      .def(py::init<>())
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
      .def_property_readonly("dram_capacity_bytes", &DeviceSpec::dram_capacity_bytes);
}

void bind_stats(py::module_& module) {
  py::class_<MemoryStats>(module, "MemoryStats")
      .def_readonly("banks", &MemoryStats::banks)
      .def_readonly("total_bytes_per_bank", &MemoryStats::total_bytes_per_bank)
      .def_readonly("allocated_bytes_per_bank", &MemoryStats::allocated_bytes_per_bank)
      .def_readonly("free_bytes_per_bank", &MemoryStats::free_bytes_per_bank)
      .def_readonly("largest_free_bytes_per_bank", &MemoryStats::largest_free_bytes_per_bank)
      .def_readonly("lowest_occupied_address", &MemoryStats::lowest_occupied_address);
  py::class_<Device>(module, "Device")
      .def(py::init<const DeviceSpec&>(), py::arg("spec"))
      .def(py::init([](const std::string& name) { return Device(DeviceSpec::named(name)); }), py::arg("name"))
      .def_property_readonly("spec", &Device::spec)
      .def("stats", &Device::stats, py::arg("type") = BufferType::kDram)
      .def("peak_allocated_bytes_per_bank", &Device::peak_allocated_bytes_per_bank,
           py::arg("type") = BufferType::kDram)
      .def("enable_program_cache", &Device::enable_program_cache, py::arg("enabled"))
      .def_property_readonly("program_cache_entries", &Device::program_cache_entries);
}

void bind_tensor(py::module_& module) {
  py::class_<ShardSpec>(module, "ShardSpec")
      .def(py::init<std::uint32_t, std::uint32_t, std::uint32_t>(), py::arg("cores"), py::arg("height"),
           py::arg("width"))
      .def_readonly("cores", &ShardSpec::cores)
      .def_readonly("height", &ShardSpec::height)
      .def_readonly("width", &ShardSpec::width);
  py::class_<MemoryConfig>(module, "MemoryConfig")
      .def(py::init<BufferType, BufferLayout, std::optional<ShardSpec>>(),
           py::arg("type") = BufferType::kDram, py::arg("layout") = BufferLayout::kInterleaved,
           py::arg("shard") = std::nullopt)
      .def_readonly("type", &MemoryConfig::type)
      .def_readonly("layout", &MemoryConfig::layout)
      .def_readonly("shard", &MemoryConfig::shard)
      .def("__str__", &MemoryConfig::text);
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
      .def("deallocate", &Tensor::deallocate)
      .def("__repr__", [](const Tensor& tensor) {
        return "Tensor(" + tensor.shape().text() + ", " + std::string(name_of(tensor.dtype())) + ")";
      });
}

}  // namespace

void bind_device(py::module_& module) {
  auto simulated = module.def_submodule("sim");
  py::register_exception<OutOfMemory>(simulated, "OutOfMemoryError", PyExc_RuntimeError);
  bind_enums(simulated);
  bind_spec(simulated);
  bind_stats(simulated);
  bind_tensor(simulated);
}

}  // namespace ttscope::python
