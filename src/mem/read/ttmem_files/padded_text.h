#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace ttscope::mem {

/// The text of a JSON file with readable bytes behind its end, which a parser that reads in steps needs.
/// A byte order mark in front is left out.
class PaddedText {
 public:
  static constexpr std::size_t kPaddingBytes = 64;

  explicit PaddedText(std::string text);
  /// Maps a regular file, or what is unpacked of it; nothing when there is none of this name, also not with
  /// the end of a packed file. A file that another program shortens meanwhile ends the program with SIGBUS.
  static Result<std::optional<PaddedText>> open(const std::string& path);

  std::string_view text() const { return text_; }
  /// What stands behind the name that was asked for: `.gz`, or nothing.
  std::string_view packed_end() const { return packed_end_; }
  /// What is wrong with the packed data although text could be read; its end may be missing.
  const std::string& warning() const { return warning_; }

 private:
  PaddedText(std::string_view text, std::shared_ptr<const void> owner)
      : text_(text), owner_(std::move(owner)) {}
  static Result<std::optional<PaddedText>> open_as_named(const std::string& path);
  static Result<PaddedText> map(const FileDescriptor& file, const std::string& path);

  std::string_view text_;
  std::string warning_;
  std::string_view packed_end_;  ///< one of kPackedEnds
  std::shared_ptr<const void> owner_;
};

}  // namespace ttscope::mem
