#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/chunk_source.h"
#include "phases/model/phase_log.h"

namespace ttscope::phases {

/// Reads the summaries of MemoryUsageTracker in training logs: plain, gzip or zstd files, `-` for standard
/// input. Any number of summaries, names and other lines; see docs/formats/phase_log.md. An error means that
/// a file cannot be read; a log without summaries gives none.
Result<PhaseLog> read_phase_logs(const std::vector<std::string>& paths,
                                 const io::SourceOptions& options = {});

/// The whole text of a log with line ends as `\n`, as a program sees it that opens a file as text.
Result<std::string> read_log_text(const std::string& path);

/// What a line of a training log is.
enum class PhaseLineKind : std::uint8_t {
  kOther,
  kBlank,
  kRule,             ///< `########` or `========`
  kSummaryStart,     ///< `=== Memory Usage Summary ===`
  kPhaseHeader,      ///< `--- FORWARD_PASS ---`
  kDram,             ///< `DRAM: Segment Peak ...`, `DRAM: Cumulative Peak ...`, or one figure alone
  kL1,               ///< `L1: Peak CB 0.29 MB, Peak Buffer 0.00 MB, Peak Total 0.29 MB`
  kTotals,           ///< `Overall DRAM Peak: 8278.65 MB, Final DRAM Usage: 7427.65 MB`
  kParameters,       ///< `Total parameters: 969369600`, `params  969,369,600`
  kDeviceMemory,     ///< `Available Device Memory: 12288 MB`, `memory  12,288 MB`
  kDevices,          ///< `mesh  1x8`, `Mesh peak: 148.5 TFLOPS (bf16, 8 devices)`
  kBatch,            ///< `- Batch size: 4`, `batch size  4`
  kOverwritten,      ///< `WARNING: Snapshot 'NAME' already exists, overwriting`
  kNothingCaptured,  ///< `WARNING: No traces captured`
  kFailure,          ///< `Out of Memory: Not enough space to allocate ...`
};

/// One line, taken apart. Views are into the line given.
struct PhaseLine {
  PhaseLineKind kind = PhaseLineKind::kOther;
  std::optional<std::uint32_t> rank;  ///< of a launcher's prefix
  std::string_view text;              ///< without prefix and outer blanks; the name of a header
  std::array<std::optional<double>, kDramFieldCount> dram_mb{};
  PhaseL1 l1;
  double number = 0;  ///< parameters, MB of the devices, devices, the overall peak
  std::optional<double> final_mb;
  bool damaged = false;  ///< a figure of it could not be read
};

/// Reads one line without its line end. `clean` takes the text when terminal colors have to be removed; the
/// views then point into it.
PhaseLine read_phase_line(std::string_view line, std::string& clean);

/// `+1,863.25 MB` at the start of `text`, blanks before it allowed. Absent if it is none or too large to be a
/// size.
std::optional<double> read_mb(std::string_view text);

/// Makes summaries of the lines of one file, given in order. Lines of several ranks may be mixed. Not thread
/// safe.
class SummaryBuilder {
 public:
  /// `log` gets the summaries and problems and must outlive the builder.
  SummaryBuilder(PhaseLog& log, std::uint32_t file) : log_(log), file_(file) {}

  void add(const PhaseLine& line, std::uint32_t number);
  /// The end of the file: what is open was cut.
  void finish();

 private:
  /// A title between two rules, which trainers print above a run.
  struct Heading {
    bool after_rule = false;
    std::string candidate;
    std::string found;
  };
  /// What is known of the lines with one rank prefix, or without any.
  struct Stream {
    std::optional<PhaseSummary> open;
    std::optional<PhaseRecord> phase;
    bool phase_has_figures = false;
    RunFacts facts;
    Heading heading;
    std::string line_above;  ///< the last line that says nothing else, if only blank ones follow
  };

  Stream& stream_of(const PhaseLine& line);
  void start_summary(Stream& stream, std::optional<std::uint32_t> rank, std::uint32_t number);
  void start_phase(Stream& stream, const PhaseLine& line, std::uint32_t number);
  void add_figures(Stream& stream, const PhaseLine& line, std::uint32_t number);
  void add_totals(Stream& stream, const PhaseLine& line, std::uint32_t number);
  void add_failure(Stream& stream, std::optional<std::uint32_t> rank, std::uint32_t number);
  void add_fact(Stream& stream, const PhaseLine& line, std::uint32_t number);
  void close_phase(Stream& stream);
  void close_summary(Stream& stream);
  RunFacts facts_for(const Stream& stream) const;
  void count(PhaseProblem problem, std::uint32_t number) { log_.problems.add(problem, {file_, number}); }

  PhaseLog& log_;
  std::uint32_t file_;
  std::map<std::uint32_t, Stream> ranks_;
  Stream plain_;
};

/// Whether a part of a log holds the beginning of a tracker's summary or figures of a phase. They come at the
/// end of a training step, far behind the beginning of the log.
bool has_summary_lines(std::string_view text);

/// A decimal number at the start of `text`, blanks and a sign before it allowed, with or without thousands
/// separators: `969,369,600`, `+1863.25`. `used` gets how much of the text it took.
std::optional<double> read_log_number(std::string_view text, std::size_t* used);

}  // namespace ttscope::phases
