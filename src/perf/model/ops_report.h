#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/string_pool.h"
#include "base/trust.h"
#include "perf/model/device_profile.h"
#include "perf/model/notes.h"

namespace ttscope::perf {

/// A number that a report does not have.
inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

inline bool has_number(double number) { return number == number; }

/// One tensor of an op. Texts are ids of OpsReport::texts; 0 is the empty text.
struct OpTensor {
  static constexpr std::int64_t kNoSize = -1;
  std::array<std::int64_t, 4> padded{kNoSize, kNoSize, kNoSize, kNoSize};  ///< W, Z, Y, X
  std::array<std::int64_t, 4> logical{kNoSize, kNoSize, kNoSize, kNoSize};
  std::uint32_t layout = 0;
  std::uint32_t datatype = 0;
  std::uint32_t memory = 0;

  bool is_present() const { return datatype != 0 || memory != 0; }
  bool has_shape() const { return padded[0] >= 0 && padded[1] >= 0 && padded[2] >= 0 && padded[3] >= 0; }
};

/// Everything of a row that is the same each time the op runs again; rows of one kind share it.
struct OpKind {
  std::uint32_t op_code = 0;
  std::uint32_t op_type = 0;
  std::uint32_t arch = 0;
  std::uint32_t attributes = 0;
  std::uint32_t math_fidelity = 0;
  std::uint32_t program_hash = 0;
  std::uint32_t compute_kernels = 0;  ///< sources, as the report lists them
  std::uint32_t data_kernels = 0;     ///< of data movement
  std::uint32_t location = 0;         ///< where the model asks for it, as compilers write it: `loc("...")`
  bool has_cut_text = false;          ///< see ReportProblem::kLongText
  double core_count = kNoNumber;
  double available_cores = kNoNumber;
  double sub_device = kNoNumber;
  double pm_ideal_ns = kNoNumber;  ///< of the runtime's performance model; 1 where it has none
  double pm_compute_ns = kNoNumber;
  double pm_bandwidth_ns = kNoNumber;
  std::uint32_t first_input = 0;  ///< in OpsReport::tensors, inputs then outputs
  std::uint16_t input_count = 0;
  std::uint16_t output_count = 0;
};

/// The RISCs of a core that a report has a kernel duration for.
inline constexpr std::size_t kRiscCount = 6;
inline constexpr std::array<std::string_view, kRiscCount> kRiscNames = {"BRISC",  "NCRISC", "TRISC0",
                                                                        "TRISC1", "TRISC2", "ERISC"};

/// Hardware counters of how busy a core's ports to the network on chip were, as columns of reports.
inline constexpr std::array<std::string_view, 4> kNocCounterColumns = {
    "NOC Ring 0 Outgoing Util Median (%)", "NOC Ring 0 Incoming Util Median (%)",
    "NOC Ring 1 Outgoing Util Median (%)", "NOC Ring 1 Incoming Util Median (%)"};

/// OP TYPE of a row that ran on a device.
inline constexpr std::string_view kDeviceOpType = "tt_dnn_device";
/// OP TYPE of a row that is a whole replay of a trace on a device, in reports of ours.
inline constexpr std::string_view kTraceReplayType = "trace_replay";
/// OP CODE of such a row.
inline constexpr std::string_view kTraceReplayOp = "TraceReplay";

enum class OpRowType : std::uint8_t { kDevice, kHost, kSignpost };

/// One row of a report. Times are as recorded; kNoNumber where a cell is empty or unreadable.
struct OpRow {
  std::uint32_t kind = 0;
  std::uint32_t id = 0;      ///< spreadsheet row: the header is 1; goes on over several files
  std::uint32_t line = 0;    ///< line of its file
  std::int32_t device = -1;  ///< global over several files; -1: none given
  OpRowType type = OpRowType::kDevice;
  std::uint8_t file = 0;
  std::int8_t cache_hit = -1;  ///< as recorded; -1: not there
  bool is_repeated = false;    ///< a row before it is the same execution
  double call_count = kNoNumber;
  double host_start_ns = kNoNumber;
  double host_duration_ns = kNoNumber;
  double fw_start_cycle = kNoNumber;
  double fw_end_cycle = kNoNumber;
  double fw_duration_ns = kNoNumber;
  double kernel_duration_ns = kNoNumber;
  double op_to_op_ns = kNoNumber;
  double first_to_last_start_ns = kNoNumber;
  std::array<double, 3> per_core_ns{kNoNumber, kNoNumber, kNoNumber};   ///< min, max, avg
  std::array<float, kRiscCount> risc_us{};                              ///< kernel durations; NaN: none
  float noc_util_percent = std::numeric_limits<float>::quiet_NaN();     ///< of tt-npe
  float dram_util_percent = std::numeric_limits<float>::quiet_NaN();    ///< of tt-npe
  float math_util_percent = std::numeric_limits<float>::quiet_NaN();    ///< of hardware counters, median core
  float noc_counter_percent = std::numeric_limits<float>::quiet_NaN();  ///< the same: a core's busiest port
  float cb_wait_us = std::numeric_limits<float>::quiet_NaN();     ///< compute waited for input, as recorded
  float cb_reserve_us = std::numeric_limits<float>::quiet_NaN();  ///< compute waited for room for its output
  float trace_id = std::numeric_limits<float>::quiet_NaN();
  float replay_session = std::numeric_limits<float>::quiet_NaN();
};

/// Which columns a report has, in the words of the table tool that people know.
enum class ReportFormat : std::uint8_t {
  kV1,     ///< plain shapes
  kV2,     ///< `INPUT_0_W_PAD[LOGICAL]`
  kV21,    ///< with DEVICE ARCH or AVAILABLE WORKER CORE COUNT
  kTable,  ///< no ops report but the table that was made of one
};

/// What the percentages of a table are of, by its own figures; 0: it has none.
struct TablePeaks {
  double dram_gb_s = 0;
  std::array<double, 4> tflops_per_core{};  ///< HiFi4, HiFi3, HiFi2, LoFi
};

/// Expected problems of a report: counted, shown, and reading goes on.
enum class ReportProblem : std::uint8_t {
  kShortRow,   ///< fewer cells than the header; missing ones count as empty
  kLongRow,    ///< more cells than the header; the extra ones are left out
  kCutRow,     ///< the file ends inside a row
  kBadNumber,  ///< a cell that should be a number; counts as empty
  kUnclosedQuote,
  kNoDuration,    ///< a device op without a kernel duration
  kNegativeTime,  ///< a duration below zero; counts as empty
  kNoDevice,      ///< a device op without a device id
  kLongText,      ///< a row with a text over kMaxOpTextBytes; the rest of the text is left out
  kLongKernel,    ///< a kernel duration over that of the firmware around it: one of them is wrong
  kRepeatedRow,   ///< the same op in the same cycles of the same device as a row before it
};

inline constexpr std::size_t kReportProblemCount = 11;

/// Real attributes have some kilobytes. Every row of a kind shows its texts, so one of megabytes would be
/// written as often as its op ran.
inline constexpr std::size_t kMaxOpTextBytes = std::size_t{64} * 1024;

const ProblemInfo& info_of(ReportProblem problem);

/// Their places are OpRow::id.
using ReportProblems = ProblemCounts<ReportProblem, kReportProblemCount, std::uint32_t>;

/// One or more finished ops reports. Ids of texts are the same over all files.
struct OpsReport {
  std::vector<std::string> files;
  std::vector<std::string> hosts;  ///< by file; empty names when there is one host
  StringPool texts;
  std::vector<OpKind> kinds;
  std::vector<OpTensor> tensors;
  std::vector<OpRow> rows;  ///< in file order
  ReportFormat format = ReportFormat::kV1;
  bool has_host_start = false;
  bool has_device_column = false;
  bool has_arch_column = false;
  bool has_available_cores_column = false;
  bool call_counts_missing = false;  ///< some row has none
  bool core_counts_missing = false;
  std::vector<OpNote> remarks;  ///< what this form of it cannot tell
  TablePeaks table_peaks;       ///< of ReportFormat::kTable
  /// Whether waits for circular buffers are those of a core on average; else nobody says whether they are
  /// those of all cores together, as the reference writes them.
  bool cb_waits_are_means = false;
  std::vector<float>
      noc_core_bytes;     ///< by row: what its busiest core sent or took by the NoC trace; or empty
  double clock_mhz = 0;   ///< from cycles and durations of the rows; 0: unknown
  DeviceClockLines sync;  ///< of devices that were synchronized with the host; for reports of one host
  ReportProblems problems;
  PerfProblems capture_problems;  ///< of the profiler's files that the report was made from

