#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/files.h"
#include "base/result.h"
#include "io/byte_reader.h"

namespace ttscope::io {

/// How the characters of a text are stored. Everything that is not UTF-16 is taken as it is.
enum class Encoding : std::uint8_t { kBytes, kUtf16LittleEndian, kUtf16BigEndian };

/// So much of the beginning is looked at.
inline constexpr std::size_t kEncodingBytes = 32;

/// What the first bytes of a text say: a byte order mark, or a zero in every second byte beside characters of
/// ASCII (what PowerShell's `>` and old tools leave).
Encoding encoding_of(std::string_view first_bytes);

/// The text of a reader as UTF-8, without a byte order mark in front. Of UTF-16, halves of characters without
/// their other half become U+FFFD and are counted in warning(). `name` is what the warning calls the input.
std::unique_ptr<ByteReader> make_text_reader(std::unique_ptr<ByteReader> bytes, std::string name);

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

/// All bytes of an input at once, for readers that go over them in parts or more than once.
struct WholeText {
  std::shared_ptr<const MappedFile> file;
  std::size_t start = 0;  ///< of the text: behind a byte order mark
  bool unpacked = false;
  std::string warning;  ///< what is wrong although text could be read (cut or damaged compressed data)

  std::string_view bytes() const {
    return file == nullptr ? std::string_view{} : file->bytes().substr(start);
  }
};

/// A plain file is mapped. Anything else (compressed, UTF-16, a pipe, `-`) is unpacked into a temporary file
/// without a name, so that it takes no memory and nothing is left behind.
Result<WholeText> open_whole_text(const std::string& path);

/// What is unpacked of an input, in such a temporary file: for readers that map it in their own way.
struct UnpackedFile {
  FileDescriptor file;
  std::string warning;  ///< as that of WholeText
};

Result<UnpackedFile> unpack_to_file(OpenInput input);

/// The bytes of a stream as they are, in such a temporary file: for an input that is read more than once.
Result<FileDescriptor> keep_stream(const std::string& path);

}  // namespace ttscope::io
