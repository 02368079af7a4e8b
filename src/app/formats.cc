#include "app/formats.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <system_error>

#include "base/json_reader.h"
#include "base/text.h"
#include "graph/load.h"
#include "io/chunk_source.h"
#include "mem/formats.h"
#include "mem/read/ttmem_files.h"
#include "perf/formats.h"
#include "phases/load.h"
#include "timeline/load.h"

namespace ttscope::app {

std::string_view name_of(Subject subject) {
  constexpr std::array<std::string_view, kSubjectCount> kNames = {"mem", "phases", "graph", "perf",
                                                                  "timeline"};
  return kNames[static_cast<std::size_t>(subject)];
}

namespace {

constexpr std::string_view kNotRead = "ttscope does not read it";
constexpr std::string_view kGiveSource = "give the file that it was made from";
constexpr std::string_view kOpenPerfetto =
    "open it in ui.perfetto.dev, and give ttscope what it was made from";
constexpr std::string_view kGiveCapture = "give the capture that it was made from (.tracy)";
constexpr std::string_view kGiveTtnn =
    "give the TTNN stage of the compiler (\"MLIR Module ttnn\", irs/ttnn_*.mlir), or the log of the run";
constexpr std::string_view kGiveFit = "`ttscope fit` tells whether it fits a device";
constexpr std::string_view kGiveLog = "give the log of the run that executed it";

// Files that no command reads, a format a line. What ttscope wrote itself looks like its sources.
// clang-format off
constexpr auto kBefore = std::to_array<io::Format>({
    {"empty", "an empty file", "nothing is in it", is_empty_file},
    {"own_document", "a JSON document that ttscope wrote", kGiveSource, is_own_document},
});
constexpr auto kBehind = std::to_array<io::Format>({
    {"perf_report_stack", "a stacked report of tt-perf-report", kGiveSource, perf::is_stacked_csv},
    {"own_page", "a report page of ttscope", "open it in a browser", is_own_page},
    {"page", "a page for browsers", kNotRead, is_other_page},
    {"spreadsheet", "a spreadsheet", "save the table as CSV first", is_spreadsheet},
    {"zip", "a zip archive", "unpack it first", is_zip},
    {"tar", "a tar archive", "unpack it first", is_tar},
    {"archive", "a packed file of a kind that ttscope does not read", "unpack it first", is_other_archive},
    {"database", "an SQLite database without graph captures", kNotRead, is_other_database},
    {"mlir", "an MLIR module of another stage", kGiveTtnn, is_mlir_module, nullptr, true},
    {"training_config", "a training configuration of tt-train", kGiveFit, is_training_config, nullptr, true},
    {"perfetto", "a Perfetto trace that `ttscope timeline -o` writes", kOpenPerfetto, is_own_perfetto_trace},
    {"chrome_trace", "trace events for chrome://tracing", kOpenPerfetto, is_chrome_trace},
    {"json_rows", "rows of a table", kGiveSource, is_json_rows},
    {"json", "a JSON file of a kind that ttscope does not know", kNotRead, is_other_json, nullptr, true},
    {"tracy_table", "a table that Tracy's csvexport wrote", kGiveCapture, is_tracy_table},
    {"elf", "a program or a library", kGiveLog, is_elf},
    {"picture", "a picture or a document", kNotRead, is_picture},
});

// clang-format on

const io::Format& told_of(const io::Format& format) { return format; }

template <typename Own>
const io::Format& told_of(const Own& format) {
  return format.told;
}

/// A training run may have op lines too, its summaries say more: phases stand before mem.
std::vector<Format> make_formats() {
  std::vector<Format> all;
  const auto add = [&](const auto& formats, std::optional<Subject> subject) {
    for (const auto& format : formats) all.push_back({told_of(format), subject});
  };
  add(kBefore, std::nullopt);
  add(perf::formats(), Subject::kPerf);
  add(phases::formats(), Subject::kPhases);
  add(graph::formats(), Subject::kGraph);
  add(mem::formats(), Subject::kMem);
  add(timeline::formats(), Subject::kTimeline);
  add(kBehind, std::nullopt);
  return all;
}

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats = make_formats();
  return kFormats;
}

const Format* find_format(std::string_view key) {
  const auto found = std::find_if(formats().begin(), formats().end(),
                                  [&](const Format& format) { return format.key == key; });
  return found == formats().end() ? nullptr : &*found;
}

const Format* format_of(const io::Beginning& beginning) {
  for (const Format& format : formats()) {
    if (format.is_beginning != nullptr && format.is_beginning(beginning)) return &format;
  }
  return nullptr;
}

const Format* better_log_format(std::string_view text, const Format* than) {
  for (const Format& format : formats()) {
    if (&format == than) return nullptr;
    if (format.is_part != nullptr && format.is_part(text)) return &format;
  }
  return nullptr;
}

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
  if (beginning.is_binary()) return false;
  const std::string_view text = beginning.text();
  for (const std::string_view section : {"training_config:", "transformer_config:"}) {
    for (std::size_t at = text.find(section); at != text.npos; at = text.find(section, at + 1)) {
      if (at == 0 || text[at - 1] == '\n') return true;
    }
  }
  return false;
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

KeptPosition::KeptPosition(const std::string& path)
    : position_(path == "-" ? ::lseek(STDIN_FILENO, 0, SEEK_CUR) : -1) {}

void KeptPosition::restore() const {
  if (position_ >= 0) ::lseek(STDIN_FILENO, position_, SEEK_SET);
}

namespace {

/// No log format stands before it, so that nothing else can be found.
bool is_first_log_format(const Format& format) {
  for (const Format& other : formats()) {
    if (other.is_part != nullptr) return &other == &format;
  }
  return false;
}

bool may_be_log(const Format* by_beginning) { return by_beginning == nullptr || by_beginning->may_begin_log; }

const Format* search_log(io::ChunkSource& source, std::uint64_t looked_further_bytes) {
  const Format* found = nullptr;
  std::uint64_t searched_behind = 0;
  while (found == nullptr || searched_behind < looked_further_bytes) {
    const Result<io::Chunk> chunk = source.next();
    if (!chunk || chunk->bytes.empty()) break;  // what is damaged is said by the reader
    if (const Format* better = better_log_format(chunk->bytes, found)) found = better;
    if (found == nullptr) continue;
    if (is_first_log_format(*found)) break;
    searched_behind += chunk->bytes.size();
  }
  return found;
}

/// Null: not told by it, or a stream, which cannot be looked into.
const Format* format_by_beginning(const std::string& path) {
  if (path == "-") return nullptr;
  const Result<io::Beginning> beginning = io::read_beginning(path);
  if (!beginning || beginning->path_kind == io::PathKind::kStream) return nullptr;
  return format_of(*beginning);
}

/// The format of a folder; null: a file, or nothing of ours.
const Format* known_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored) ? format_by_beginning(path) : nullptr;
}

