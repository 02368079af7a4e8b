#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ttscope::io {

/// How much of an input is looked at. A report of a large machine begins with more than 100 KB about its
/// chips.
inline constexpr std::size_t kBeginningBytes = std::size_t{1} << 20;

/// What a path leads to.
enum class PathKind : std::uint8_t {
  kFile,
  kFolder,
  kStream,  ///< a pipe or the like: looking into it would take away what a reader needs
};

/// What can be seen of an input without reading it: enough to tell what it is.
struct Beginning {
  std::string path;
  PathKind path_kind = PathKind::kFile;
  /// The first bytes as the readers get them: unpacked, as UTF-8, without a byte order mark.
  std::string bytes{};
  bool is_whole = false;             ///< there is no more than `bytes`
  std::string warning{};             ///< what the reader says of them: cut or damaged
  std::vector<std::string> names{};  ///< of a folder: what lies in it, in order

  /// From the first character on that is no blank.
  std::string_view text() const;
  /// Holds zero bytes, which no text does.
  bool is_binary() const;
};

/// A file, a folder, or `-`: standard input, which can be looked into where it is a regular file; its
/// position is then behind what was read. Fails where there is nothing or it cannot be read.
Result<Beginning> read_beginning(const std::string& path);

/// The beginning of a text that is open as a whole.
Beginning beginning_of(std::string path, std::string_view whole);

/// A kind of file or folder that can be told by its content.
struct Format {
  std::string_view key;   ///< `ops_report`; for tests and JSON
  std::string_view what;  ///< in plain words, with its article: `an ops report of the profiler`
  /// What to do with one that no command of its own reads; `{}` stands for the path. Empty: the command of
  /// its subject reads it.
  std::string_view advice{};
  /// Tells it by its beginning; null for logs, whose telling lines may come late.
  bool (*is_beginning)(const Beginning& beginning) = nullptr;
  /// Tells a log by any part of it; null for the others.
  bool (*is_part)(std::string_view text) = nullptr;
  /// A log may begin like this too (with a configuration that its program prints, or in a container's JSON):
  /// it counts only where the text holds no telling line of a log.
  bool may_begin_log = false;
};

/// What inputs are called when there are several: the names of their folders, made distinct; of
/// files that are all in one folder their own names.
std::vector<std::string> input_names(const std::vector<std::string>& paths);

/// Tells whether logs are still being written. Made before they are read, asked after.
class GrowthWatch {
 public:
  explicit GrowthWatch(std::vector<std::string> paths);

  /// One of the files has grown since, or another process of this machine has it open for writing. How old a
  /// file is does not matter: a log that was copied a moment ago is not being written.
  bool is_being_written() const;

 private:
  std::vector<std::string> paths_;
  std::vector<std::int64_t> sizes_;  ///< -1: no regular file
};

}  // namespace ttscope::io
