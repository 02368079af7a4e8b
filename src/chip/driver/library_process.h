#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace ttscope::chip {

/// What the host asks for. Data to be written follow it.
struct LibraryRequest {
  enum class Kind : std::uint32_t { kConfig, kRead, kWrite, kClock, kEnd };
  Kind kind = Kind::kEnd;
  std::uint32_t bytes = 0;
  std::uint64_t address = 0;
};

/// Stands before what was asked for; writes have no answer.
struct LibraryAnswer {
  static constexpr std::int32_t kRuns = -1;
  std::int32_t exit_code = kRuns;  ///< with which the library wanted to end the process
};

bool send_all(int to, const void* from, std::size_t bytes);
bool receive_all(int from, void* to, std::size_t bytes);

/// The child: loads the library and answers until it is told to end. When the library ends the process, its
/// clock stands still, but its memory can be read as before.
[[noreturn]] void serve_library(const std::string& path, int socket);

}  // namespace ttscope::chip