std::string filled_in(std::string_view advice, const std::string& path) {
  std::string text(advice);
  for (std::size_t at = text.find("{}"); at != std::string::npos; at = text.find("{}", at + path.size())) {
    text.replace(at, 2, path);
  }
  return text;
}

std::string described(const std::string& path, const Format& format) {
  const std::string_view shown = path == "-" ? "standard input" : std::string_view(path);
  const std::string what_to_do = format.advice.empty()
                                     ? fmt::format("`ttscope {} {}` reads it", name_of(*format.subject), path)
                                     : filled_in(format.advice, path);
  return fmt::format("{}: this is {}; {}", shown, format.what, what_to_do);
}

}  // namespace

Result<Identified> identify(const std::string& path, std::uint64_t looked_further_bytes) {
  const KeptPosition kept(path);
  const Result<io::Beginning> beginning = io::read_beginning(path);
  kept.restore();
  if (!beginning) return failure(beginning.error());
  Identified found;
  found.path_kind = beginning->path_kind;
  found.warning = beginning->warning;
  if (found.path_kind == io::PathKind::kStream) return found;
  found.format = format_of(*beginning);
  if (found.path_kind == io::PathKind::kFolder || !may_be_log(found.format)) return found;
  const Result<std::unique_ptr<io::ChunkSource>> source = io::open_source(path);
  if (!source) return failure(source.error());
  if (const Format* log = search_log(**source, looked_further_bytes)) found.format = log;
  kept.restore();
  return found;
}

