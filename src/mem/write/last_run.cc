#include "mem/write/last_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "base/result.h"
#include "io/byte_reader.h"
#include "io/chunk_source.h"
#include "io/open_input.h"
#include "mem/model/log_lines.h"
#include "ui/text.h"

namespace ttscope::mem {
namespace {

/// Decides line by line; knows which rank a line belongs to.
class LineFilter {
 public:
  LineFilter(const RuntimeLog& log, const std::vector<RankCut>& cuts) {
    for (std::size_t i = 0; i < cuts.size(); ++i) ranks_[log.ranks[i].tag] = {&cuts[i], 0, 0, 0};
  }

  /// `number` counts from 1 and must grow.
  bool keeps(std::string_view line, std::uint32_t number) {
    std::string text;
    if (is_docker_line(line)) {
      append_docker_text(line, text);
      line = text;
    }
    const auto rank = ranks_.find(take_rank_tag(line));
    if (rank == ranks_.end()) return true;
    RankState& state = rank->second;
    return is_in_module(state, number) || !is_dropped(state, number);
  }

 private:
  struct RankState {
    const RankCut* cut = nullptr;
    std::size_t next_range = 0;
    std::size_t next_module = 0;
    std::uint32_t module_lines_left = 0;
  };

  static bool is_in_module(RankState& state, std::uint32_t number) {
    const auto& modules = state.cut->modules;
    while (state.next_module < modules.size() && modules[state.next_module].header < number)
      ++state.next_module;
    if (state.next_module < modules.size() && modules[state.next_module].header == number) {
      state.module_lines_left = modules[state.next_module].count;
      return true;
    }
    if (state.module_lines_left == 0) return false;
    --state.module_lines_left;
    return true;
  }

  static bool is_dropped(RankState& state, std::uint32_t number) {
    const auto& ranges = state.cut->dropped;
    while (state.next_range < ranges.size() && ranges[state.next_range].last < number) ++state.next_range;
    return state.next_range < ranges.size() && ranges[state.next_range].first <= number;
  }

  std::map<std::string, RankState, std::less<>> ranks_;
};

void copy_lines(std::string_view bytes, LineFilter& filter, CopiedLines& count, Writer& out) {
  while (!bytes.empty()) {
    const std::size_t newline = bytes.find('\n');
    const std::size_t length = newline == std::string_view::npos ? bytes.size() : newline + 1;
    const std::string_view line = bytes.substr(0, length);
    bytes.remove_prefix(length);
    ++count.read;
    if (!filter.keeps(line, static_cast<std::uint32_t>(count.read))) continue;
    ++count.kept;
    out.write(line);
  }
}

}  // namespace

bool is_packed_or_utf16(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(std::max(io::kMagicBytes, io::kEncodingBytes), '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return io::compression_of(head) != io::Compression::kNone || io::encoding_of(head) != io::Encoding::kBytes;
}

Result<CopiedLines> copy_last_run(const RuntimeLog& log, const std::vector<RankCut>& cuts, Writer& out) {
  const std::string& path = log.files.front();
  LineFilter filter(log, cuts);
  CopiedLines count;
  if (!is_packed_or_utf16(path)) {
    ASSIGN_OR_RETURN(const io::WholeText text, io::open_whole_text(path));
    copy_lines(text.bytes(), filter, count, out);
    return count;
  }
  const auto source = io::open_source(path);
  if (!source) return failure(source.error());
  while (true) {
    ASSIGN_OR_RETURN(const io::Chunk chunk, (*source)->next());
    if (chunk.bytes.empty()) return count;
    copy_lines(chunk.bytes, filter, count, out);
    if (chunk.cut_line) {
      return failure(bad_input(fmt::format(
          "{}:{}: line is too long to be copied from a compressed file; unpack it first", path, count.read)));
    }
  }
}

namespace {

std::string basis_text(const std::vector<RankCut>& cuts) {
  const bool by_markers = std::any_of(
      cuts.begin(), cuts.end(), [](const RankCut& cut) { return cut.basis == RankCut::Basis::kMarkers; });
  return by_markers ? "\"Got output shape:\" lines" : "programs that repeat";
}

}  // namespace

std::string last_run_text(const std::vector<RankCut>& cuts, const CopiedLines& lines) {
  std::uint64_t kept = 0;
  std::uint64_t dropped = 0;
  for (const RankCut& cut : cuts) {
    kept += cut.kept_programs;
    dropped += cut.dropped_programs;
  }
  if (kept + dropped == 0) {
    return fmt::format("no program lines found: the whole log is kept ({})", ui::counted(lines.kept, "line"));
  }
  if (dropped == 0) {
    return fmt::format("only one run found: the whole log is kept ({})", ui::counted(lines.kept, "line"));
  }
  return fmt::format("kept the last run, found by {}: {} of {}, {} of {}", basis_text(cuts),
                     ui::count_text(kept), ui::counted(kept + dropped, "program run"),
                     ui::count_text(lines.kept), ui::counted(lines.read, "line"));
}

}  // namespace ttscope::mem
