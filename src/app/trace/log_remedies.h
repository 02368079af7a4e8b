#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ttscope::app {

/// Whether the chips of a run were simulated, by what is in its `.logs`: the host that they exchange with is
/// simulated too, so that no exchange brings them to the clock of the host's zones.
bool uses_simulated_chips(const std::string& logs);

/// What a program printed about full profiler buffers.
struct DropWarnings {
  std::uint64_t count = 0;
  std::uint64_t full_words = 0;  ///< of the fullest buffer; 0: not said
};

DropWarnings drop_warnings_in(std::string_view output);

/// What a run's logs say about programs that the devices did not keep.
struct DroppedPrograms {
  std::uint64_t ops = 0;            ///< that the host told of devices
  std::uint64_t without_data = 0;   ///< of them: no device file knows them
  bool has_empty_log = false;       ///< the devices were read, and had recorded nothing
  std::uint64_t fitting_count = 0;  ///< support count with which all would have been kept; 0: not known
  bool is_guessed = false;          ///< programs were lost of which nothing was kept: it may take more
  std::uint64_t share_words = 12;   ///< of a buffer, for each program of the support count
  std::uint64_t kept = 0;           ///< programs of the run's mean size that fit; 0: not known
};

/// Reads the logs of a run; without them all is unknown. Programs take more of a buffer than their share of
/// the support count where kernels mark zones: so what each takes is counted in the device log, those of
/// which nothing was kept are taken for what the same program took, else for the mean.
DroppedPrograms dropped_programs(const std::string& logs, const DropWarnings& warnings);

/// The end of what a program printed, which has the warnings; empty: no such file.
std::string end_of_output(const std::string& path);

/// Of the warning of a process whose devices the run does not record.
inline constexpr std::string_view kDevicesOfOneProcess = "is not in the logs of this run: process ";

/// A warning that the runtime printed, and what helps.
struct LogRemedy {
  std::string what;    ///< with how often it came
  std::string remedy;  ///< what to type, with the value filled in
};

/// What is known of a run beside its log.
struct TracedRunFacts {
  std::uint32_t support_count = 1000;  ///< programs that the device kept between reads
  std::string logs;                    ///< of the run: what its programs took; empty: not known
  bool synchronized = false;
  bool simulated = false;  ///< chips and the host that they exchange with: nothing brings them to real time
  bool has_host = true;
  bool has_device = true;
};

/// Finds the profiler's warnings in what a program printed (`text` may be the end of a long log).
std::vector<LogRemedy> remedies_for_log(const std::string& text, const TracedRunFacts& facts);

/// The same of a log, of which the end is looked at. One that is not there holds no warning.
std::vector<LogRemedy> remedies_for_log_file(const std::string& path, const TracedRunFacts& facts);

/// The support count that keeps all programs of a run that dropped markers; twice what its buffers held where
/// the logs do not tell.
struct AdvisedCount {
  std::uint64_t count = 0;
  std::string_view doubt;  ///< why more may be needed; empty: it suffices
};

AdvisedCount advised_support_count(const DroppedPrograms& dropped, const DropWarnings& warnings);

}  // namespace ttscope::app
