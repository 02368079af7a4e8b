#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"
#include "base/result.h"
#include "io/byte_reader.h"

namespace ttscope::io {

/// An input that is open and not read yet.
struct OpenInput {
  FileDescriptor file;
  std::string name;              ///< what messages call it
  std::uint64_t size_bytes = 0;  ///< 0 if unknown
  std::uint64_t start = 0;       ///< where in a regular file the reading starts
  bool regular = false;
};

/// Opens a path, `-` for standard input. A folder is an error.
Result<OpenInput> open_input(const std::string& path);

/// Whether text that begins so can be used as it is: neither compressed nor UTF-16.
bool is_plain_text(std::string_view first_bytes);
/// Where the text begins in a regular file of plain text, whose bytes can be used as they are: where the
/// reading starts, behind a byte order mark. None: another file.
Result<std::optional<std::uint64_t>> plain_text_start(const OpenInput& input);

/// Its plain bytes, decompressed and made UTF-8 if need be; the kind is found by content.
Result<std::unique_ptr<ByteReader>> open_byte_reader(OpenInput input);

}  // namespace ttscope::io
