#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/csv_scanner.h"
#include "perf/model/ops_report.h"

namespace ttscope::perf {

/// Columns of one tensor; CsvHeader::kNoColumn where the report has none.
struct TensorColumns {
  std::array<std::size_t, 4> sizes{};  ///< W, Z, Y, X
  std::size_t layout = CsvHeader::kNoColumn;
  std::size_t datatype = CsvHeader::kNoColumn;
  std::size_t memory = CsvHeader::kNoColumn;
};

/// Where the cells of a report are. Reports of all years differ in which columns they have, in order and in
/// names; what is missing reads as empty.
struct OpsColumns {
  explicit OpsColumns(const CsvHeader& header);

  /// Whether it is an ops report at all.
  bool is_ops_report() const;

  std::size_t op_code, op_type, arch, attributes, math_fidelity, core_count, available_cores, sub_device;
  std::size_t program_hash, compute_kernels, data_kernels, cache_hit, pm_ideal, pm_compute, pm_bandwidth;
  std::size_t call_count, device, host_start, host_duration, fw_start_cycle, fw_end_cycle, fw_duration;
  std::size_t op_to_op, first_to_last_start, noc_util, dram_util, math_util, trace_id, replay_session;
  std::size_t cb_wait, cb_reserve, location;
  std::vector<std::size_t> noc_counters;  ///< the busiest of these counts
  std::array<std::size_t, 3> per_core{};
  std::array<std::size_t, kRiscCount> riscs{};
  /// The longest of these is the kernel duration: one column, or one for each kind of processor (Quasar).
  std::vector<std::size_t> kernel_durations;
  std::string kernel_stand_ins;  ///< columns that stand for a kernel duration that is not there; empty: it is
  std::vector<TensorColumns> inputs;
  std::vector<TensorColumns> outputs;
  std::size_t count = 0;  ///< columns of the header
  ReportFormat format = ReportFormat::kV1;
  /// Runs [first, last] of neighbouring columns that make the kind of an op.
  std::vector<std::pair<std::size_t, std::size_t>> kind_runs;

 private:
  void find_tensors(const CsvHeader& header);
  void find_durations(const CsvHeader& header);
  void find_kind_runs();
};

}  // namespace ttscope::perf
