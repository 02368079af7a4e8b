#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/result.h"
#include "perf/model/ops_report.h"
#include "perf/read/ops_report.h"

// In a header, since fuzz targets are not linked with the helpers of tests.
namespace ttscope::testing {
namespace report_differences {

using namespace perf;

/// Collects the first difference.
class Differences {
 public:
  template <typename T>
  void check(const std::string& what, const T& a, const T& b) {
    if (!first_.empty() || a == b) return;
    if constexpr (std::is_floating_point_v<T>) {
      if (a != a && b != b) return;
    }
    if constexpr (std::is_enum_v<T>) {
      first_ = fmt::format("{}: {} and {}", what, static_cast<int>(a), static_cast<int>(b));
    } else {
      first_ = fmt::format("{}: {} and {}", what, a, b);
    }
  }
  const std::string& first() const { return first_; }

 private:
  std::string first_;
};

inline void check_kind(const OpsReport& a, const OpsReport& b, std::size_t i, Differences& found) {
  const OpKind& one = a.kinds[i];
  const OpKind& two = b.kinds[i];
  const std::string at = fmt::format("kind {}, ", i);
  found.check(at + "op code", one.op_code, two.op_code);
  found.check(at + "op type", one.op_type, two.op_type);
  found.check(at + "arch", one.arch, two.arch);
  found.check(at + "attributes", one.attributes, two.attributes);
  found.check(at + "fidelity", one.math_fidelity, two.math_fidelity);
  found.check(at + "program", one.program_hash, two.program_hash);
  found.check(at + "location", one.location, two.location);
  found.check(at + "cut text", one.has_cut_text, two.has_cut_text);
  found.check(at + "cores", one.core_count, two.core_count);
  found.check(at + "available cores", one.available_cores, two.available_cores);
  found.check(at + "sub-device", one.sub_device, two.sub_device);
  found.check(at + "ideal", one.pm_ideal_ns, two.pm_ideal_ns);
  found.check(at + "compute", one.pm_compute_ns, two.pm_compute_ns);
  found.check(at + "bandwidth", one.pm_bandwidth_ns, two.pm_bandwidth_ns);
  found.check(at + "first input", one.first_input, two.first_input);
  found.check(at + "inputs", one.input_count, two.input_count);
  found.check(at + "outputs", one.output_count, two.output_count);
}

inline void check_tensor(const OpTensor& one, const OpTensor& two, std::size_t i, Differences& found) {
  const std::string at = fmt::format("tensor {}, ", i);
  for (std::size_t k = 0; k < one.padded.size(); ++k) {
    found.check(at + "padded", one.padded[k], two.padded[k]);
    found.check(at + "logical", one.logical[k], two.logical[k]);
  }
  found.check(at + "layout", one.layout, two.layout);
  found.check(at + "datatype", one.datatype, two.datatype);
  found.check(at + "memory", one.memory, two.memory);
}

inline void check_row(const OpRow& one, const OpRow& two, std::size_t i, Differences& found) {
  const std::string at = fmt::format("row {}, ", i);
  found.check(at + "kind", one.kind, two.kind);
  found.check(at + "id", one.id, two.id);
  found.check(at + "device", one.device, two.device);
  found.check(at + "type", one.type, two.type);
  found.check(at + "file", one.file, two.file);
  found.check(at + "cache hit", one.cache_hit, two.cache_hit);
  found.check(at + "call count", one.call_count, two.call_count);
  found.check(at + "host start", one.host_start_ns, two.host_start_ns);
  found.check(at + "host duration", one.host_duration_ns, two.host_duration_ns);
  found.check(at + "firmware start", one.fw_start_cycle, two.fw_start_cycle);
  found.check(at + "firmware end", one.fw_end_cycle, two.fw_end_cycle);
  found.check(at + "firmware duration", one.fw_duration_ns, two.fw_duration_ns);
  found.check(at + "kernel duration", one.kernel_duration_ns, two.kernel_duration_ns);
  found.check(at + "op to op", one.op_to_op_ns, two.op_to_op_ns);
  found.check(at + "first to last start", one.first_to_last_start_ns, two.first_to_last_start_ns);
  for (std::size_t k = 0; k < one.per_core_ns.size(); ++k) {
    found.check(at + "per core", one.per_core_ns[k], two.per_core_ns[k]);
  }
  for (std::size_t k = 0; k < kRiscCount; ++k) found.check(at + "risc", one.risc_us[k], two.risc_us[k]);
  found.check(at + "NoC", one.noc_util_percent, two.noc_util_percent);
  found.check(at + "DRAM", one.dram_util_percent, two.dram_util_percent);
  found.check(at + "matrix engine", one.math_util_percent, two.math_util_percent);
  found.check(at + "ports", one.noc_counter_percent, two.noc_counter_percent);
  found.check(at + "wait for input", one.cb_wait_us, two.cb_wait_us);
  found.check(at + "wait for room", one.cb_reserve_us, two.cb_reserve_us);
  found.check(at + "trace", one.trace_id, two.trace_id);
  found.check(at + "replay", one.replay_session, two.replay_session);
}

inline void check_whole(const OpsReport& a, const OpsReport& b, Differences& found) {
  found.check("files", a.files.size(), b.files.size());
  found.check("format", a.format, b.format);
  found.check("has host start", a.has_host_start, b.has_host_start);
  found.check("has device column", a.has_device_column, b.has_device_column);
  found.check("call counts missing", a.call_counts_missing, b.call_counts_missing);
  found.check("core counts missing", a.core_counts_missing, b.core_counts_missing);
  found.check("clock", a.clock_mhz, b.clock_mhz);
  for (std::size_t i = 0; i < kReportProblemCount; ++i) {
    const auto problem = static_cast<ReportProblem>(i);
    const std::string name(info_of(problem).key);
    found.check(name, a.problems.count(problem), b.problems.count(problem));
    found.check(name + " places", a.problems.places(problem) == b.problems.places(problem), true);
  }
}

}  // namespace report_differences

/// The first field in which two reports differ, empty if there is none. Lines of rows are left aside: only a
/// file has them.
inline std::string report_difference(const perf::OpsReport& a, const perf::OpsReport& b) {
  using namespace report_differences;
  Differences found;
  found.check("rows", a.rows.size(), b.rows.size());
  found.check("kinds", a.kinds.size(), b.kinds.size());
  found.check("tensors", a.tensors.size(), b.tensors.size());
  found.check("texts", a.texts.size(), b.texts.size());
  if (!found.first().empty()) return found.first();
  check_whole(a, b, found);
  for (std::uint32_t i = 0; i < a.texts.size(); ++i) {
    found.check(fmt::format("text {}", i), a.text(i), b.text(i));
  }
  for (std::size_t i = 0; i < a.kinds.size(); ++i) check_kind(a, b, i, found);
  for (std::size_t i = 0; i < a.tensors.size(); ++i) check_tensor(a.tensors[i], b.tensors[i], i, found);
  for (std::size_t i = 0; i < a.rows.size() && found.first().empty(); ++i) {
    check_row(a.rows[i], b.rows[i], i, found);
  }
  return found.first();
}

/// What differs between a report that was made directly and the one that its CSV text reads as. A text that
/// is no report must not have been made either.
inline std::string difference_from_csv(const Result<perf::OpsReport>& made, std::string_view csv) {
  using namespace perf;
  OpsReport read;
  const Result<void> is_report = read_ops_report({.name = "report.csv", .text = csv, .host = {}}, read);
  if (!is_report) return made ? "made although " + is_report.error().message : "";
  if (!made) return "not made: " + made.error().message;
  finish_ops_report(read);
  return report_difference(*made, read);
}

}  // namespace ttscope::testing