std::string wrong_kind_message(const std::string& path, const Format* format, Subject subject) {
  if (format == nullptr || format->key == "empty") return {};
  if (format->subject == subject && format->advice.empty()) return {};
  return described(path, *format);
}

std::string wrong_kind_message(const std::string& path, Subject subject) {
  const Result<Identified> found = identify(path);
  return found ? wrong_kind_message(path, found->format, subject) : std::string();
}

std::string wrong_format_message(const std::string& path, Subject subject, const OnlyFormat& only) {
  const Result<Identified> found = identify(path);
  if (!found || found->format == nullptr) return {};
  if (only.key.empty() || found->format->subject != subject || found->format->key == only.key)
    return wrong_kind_message(path, found->format, subject);
  Format other = *found->format;
  other.advice = only.advice;
  return described(path, other);
}

bool is_profile_by_beginning(const std::string& path) {
  const Result<io::Beginning> beginning = io::read_beginning(path);
  if (!beginning || beginning->path_kind != io::PathKind::kFile) return false;
  const Format* format = format_of(*beginning);
  return format != nullptr && format->subject && format->advice.empty();
}

bool is_named_as_report(const std::string& path) { return mem::run_file_of(path).has_value(); }

bool is_empty_input(const std::string& path) {
  const KeptPosition kept(path);
  const Result<io::Beginning> beginning = io::read_beginning(path);
  kept.restore();
  return beginning && is_empty_file(*beginning);
}

std::string archive_message(const std::string& path, const Format* format) {
  const bool is_archive = format != nullptr && (format->key == "tar" || format->key == "zip");
  return is_archive ? described(path, *format) : std::string();
}

std::string archive_message(const std::string& path) {
  const KeptPosition kept(path);
  const Result<io::Beginning> beginning = io::read_beginning(path);
  kept.restore();
  return beginning ? archive_message(path, format_of(*beginning)) : std::string();
}

std::string other_kind_message(const std::vector<std::string>& paths, Subject subject) {
  for (const std::string& path : paths) {
    const Format* const format = format_by_beginning(path);
    if (format == nullptr) continue;
    std::string message =
        format->may_begin_log ? wrong_kind_message(path, subject) : wrong_kind_message(path, format, subject);
    if (!message.empty()) return message;
  }
  return {};
}

std::string not_a_log_message(const std::string& path) {
  const Format* const folder = known_folder(path);
  return folder != nullptr ? described(path, *folder) : other_kind_message({path}, Subject::kMem);
}

std::string never_log_message(const std::string& path) {
  if (const Format* const folder = known_folder(path)) return described(path, *folder);
  const Format* const format = format_by_beginning(path);
  return may_be_log(format) ? std::string() : wrong_kind_message(path, format, Subject::kMem);
}

std::string not_a_profile_message(const std::string& path, const Identified& found) {
  if (found.format != nullptr) return described(path, *found.format);
  if (!found.warning.empty()) return found.warning;
  if (found.path_kind == io::PathKind::kStream) {
    return fmt::format("{}: cannot look into a stream to see what it is; save it as a file first", path);
  }
  if (found.path_kind == io::PathKind::kFolder) {
    return fmt::format(
        "{}: neither a folder of the device profiler nor one with the files of a memory report "
        "(NAME_memory.json)",
        path);
  }
  return fmt::format(
      "{}: not a profile: neither a runtime log (op lines or memory lines), nor a log with summaries of the "
      "tracker, nor a graph capture, nor a file of the device profiler",
      path);
}

void KindWatch::see(const std::string& path, std::string_view lines) {
  if (is_known_ || (!beginning_.path.empty() && beginning_.path != path)) return;
  beginning_.path = path;
  if (beginning_.bytes.size() < io::kBeginningBytes) {
    beginning_.bytes += lines.substr(0, io::kBeginningBytes - beginning_.bytes.size());
  }
  if (const Format* better = better_log_format(lines, log_format_)) log_format_ = better;
  is_known_ = log_format_ != nullptr && log_format_->subject == subject_;
}

const Format* KindWatch::format() const {
  if (beginning_.path.empty()) return nullptr;
  const Format* format = format_of(beginning_);
  const bool may_be_log = format == nullptr || format->may_begin_log;
  return may_be_log && log_format_ != nullptr ? log_format_ : format;
}

}  // namespace ttscope::app
