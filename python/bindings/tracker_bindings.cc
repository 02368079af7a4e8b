#include <fmt/format.h>
#include <ttscope/memory_usage_tracker.h>

#include <memory>

#include "bindings.h"
#include "graph/read/capture_reader.h"
#include "sim/tracker/session.h"

namespace py = pybind11;

namespace ttscope::python {
namespace {

constexpr double kMib = 1048576.0;

Figures figures_of(bool compat) { return compat ? Figures::kOriginal : Figures::kCorrected; }

/// Ours, or ttnn's own enumeration: both name their members alike.
RunMode run_mode_of(const py::object& mode) {
  const auto name = py::str(py::getattr(mode, "name", py::none())).cast<std::string>();
  if (name == "NORMAL") return RunMode::NORMAL;
  if (name == "NO_DISPATCH") return RunMode::NO_DISPATCH;
  throw py::type_error("the mode must be graph.RunMode.NORMAL or graph.RunMode.NO_DISPATCH");
}

/// Captures that ttscope._capture takes with ttnn. Nothing of Python is kept here: the session outlives it.
class TtnnSource final : public tracker::CaptureSource {
 public:
  Result<void> begin(RunMode mode) override {
    return guarded<void>([mode]() -> Result<void> {
      capture_module().attr("begin")(mode == RunMode::NO_DISPATCH ? "NO_DISPATCH" : "NORMAL");
      return {};
    });
  }
  Result<graph::GraphTrace> end() override {
    return guarded<graph::GraphTrace>([]() -> Result<graph::GraphTrace> {
      const auto json = capture_module().attr("end")().cast<std::string>();
      auto capture = graph::parse_graph_capture(json, "ttnn.graph.end_graph_capture()");
      if (!capture) return failure(capture.error());
      if (capture->segments.size() != 1) return failure(bad_input("ttnn's capture is not a list of nodes"));
      return std::move(capture->segments.front().trace);
    });
  }

  static py::module_ capture_module() { return py::module_::import("ttscope._capture"); }

 private:
  template <typename T>
  static Result<T> guarded(const std::function<Result<T>()>& work) {
    const py::gil_scoped_acquire gil;
    try {
      return work();
    } catch (const py::error_already_set& error) {
      return failure(bad_input(error.what()));
    }
  }
};

std::unique_ptr<tracker::CaptureSource> make_source() {
  bool uses_ttnn = false;
  {
    const py::gil_scoped_acquire gil;
    uses_ttnn = TtnnSource::capture_module().attr("uses_ttnn")().cast<bool>();
  }
  if (uses_ttnn) return std::make_unique<TtnnSource>();
  return tracker::make_simulated_source();
}

/// The guard of Python: leaving a `with` block releases it.
class Guard {
 public:
  explicit Guard(RunMode mode) : guard_(std::make_unique<GuardHolder>(mode)) {}
  ~Guard() {
    const py::gil_scoped_release no_gil;
    guard_.reset();
  }
  Guard(Guard&&) = default;
  void release() { guard_->scope.release(); }