  /// Times of simulated chips are cycles of a model: nothing measured them.
  bool has_modeled_times() const { return capture_problems.count(PerfProblem::kSimulatedChips) > 0; }
  std::string_view text(std::uint32_t id) const { return texts[id]; }
  const OpKind& kind_of(const OpRow& row) const { return kinds[row.kind]; }
  const OpTensor* input(const OpKind& kind, std::size_t index) const {
    return index < kind.input_count ? &tensors[kind.first_input + index] : nullptr;
  }
  const OpTensor* output(const OpKind& kind, std::size_t index) const {
    return index < kind.output_count ? &tensors[kind.first_input + kind.input_count + index] : nullptr;
  }
};

/// Tells the report what its rows say together: the clock. After the last row.
void finish_ops_report(OpsReport& report);

/// Sets a size, W to X, by its cell.
void set_size(OpTensor& tensor, std::size_t dimension, std::string_view cell);

/// The inputs or the outputs of an op at the end of the tensors of a report. Columns that say nothing behind
/// the last tensor are none; one between others keeps its place.
class TensorList {
 public:
  explicit TensorList(std::vector<OpTensor>& tensors)
      : tensors_(tensors), first_(tensors.size()), end_(tensors.size()) {}

  void add(const OpTensor& tensor);
  /// Drops what says nothing; how many are left.
  std::uint16_t finish();

 private:
  std::vector<OpTensor>& tensors_;
  std::size_t first_;
  std::size_t end_;
};

/// A cell read as a number: NaN for an empty cell (also `nan`, `-` and `None`), nothing for a text that is no
/// number or one beyond any time or count (10^18).
std::optional<double> cell_number(std::string_view cell);
/// The same for a number that did not have to be read: nothing where it is beyond any time or count.
std::optional<double> report_number(double number);

/// A size cell: `32`, `32.0` or `32[17]` (padded, logical in brackets). -1, -1 for an empty or wrong cell.
struct CellSize {
  std::int64_t padded = -1;
  std::int64_t logical = -1;
};

CellSize cell_size(std::string_view cell);

}  // namespace ttscope::perf
