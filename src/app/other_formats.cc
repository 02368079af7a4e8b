#include "app/other_formats.h"

#include <algorithm>
#include <array>

#include "base/json_shape.h"
#include "base/text_search.h"
#include "sim/config/training_config.h"

namespace ttscope::app {
namespace {

using namespace std::string_view_literals;

bool is_page(const io::Beginning& beginning) {
  const std::string start = lower(beginning.text().substr(0, 64));
  return start.starts_with("<!doctype html") || start.starts_with("<html");
}

}  // namespace

bool is_empty_file(const io::Beginning& beginning) {
  return beginning.path_kind == io::PathKind::kFile && beginning.is_whole && beginning.bytes.empty() &&
         beginning.warning.empty();
}

bool is_zip(const io::Beginning& beginning) { return beginning.bytes.starts_with("PK\x03\x04"sv); }

bool is_tar(const io::Beginning& beginning) {
  constexpr std::size_t kMagicAt = 257;
  const std::string_view bytes = beginning.bytes;
  return bytes.size() > kMagicAt && bytes.substr(kMagicAt).starts_with("ustar"sv);
}

bool is_other_archive(const io::Beginning& beginning) {
  constexpr std::array kStarts = {"\x04\x22\x4D\x18"sv, "7z\xBC\xAF\x27\x1C"sv, "Rar!\x1A\x07"sv,
                                  "LZIP\x01"sv, "\x1F\x9D"sv};
  return std::any_of(kStarts.begin(), kStarts.end(),
                     [&](std::string_view start) { return beginning.bytes.starts_with(start); });
}

bool is_spreadsheet(const io::Beginning& beginning) {
  return is_zip(beginning) &&
         (contains(beginning.bytes, "xl/") || contains(beginning.bytes, "[Content_Types].xml"));
}

bool is_other_database(const io::Beginning& beginning) {
  return beginning.bytes.starts_with("SQLite format 3");
}

bool is_own_page(const io::Beginning& beginning) {
  return is_page(beginning) && contains(beginning.bytes, "ttscope");
}

bool is_other_page(const io::Beginning& beginning) { return is_page(beginning); }

bool is_own_document(const io::Beginning& beginning) {
  constexpr std::size_t kHeadBytes = 256;
  const std::string_view head = beginning.text().substr(0, kHeadBytes);
  return looks_like_json(head) && has_json_key(head, "schema") && contains(head, "\"ttscope.");
}

bool is_own_perfetto_trace(const io::Beginning& beginning) {
  // The packet that forgets what was before it, then the names of tracks.
  return beginning.bytes.starts_with("\x0A\x04\x50\x01\x68\x01\x0A"sv);
}

bool is_chrome_trace(const io::Beginning& beginning) {
  constexpr std::size_t kHeadBytes = 256;
  return !beginning.is_binary() && looks_like_json(beginning.text()) &&
         has_json_list(beginning.text().substr(0, kHeadBytes), "traceEvents");
}

bool is_json_rows(const io::Beginning& beginning) {
  const std::string_view bytes = beginning.bytes;
  if (beginning.is_binary() || !bytes.starts_with("[\n{\"")) return false;
  const std::string_view first = bytes.substr(0, bytes.find('\n', 2));
  return first.ends_with('}') || first.ends_with("},");
}

bool is_mlir_module(const io::Beginning& beginning) {
  if (beginning.is_binary()) return false;
  const std::string_view text = beginning.text();
  return text.starts_with("module ") || text.starts_with("builtin.module") || text.starts_with("#loc") ||
         text.starts_with("// RUN:") || text.starts_with("#ttnn") || text.starts_with("#dram");
}

bool is_training_config(const io::Beginning& beginning) {
  return !beginning.is_binary() && sim::looks_like_training_config(beginning.text());
}

bool is_other_json(const io::Beginning& beginning) {
  return !beginning.is_binary() && looks_like_json(beginning.text());
}

bool is_tracy_table(const io::Beginning& beginning) {
  const std::string_view text = beginning.text();
  return text.starts_with("name,src_file,") || text.starts_with("MessageName,total_ns");
}

bool is_elf(const io::Beginning& beginning) {
  return beginning.bytes.starts_with(
      "\x7F"
      "ELF");
}

bool is_picture(const io::Beginning& beginning) {
  return beginning.bytes.starts_with("\x89PNG") || beginning.bytes.starts_with("\xFF\xD8\xFF") ||
         beginning.bytes.starts_with("%PDF") || beginning.text().starts_with("<svg");
}

}  // namespace ttscope::app
