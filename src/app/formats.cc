#include "app/formats.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "base/json_reader.h"
#include "base/result.h"
#include "base/text.h"
#include "graph/load.h"
#include "io/chunk_source.h"
#include "mem/formats.h"
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
constexpr std::string_view kSourceHint = "give the file that it was made from";
constexpr std::string_view kOpenPerfetto =
    "open it in ui.perfetto.dev, and give ttscope what it was made from";
constexpr std::string_view kCaptureHint = "give the capture that it was made from (.tracy)";
constexpr std::string_view kTtnnHint =
    "give the TTNN stage of the compiler (\"MLIR Module ttnn\", irs/ttnn_*.mlir), or the log of the run";
constexpr std::string_view kFitHint = "`ttscope fit` tells whether it fits a device";
constexpr std::string_view kLogHint = "give the log of the run that executed it";

using namespace std::string_view_literals;

bool is_empty_file(const io::Beginning& beginning) {
  return beginning.path_kind == io::PathKind::kFile && beginning.is_whole && beginning.bytes.empty() &&
         beginning.warning.empty();
}

bool is_spreadsheet(const io::Beginning& beginning) {
  return beginning.bytes.starts_with("PK\x03\x04"sv) &&
         (contains(beginning.bytes, "xl/") || contains(beginning.bytes, "[Content_Types].xml"));
}

/// A JSON document that ttscope wrote: its schema is `ttscope.mem/1` or the like.
bool is_own_document(const io::Beginning& beginning) {
  constexpr std::size_t kHeadBytes = 256;
  const std::string_view head = beginning.text().substr(0, kHeadBytes);
  return looks_like_json(head) && has_json_key(head, "schema") && contains(head, "\"ttscope.");
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

// Files that no command reads, a format a line. What ttscope wrote itself looks like its sources.
// clang-format off
constexpr auto kFormatsBefore = std::to_array<Format>({
    {{"empty", "an empty file", "nothing is in it", is_empty_file}},
    {{"own_document", "a JSON document that ttscope wrote", kSourceHint, is_own_document}},
});
constexpr auto kFormatsAfter = std::to_array<Format>({
    {{"perf_report_stack", "a stacked report of tt-perf-report", kSourceHint, perf::is_stacked_csv}},
    {{"own_page", "a report page of ttscope", "open it in a browser"}, {},
     {{"<!doctype html", "<!DOCTYPE html", "<!DOCTYPE HTML", "<html", "<HTML"}, 0, "ttscope"}},
    {{"page", "a page for browsers", kNotRead}, {},
     {{"<!doctype html", "<!DOCTYPE html", "<!DOCTYPE HTML", "<html", "<HTML"}}},
    {{"spreadsheet", "a spreadsheet", "save the table as CSV first", is_spreadsheet}},
    {{"zip", "a zip archive", "unpack it first"}, {}, {{"PK\x03\x04"}}},
    {{"tar", "a tar archive", "unpack it first"}, {}, {{"ustar"}, 257}},
    {{"archive", "a packed file of a kind that ttscope does not read", "unpack it first"}, {},
     {{"\x04\x22\x4D\x18", "7z\xBC\xAF\x27\x1C", "Rar!\x1A\x07", "LZIP\x01", "\x1F\x9D"}}},
    {{"database", "an SQLite database without graph captures", kNotRead}, {}, {{"SQLite format 3"}}},
    {{"mlir", "an MLIR module of another stage", kTtnnHint, nullptr, nullptr, true}, {},
     {{"module ", "builtin.module", "#loc", "// RUN:", "#ttnn", "#dram"}}},
    {{"training_config", "a training configuration of tt-train", kFitHint, is_training_config, nullptr, true}},
    // The packet that forgets what was before it, then the names of tracks.
    {{"perfetto", "a Perfetto trace that `ttscope timeline -o` writes", kOpenPerfetto}, {},
     {{"\x0A\x04\x50\x01\x68\x01\x0A"}}},
    {{"chrome_trace", "trace events for chrome://tracing", kOpenPerfetto}, {}, {{"{"}, 0, "\"traceEvents\""}},
    // As `ttscope export` and `ttscope sql` write it.
    {{"json_rows", "rows of a table", kSourceHint}, {}, {{"[\n{\""}}},
    {{"json", "a JSON file of a kind that ttscope does not know", kNotRead, is_other_json, nullptr, true}},
    {{"tracy_table", "a table that Tracy's csvexport wrote", kCaptureHint}, {},
     {{"name,src_file,", "MessageName,total_ns"}}},
    {{"elf", "a program or a library", kLogHint}, {}, {{"\x7F""ELF"}}},
    {{"picture", "a picture or a document", kNotRead}, {}, {{"\x89PNG", "\xFF\xD8\xFF", "%PDF", "<svg"}}},
});
// clang-format on

bool begins_with(const io::Beginning& beginning, const FirstBytes& first) {
  const std::string_view bytes = beginning.bytes;
  if (bytes.size() < first.at || !contains(bytes, first.and_holds)) return false;
  return std::any_of(first.any_of.begin(), first.any_of.end(), [&](std::string_view start) {
    if (start.empty()) return false;
    return bytes.substr(first.at).starts_with(start) ||
           (first.at == 0 && beginning.text().starts_with(start));
  });
}

/// A training run may have op lines too, its summaries say more: phases stand before mem.
std::vector<Format> make_formats() {
  std::vector<Format> all;
  const auto add = [&](const auto& formats, Subject subject) {
    for (const auto& format : formats) all.push_back({format.detector, subject});
  };
  all.insert(all.end(), kFormatsBefore.begin(), kFormatsBefore.end());
  add(perf::formats(), Subject::kPerf);
  add(phases::formats(), Subject::kPhases);
  add(graph::formats(), Subject::kGraph);
  add(mem::formats(), Subject::kMem);
  add(timeline::formats(), Subject::kTimeline);
  all.insert(all.end(), kFormatsAfter.begin(), kFormatsAfter.end());
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
    if (format.is_beginning != nullptr ? format.is_beginning(beginning)
                                       : begins_with(beginning, format.first_bytes))
      return &format;
  }
  return nullptr;
}

