#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

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

}  // namespace ttscope::io
