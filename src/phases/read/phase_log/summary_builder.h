#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "phases/model/phase_log.h"
#include "phases/read/phase_log/phase_line.h"

namespace ttscope::phases {

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

}  // namespace ttscope::phases