 private:
  struct GuardHolder {
    explicit GuardHolder(RunMode mode) : scope(MemoryUsageTracker::begin_capture(mode)) {}
    ScopeGuard scope;
  };
  std::unique_ptr<GuardHolder> guard_;
};

std::unique_ptr<Guard> begin(const py::object& mode) {
  const RunMode run_mode = run_mode_of(mode);
  const py::gil_scoped_release no_gil;
  return std::make_unique<Guard>(run_mode);
}

void bind_figures(py::module_& module) {
  py::class_<DRAMUsage>(module, "DRAMUsage")
      .def_readonly("peak", &DRAMUsage::peak)
      .def_readonly("total_allocations", &DRAMUsage::total_allocations)
      .def_readonly("total_deallocations", &DRAMUsage::total_deallocations)
      .def("__eq__", [](const DRAMUsage& a, const DRAMUsage& b) { return a == b; })
      .def("__repr__",
           [](const DRAMUsage& usage) {
             return fmt::format("DRAMUsage(peak={}, total_allocations={}, total_deallocations={})",
                                usage.peak, usage.total_allocations, usage.total_deallocations);
           })
      .def("__str__", [](const DRAMUsage& usage) {
        return fmt::format(
            "DRAM Usage:\n  Peak:          {:.2f} MB\n  Allocations:   {:.2f} MB\n"
            "  Deallocations: {:.2f} MB",
            static_cast<double>(usage.peak) / kMib, static_cast<double>(usage.total_allocations) / kMib,
            static_cast<double>(usage.total_deallocations) / kMib);
      });
  using PerCore = PeakMemoryUsagePerCore;
  py::class_<PerCore>(module, "PeakMemoryUsagePerCore")
      .def_readonly("peak_cb", &PerCore::peak_cb)
      .def_readonly("peak_l1", &PerCore::peak_l1)
      .def_readonly("peak_dataflow_buffer", &PerCore::peak_dataflow_buffer)
      .def_readonly("peak_scratchpad", &PerCore::peak_scratchpad)
      .def_readonly("peak_total", &PerCore::peak_total)
      .def("__eq__", [](const PerCore& a, const PerCore& b) { return a == b; })
      .def(
          "__repr__",
          [](const PerCore& usage) {
            return fmt::format(
                "PeakMemoryUsagePerCore(peak_cb={}, peak_l1={}, peak_dataflow_buffer={}, peak_scratchpad={}, "
                "peak_total={})",
                usage.peak_cb, usage.peak_l1, usage.peak_dataflow_buffer, usage.peak_scratchpad,
                usage.peak_total);
          })
      .def("__str__", [](const PerCore& usage) {
        return fmt::format(
            "Peak Memory Usage Per Core:\n  CB:         {} bytes\n  L1:         {} bytes\n"
            "  DFB:        {} bytes\n  Scratchpad: {} bytes\n  Total:      {} bytes",
            usage.peak_cb, usage.peak_l1, usage.peak_dataflow_buffer, usage.peak_scratchpad,
            usage.peak_total);
      });
}

void bind_guard(py::module_& module) {
  py::class_<Guard>(module, "MemoryUsageGuard", "Ends and clears the session when it goes away unreleased.")
      .def(py::init(&begin), py::arg("mode") = RunMode::NORMAL)
      .def("release", &Guard::release)
      .def(
          "__enter__", [](Guard& guard) -> Guard& { return guard; }, py::return_value_policy::reference)
      .def("__exit__", [](Guard& guard, const py::args&) {
        guard.release();
        return false;
      });
}

}  // namespace

void bind_tracker(py::module_& module) {
  namespace Tracker = MemoryUsageTracker;
  using NoGil = py::call_guard<py::gil_scoped_release>;
  tracker::Session::global().set_source(make_source);
  py::enum_<RunMode>(module, "RunMode")
      .value("NORMAL", RunMode::NORMAL)
      .value("NO_DISPATCH", RunMode::NO_DISPATCH);
  bind_figures(module);
  bind_guard(module);
  auto functions = module.def_submodule("tracker");
  functions.def("begin_capture", &begin, py::arg("mode") = RunMode::NORMAL);
  functions.def("end_capture", &Tracker::end_capture, py::arg("name") = Tracker::kDefaultName, NoGil());
  functions.def("snapshot", &Tracker::snapshot, py::arg("name"), NoGil());
  functions.def("get_dram_usage", &Tracker::get_dram_usage, py::arg("name") = Tracker::kDefaultName, NoGil());
  functions.def(
      "get_l1_usage",
      [](const std::string& name, bool compat) { return Tracker::get_l1_usage(name, figures_of(compat)); },
      py::arg("name") = Tracker::kDefaultName, py::arg("compat") = false, NoGil());
  functions.def("get_dram_usage_all", &Tracker::get_dram_usage_all, NoGil());
  functions.def(
      "get_l1_usage_all", [](bool compat) { return Tracker::get_l1_usage_all(figures_of(compat)); },
      py::arg("compat") = false, NoGil());
  functions.def("get_trace_names", &Tracker::get_trace_names, NoGil());
  functions.def(
      "memory_usage_text", [](bool compat) { return Tracker::memory_usage_text(figures_of(compat)); },
      py::arg("compat") = false, NoGil());
  functions.def("notes", &Tracker::notes, NoGil());
  functions.def("clear", &Tracker::clear, NoGil());
  functions.def("save", &Tracker::save, py::arg("path"), NoGil());
}

}  // namespace ttscope::python
