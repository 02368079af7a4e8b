#include "mem/read/runtime_log/module_collector.h"

#include <algorithm>
#include <cstring>

#include "mem/model/line_prefix.h"
#include "mem/read/runtime_log/module_parser.h"

namespace ttscope::mem {
namespace {

/// Some wrappers write the time or a level word before every line of a dump.
std::string_view without_line_stamp(std::string_view line) {
  constexpr std::string_view kRuntime = "RuntimeTTNN: ";
  if (line.substr(0, kRuntime.size()) == kRuntime) line.remove_prefix(kRuntime.size());
  return line;
}

}  // namespace

void ModuleCollector::walk(std::string_view bytes, bool stable, const ChunkScan& scan,
                           const std::vector<std::uint32_t>& rank_of_tag) {
  std::size_t next_header = 0;
  const auto advance_to_header = [&] {
    while (next_header < scan.records.size() && scan.records[next_header].kind != LineKind::kModuleHeader)
      ++next_header;
    return next_header < scan.records.size();
  };
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (at < end) {
    const bool has_header = advance_to_header();
    if (open_.empty()) {
      if (!has_header) return;
      at = scan.records[next_header].text.data();  // nothing of interest before it
    }
    const auto* newline = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    const char* const line_end = newline == nullptr ? end : newline;
    std::string_view line(at, static_cast<std::size_t>(line_end - at));
    at = newline == nullptr ? end : newline + 1;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (has_header && scan.records[next_header].text.data() + scan.records[next_header].text.size() <=
                          line.data() + line.size()) {
      open(scan.records[next_header], rank_of_tag[scan.records[next_header].tag]);
      ++next_header;
      continue;
    }
    const std::string_view tag = take_rank_tag(line);
    for (std::size_t i = 0; i < scan.tags.size(); ++i) {
      if (scan.tags[i] == tag) {
        take_line(line, stable, rank_of_tag[i]);
        break;
      }
    }
  }
}

void ModuleCollector::open(const LineRecord& header, std::uint32_t rank) {
  for (std::size_t i = 0; i < open_.size(); ++i) {
    if (open_[i].rank == rank) {
      close(i, true);
      break;
    }
  }
  ModuleDump module;
  module.stage = header.stage;
  module.file = file_;
  module.rank = rank;
  module.line = first_line_ + header.line;
  module.body_line = module.line + 1;
  open_.push_back({rank, static_cast<std::uint32_t>(trace_.modules.size()), kNotSeen});
  trace_.modules.push_back(std::move(module));
}

bool ModuleCollector::take_line(std::string_view line, bool stable, std::uint32_t rank) {
  for (std::size_t i = 0; i < open_.size(); ++i) {
    if (open_[i].rank != rank) continue;
    if (line.find("END OF MLIR MODULE") != std::string_view::npos || has_logger_prefix(line)) {
      close(i, true);
      return true;
    }
    std::string_view body = without_line_stamp(without_trailing_colour(line));
    const std::size_t blanks = std::min(body.find_first_not_of(" \t"), body.size());
    if (open_[i].indent == kNotSeen && blanks < body.size()) open_[i].indent = blanks;
    body.remove_prefix(std::min(blanks, open_[i].indent));
    trace_.modules[open_[i].module].lines.push_back(stable ? body : trace_.arena.copy(body));
    return true;
  }
  return false;
}

void ModuleCollector::close(std::size_t which, bool complete) {
  ModuleDump& module = trace_.modules[open_[which].module];
  module.complete = complete;
  const Place place{module.file, module.line};
  if (!complete) trace_.problems.add(LogProblem::kModuleCut, place);
  const bool has_functions =
      module.stage == Stage::kVhlo || parse_module(module, tables_);  // vhlo has its own dialect
  if (!has_functions) trace_.problems.add(LogProblem::kModuleUnparsed, place);
  if (auto system = find_system_description(module)) trace_.systems.push_back(std::move(*system));
  open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(which));
}

void ModuleCollector::end_file() {
  while (!open_.empty()) close(open_.size() - 1, false);
}

}  // namespace ttscope::mem
