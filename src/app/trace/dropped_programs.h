#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ttscope::app {

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

}  // namespace ttscope::app
