#include "app/identify.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "app/kept_position.h"
#include "app/other_formats.h"
#include "io/chunk_source.h"
#include "mem/read/ttmem_files/ttmem_reader.h"

namespace ttscope::app {
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

}  // namespace ttscope::app
