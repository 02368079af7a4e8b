#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phases/model/phase_log.h"
#include "phases/write/plot.h"

namespace ttscope::phases {

/// How a release of analyze_memory.py reads a log. A set is chosen by the words of the log, in
/// read_classic_log() alone, and handed down with what was read.
struct ClassicRules {
  /// So far above a summary, in characters, the script looks for its title and its facts.
  std::size_t window_characters = 1000;
  /// The words before the number of parameters.
  std::string_view parameters_prefix = "Total parameters:";
  /// The rows of the trainers' table are read as well: `params  969,369,600`, `memory  12,288 MB`.
  bool reads_table = true;
  /// The device memory that is assumed where none is given; absent: that is an error.
  std::optional<double> assumed_device_mb{};
};

inline constexpr ClassicRules kCurrentClassicRules{};
/// The first release assumed devices of 12 GiB.
inline constexpr ClassicRules kFirstClassicRules{500, "Number of parameters:", false, 12.0 * 1024};

/// The phases that analyze_memory.py knows; it drops all others.
enum class ClassicPhase : std::uint8_t { kModel, kOptimizer, kForward, kBackward };

inline constexpr std::size_t kClassicPhaseCount = 4;

/// A summary as analyze_memory.py reads it.
struct ClassicSection {
  std::string name;
  std::optional<double> parameters;
  std::optional<double> device_memory_mb;
  /// The six figures of each phase that is there, as printed; 0 for what is no number.
  std::array<std::optional<std::array<double, kDramFieldCount>>, kClassicPhaseCount> phases{};
  std::optional<double> peak_mb;
};

struct ClassicLog {
  std::vector<ClassicSection> sections;
  ClassicRules rules;  ///< of the release whose words the log has
};

/// Reads a log exactly as analyze_memory.py does, with all that it overlooks: what its users compare with.
/// `text` has `\n` line ends.
ClassicLog read_classic_log(std::string_view text);

/// The sizes that analyze_memory.py compares with, in MB of 1048576 bytes; one set for all sections.
struct ClassicSizes {
  double model_mb = 0;
  double optimizer_mb = 0;
  double gradients_mb = 0;
  double device_mb = 0;
};

/// The number of parameters that the model's size is taken from: that of the first section which has one.
std::optional<double> classic_parameters(const ClassicLog& log);
/// The first device memory found.
std::optional<double> classic_device_mb(const ClassicLog& log);

/// Sizes in bytes that the user gives.
struct ClassicUserSizes {
  std::optional<double> model_bytes;
  std::optional<double> optimizer_bytes;
  std::optional<double> gradients_bytes;
  std::optional<double> device_bytes;
};

/// The sizes that the script compares with, and where it has them from.
struct FoundClassicSizes {
  enum class Missing { kNothing, kModel, kDevice };

  ClassicSizes sizes;
  std::optional<double> parameters;     ///< the model's size was worked out from these
  std::optional<double> log_device_mb;  ///< the log tells the device's memory
  Missing missing = Missing::kNothing;  ///< what ends the script; the sizes before it are there
};

FoundClassicSizes find_classic_sizes(const ClassicLog& log, const ClassicUserSizes& given);

/// The bar of a section: what analyze_memory.py stacks, with its flaws (docs/phases.md).
struct ClassicBreakdown {
  double model_mb = 0;
  double optimizer_mb = 0;
  double activations_mb = 0;
  double gradients_overhead_mb = 0;
  double other_mb = 0;  ///< never below 0
  double total_mb = 0;
  double device_mb = 0;
};

/// Absent for a section without an overall peak.
std::optional<ClassicBreakdown> classic_breakdown(const ClassicSection& section, const ClassicSizes& sizes,
                                                  bool use_actual_sizes);

/// Figures of a phase by field; absent when the section has no such phase.
std::optional<double> classic_mb(const ClassicSection& section, ClassicPhase phase, DramField field);
/// What is left after the backward pass above what was there before the forward pass.
std::optional<double> classic_gradients_mb(const ClassicSection& section);
/// (actual - expected) / expected in percent, 0 when nothing is expected.
double classic_difference(double actual_mb, double expected_mb);

/// The bar that analyze_memory.py draws for a section.
PlotPanel classic_panel(const std::string& name, const ClassicBreakdown& bar);

/// The lines that say which sizes were found in the log.
std::string classic_sizes_text(const FoundClassicSizes& found);
/// What the script's exception says when it has not found what it needs; empty when it has.
std::string_view classic_missing_text(const FoundClassicSizes& found);
/// One section of what analyze_memory.py prints, character by character.
std::string classic_section_text(const ClassicSection& section, const ClassicSizes& sizes);
/// The lines behind the last section.
std::string classic_end_text();
/// `1,848.93`, with commas and two decimals.
std::string classic_number(double number);
/// `969,369,600`.
std::string classic_count(double number);

}  // namespace ttscope::phases
