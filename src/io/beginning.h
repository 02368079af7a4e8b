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

}  // namespace ttscope::io
