#include "base/visible_writer.h"

#include "base/text_escape.h"
#include "base/utf8.h"

namespace ttscope {
namespace {

/// The bytes of `\x1b[1;31m` at the start of `text`; 0 where there is none.
std::size_t color_code_bytes(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

/// The bytes at the start of `text` that stay as they are; 0: they are made visible.
std::size_t kept_bytes(std::string_view text, TerminalCodes kept) {
  if (text.front() == '\n' || text.front() == '\t') return 1;
  if (text.starts_with("\r\n")) return 2;
  return kept == TerminalCodes::kColors ? color_code_bytes(text) : 0;
}

/// Whether all of it could be the beginning of a code for colors.
bool begins_color_code(std::string_view text) {
  constexpr std::size_t kLongest = 32;
  return text.size() <= kLongest &&
         (text.size() == 1 ||
          (text[1] == '[' && text.find_first_not_of("0123456789;", 2) == std::string_view::npos));
}

/// Where the last character or code of `text` begins if it is not whole, else the end.
std::size_t whole_bytes(std::string_view text) {
  if (text.ends_with('\r')) return text.size() - 1;
  const std::size_t escape = text.rfind('\x1b');
  if (escape != std::string_view::npos && begins_color_code(text.substr(escape))) return escape;
  constexpr std::size_t kLongest = 4;
  for (std::size_t back = 1; back < kLongest && back <= text.size(); ++back) {
    const auto lead = static_cast<unsigned char>(text[text.size() - back]);
    if ((lead & 0xC0) == 0x80) continue;
    const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    return size > back ? text.size() - back : text.size();
  }
  return text.size();
}

}  // namespace

std::string visible_lines(std::string_view text, TerminalCodes kept) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = printable_ascii_prefix(text);
    safe += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    std::size_t taken = kept_bytes(text, kept);
    if (taken > 0) {
      safe += text.substr(0, taken);
    } else {
      taken = decode_utf8(text).size_bytes;
      safe += terminal_safe(text.substr(0, taken));
    }
    text.remove_prefix(taken);
  }
  return safe;
}

Result<void> VisibleWriter::finish() {
  flush();
  if (!cut_.empty()) to_->write(visible_lines(cut_, kept_));
  cut_.clear();
  return to_->finish();
}

void VisibleWriter::drain(std::string_view bytes) {
  std::string joined;
  if (!cut_.empty()) {
    joined = std::move(cut_);
    joined += bytes;
    bytes = joined;
  }
  const std::size_t whole = whole_bytes(bytes);
  to_->write(visible_lines(bytes.substr(0, whole), kept_));
  cut_ = bytes.substr(whole);
}

}  // namespace ttscope
