#include <ttscope/graph_utils.h>

#include "bindings.h"

namespace py = pybind11;

namespace ttscope::python {
namespace {

using namespace ttscope::graph_utils;

py::dict dict_of(const LevelizedVertex& vertex) {
  py::dict entry;
  entry["counter"] = vertex.counter;
  entry["stacking_level"] = vertex.stacking_level;
  entry["name"] = vertex.name;
  entry["arguments"] = vertex.arguments;
  entry["in_edges"] = vertex.in_edges;
  entry["out_edges"] = vertex.out_edges;
  entry["internals"] = vertex.internals;
  entry["output_info"] = vertex.output_info;
  entry["output_shape"] = vertex.output_shape;
  return entry;
}

}  // namespace

void bind_graph(py::module_& module) {
  auto graph = module.def_submodule("graph");
  py::class_<Trace>(graph, "Trace")
      .def_static(
          "parse", [](const std::string& json) { return Trace::parse(json); }, py::arg("json"))
      .def_static("load", &Trace::load, py::arg("path"));
  py::class_<OutputInfo>(graph, "TensorInfo")
      .def_readonly("shape", &OutputInfo::shape)
      .def_readonly("size", &OutputInfo::size)
      .def_readonly("type", &OutputInfo::type)
      .def("__repr__", [](const OutputInfo& info) {
        return "TensorInfo(shape=" + py::repr(py::cast(info.shape)).cast<std::string>() +
               ", size=" + std::to_string(info.size) + ", type=" + info.type + ")";
      });
  const py::arg trace("trace");
  graph.def("extract_calltrace", &extract_calltrace, trace);
  graph.def("extract_arguments", &extract_arguments, trace);
  graph.def("extract_output_tensors", &extract_output_tensors, trace);
  graph.def("extract_output_info", &extract_output_info, trace);
  graph.def(
      "count_intermediate_and_output_tensors",
      [](const Trace& capture) {
        const TensorCounts counts = count_intermediate_and_output_tensors(capture);
        return std::make_pair(counts.intermediate, counts.output);
      },
      trace);
  graph.def("extract_peak_L1_memory_usage", &extract_peak_L1_memory_usage, trace);
  graph.def(
      "extract_resource_usage_per_core",
      [](const Trace& capture, bool compat) {
        return extract_resource_usage_per_core(capture, compat ? Figures::kOriginal : Figures::kCorrected);
      },
      trace, py::arg("compat") = true);
  graph.def("extract_dram_usage", &extract_dram_usage, trace);
  graph.def("extract_circular_buffers_peak_size_per_core", &extract_circular_buffers_peak_size_per_core,
            trace);
  graph.def("extract_l1_buffer_allocation_peak_size_per_core",
            &extract_l1_buffer_allocation_peak_size_per_core, trace);
  graph.def("extract_peak_memory_usage", &extract_peak_memory_usage, trace);
  graph.def("extract_l1_output_buffer_allocation_size_per_core",
            &extract_l1_output_buffer_allocation_size_per_core, trace, py::arg("tensor"));
  graph.def(
      "extract_levelized_graph",
      [](const Trace& capture, std::uint32_t max_level) {
        py::list vertices;
        for (const LevelizedVertex& vertex : extract_levelized_graph(capture, max_level))
          vertices.append(dict_of(vertex));
        return vertices;
      },
      trace, py::arg("max_level") = 1);
  graph.def("pretty_format", &pretty_format, trace);
}

}  // namespace ttscope::python