const Format* preferred_log_format(std::string_view text, const Format* than) {
  for (const Format& format : formats()) {
    if (&format == than) return nullptr;
    if (format.is_part != nullptr && format.is_part(text)) return &format;
  }
  return nullptr;
}

SavedPosition::SavedPosition(const std::string& path)
    : position_(path == "-" ? ::lseek(STDIN_FILENO, 0, SEEK_CUR) : -1) {}

void SavedPosition::restore() const {
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

const Format* search_log(io::ChunkSource& source, std::uint64_t looked_further_bytes) {
  const Format* found = nullptr;
  std::uint64_t searched_bytes = 0;
  while (found == nullptr || searched_bytes < looked_further_bytes) {
    const Result<io::Chunk> chunk = source.next();
    if (!chunk || chunk->bytes.empty()) break;  // what is damaged is said by the reader
    if (const Format* better = preferred_log_format(chunk->bytes, found)) found = better;
    if (found == nullptr) continue;
    if (is_first_log_format(*found)) break;
    searched_bytes += chunk->bytes.size();
  }
  return found;
}

std::string with_path(std::string_view advice, const std::string& path) {
  std::string text(advice);
  for (std::size_t at = text.find("{}"); at != std::string::npos; at = text.find("{}", at + path.size())) {
    text.replace(at, 2, path);
  }
  return text;
}

bool may_be_log(const Format* by_beginning) { return by_beginning == nullptr || by_beginning->may_begin_log; }

}  // namespace

Result<Detected> detect(const std::string& path, LogSearch search) {
  const SavedPosition kept(path);
  const Result<io::Beginning> beginning = io::read_beginning(path);
  kept.restore();
  if (!beginning) return failure(beginning.error());
  Detected found;
  found.path = path;
  found.path_kind = beginning->path_kind;
  found.warning = beginning->warning;
  if (found.path_kind == io::PathKind::kStream) return found;
  found.format = format_of(*beginning);
  found.may_be_log = found.path_kind == io::PathKind::kFile && may_be_log(found.format);
  if (!found.may_be_log || search == LogSearch::kBeginning) return found;
  ASSIGN_OR_RETURN(const std::unique_ptr<io::ChunkSource> source, io::open_source(path));
  constexpr std::uint64_t kFurtherBytes = std::uint64_t{64} << 20;
  const std::uint64_t further_bytes = search == LogSearch::kFirstLine ? 0
                                      : search == LogSearch::kFurther
                                          ? kFurtherBytes
                                          : std::numeric_limits<std::uint64_t>::max();
  if (const Format* log = search_log(*source, further_bytes)) found.format = log;
  kept.restore();
  return found;
}

std::string kind_text(const Detected& found, std::string_view advice) {
  const std::string& path = found.path;
  if (found.format != nullptr) {
    const Format& format = *found.format;
    if (advice.empty()) advice = format.advice;
    return fmt::format("{}: this is {}; {}", path == "-" ? "standard input" : path, format.what,
                       advice.empty()
                           ? fmt::format("`ttscope {} {}` reads it", name_of(*format.subject), path)
                           : with_path(advice, path));
  }
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

std::string wrong_kind(const Detected& found, const Wanted& wanted) {
  if (found.format == nullptr || found.is("empty")) return {};
  if (found.format->subject != wanted.subject) return kind_text(found);
  if (!wanted.format.empty() && !found.is(wanted.format)) return kind_text(found, wanted.advice);
  const bool is_folder = found.path_kind == io::PathKind::kFolder;
  return found.is_profile() && !(wanted.only_logs && is_folder) ? std::string() : kind_text(found);
}

std::string wrong_kind_among(const std::vector<std::string>& paths, const Wanted& wanted) {
  for (const std::string& path : paths) {
    if (path == "-") continue;
    Result<Detected> found = detect(path, LogSearch::kBeginning);
    if (!found || found->format == nullptr) continue;
    if (found->may_be_log && wanted.is_growing) continue;
    if (found->may_be_log) found = detect(path);
    if (!found) continue;
    if (std::string message = wrong_kind(*found, wanted); !message.empty()) return message;
  }
  return {};
}

void KindDetector::see(const std::string& path, std::string_view lines) {
  if (is_known_ || (!beginning_.path.empty() && beginning_.path != path)) return;
  beginning_.path = path;
  if (beginning_.bytes.size() < io::kBeginningBytes) {
    beginning_.bytes += lines.substr(0, io::kBeginningBytes - beginning_.bytes.size());
  }
  if (const Format* better = preferred_log_format(lines, log_format_)) log_format_ = better;
  is_known_ = log_format_ != nullptr && log_format_->subject == subject_;
}

Detected KindDetector::detected() const {
  Detected found;
  found.path = beginning_.path;
  if (found.path.empty()) return found;
  found.format = format_of(beginning_);
  found.may_be_log = may_be_log(found.format);
  if (found.may_be_log && log_format_ != nullptr) found.format = log_format_;
  return found;
}

}  // namespace ttscope::app
