#include "support/random_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace ttscope::testing {
namespace {

bool has(const std::string& line, std::string_view part) { return line.find(part) != std::string::npos; }
bool is_op(const std::string& line) { return has(line, "Executing operation:"); }
bool is_header(const std::string& line) { return has(line, "Device memory state before operation"); }
bool is_view(const std::string& line) { return has(line, "MemoryView{"); }
bool is_retained(const std::string& line) { return has(line, "Tensor is retained"); }

std::size_t end_of_block(const std::vector<std::string>& lines, std::size_t header) {
  std::size_t end = header + 1;
  while (end < lines.size() && is_view(lines[end])) ++end;
  return end;
}

void erase(std::vector<std::string>& lines, std::size_t begin, std::size_t end) {
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(begin),
              lines.begin() + static_cast<std::ptrdiff_t>(end));
}

/// [op A] [block A] [op B] becomes [op A] [op B] [block A].
void displace_block(std::vector<std::string>& lines, std::size_t header) {
  const std::size_t end = end_of_block(lines, header);
  if (end >= lines.size() || !is_op(lines[end])) return;
  std::rotate(lines.begin() + static_cast<std::ptrdiff_t>(header),
              lines.begin() + static_cast<std::ptrdiff_t>(end),
              lines.begin() + static_cast<std::ptrdiff_t>(end) + 1);
}

void damage_line(std::vector<std::string>& lines, std::size_t at, Dice& dice) {
  std::string& line = lines[at];
  if (is_header(line)) {
    switch (dice.below(4)) {
      case 0:
        return displace_block(lines, at);
      case 1:
        return erase(lines, at, end_of_block(lines, at));
      default:
        return erase(lines, at, at + 1);
    }
  }
  if (is_view(line)) {
    if (dice.one_in(2)) return erase(lines, at, at + 1);
    const std::size_t begin = line.find("MemoryView{") + 11;
    line.resize(begin + static_cast<std::size_t>(dice.below(static_cast<int>(line.size() - begin))));
    return;
  }
  if (is_op(line)) {
    if (dice.one_in(2)) {
      const std::size_t begin = line.find("operation: ") + 11;
      line.resize(begin + static_cast<std::size_t>(dice.below(static_cast<int>(line.size() - begin))));
      return;
    }
    std::size_t end = at + 1;  // what an op says of itself is lost with it
    while (end < lines.size() && !is_op(lines[end]) && !has(lines[end], "execution of program")) ++end;
    return erase(lines, at, end);
  }
  if (!is_retained(line)) erase(lines, at, at + 1);
}

std::string time_text(Dice& dice) {
  return fmt::format("2026-05-29 17:{:02}:{:02}.{:03}", dice.below(60), dice.below(60), dice.below(1000));
}

/// Text in front of a line that says nothing about its rank.
std::string glued(Dice& dice) {
  switch (dice.below(9)) {
    case 0:
      return "tests/models/test_llama.py::test_decode[1-layer] ";
    case 1:
      return "   0.26 Mbps / 19.1% =   1.38 Mbps | Tx: 1.2 MB | 57.2 MB | 18.97 s";
    case 2:
      return "[SERVER] ";
    case 3:
      return "ERROR 10-23 04:15:50 [engine.py:187] ";
    case 4:
      return time_text(dice) + " | INFO     | worker:forward:42 - ";
    case 5:
      return time_text(dice) + " | INFO     | ";
    default:
      return "";
  }
}

enum class Wrapping { kPlain, kCi, kGlued, kMpirun, kCiMpirun, kHost };

std::string front_of(Wrapping wrapping, int rank, Dice& dice) {
  const std::string ci = fmt::format("2025-10-14T04:33:{:02}.{:07}Z ", dice.below(60), dice.below(10000000));
  const std::string mpirun = fmt::format("[1,{}]<{}>: ", rank, dice.one_in(2) ? "stdout" : "stderr");
  switch (wrapping) {
    case Wrapping::kCi:
      return ci;
    case Wrapping::kGlued:
      return glued(dice);
    case Wrapping::kMpirun:
      return mpirun;
    case Wrapping::kCiMpirun:
      return ci + mpirun;
    case Wrapping::kHost:
      return fmt::format("[{}] [host=bh-glx-{}] ", time_text(dice), rank);
    case Wrapping::kPlain:
      break;
  }
  return "";
}

std::string foreign_line(Dice& dice) {
  static const std::array<std::string, 12> kLines = {
      "",
      "2026-04-23 17:58:35.093 (  13.930s) [        D17FA6C0]      module_builder.cc:1278     1| compiled in "
      "3 s",
      "2026-05-14 01:00:31.755 | critical |          Always | TT_THROW: something else (assert.hpp:104)",
      "                 Always |    DEBUG | Device grid size = { 8, 8 }",
      "            RuntimeTTNN |    TRACE | \x1b[1mrun.cpp:12\x1b[0m - nothing of interest",
      "[LayoutConvMem] before: 12 after: 14 | Device memory",
      "warning: caf\xe9 \xff\xfe is not UTF-8",
      std::string("nul \0 inside", 12),
      "Executing command: Submit",
      "  %0 = stablehlo.add %arg0, %arg1 : tensor<2xf32>",
      "E       RuntimeError: Bad StatusOr access: INTERNAL: Error code: 13",
      "Tensor is retained, will not be deallocated",
  };
  if (dice.one_in(30)) return std::string(20000, 'x');
  return kLines[static_cast<std::size_t>(dice.below(static_cast<int>(kLines.size())))];
}

/// Takes lines of the ranks in turn, a few at a time.
std::vector<std::pair<int, std::string>> interleaved(const std::vector<std::vector<std::string>>& ranks,
                                                     Dice& dice) {
  std::vector<std::size_t> next(ranks.size(), 0);
  std::size_t left = 0;
  for (const auto& lines : ranks) left += lines.size();
  std::vector<std::pair<int, std::string>> all;
  while (left > 0) {
    const auto rank = static_cast<std::size_t>(dice.below(static_cast<int>(ranks.size())));
    for (int i = 1 + dice.below(7); i > 0 && next[rank] < ranks[rank].size(); --i, --left) {
      all.emplace_back(static_cast<int>(rank), ranks[rank][next[rank]++]);
    }
  }
  return all;
}

}  // namespace

void damage_lines(std::vector<std::string>& lines, Dice& dice) {
  const int count = 1 + dice.below(5);
  for (int i = 0; i < count && !lines.empty(); ++i) {
    const auto at = static_cast<std::size_t>(dice.below(static_cast<int>(lines.size())));
    damage_line(lines, at, dice);
  }
  if (dice.one_in(4)) lines.resize(static_cast<std::size_t>(dice.below(static_cast<int>(lines.size()) + 1)));
}

std::string make_random_log(const RandomLogOptions& options) {
  Dice dice(options.seed);
  const bool tagged = options.ranks > 1;
  const auto wrapping = static_cast<Wrapping>(tagged ? 3 + dice.below(3) : dice.below(6));
  const std::string line_end = dice.one_in(4) ? "\r\n" : "\n";
  std::vector<std::vector<std::string>> ranks;
  for (int r = 0; r < options.ranks; ++r) {
    RandomRunOptions run;
    run.seed = options.seed * 31 + static_cast<unsigned>(r);
    run.runs = options.runs;
    run.steps = options.steps;
    run.colors = dice.one_in(2);
    run.memory_lines = !dice.one_in(5);
    ranks.push_back(make_random_run(run).lines);
    if (options.damaged) damage_lines(ranks.back(), dice);
  }
  std::string log;
  for (const auto& [rank, line] : interleaved(ranks, dice)) {
    while (dice.one_in(6)) log += front_of(wrapping, rank, dice) + foreign_line(dice) + line_end;
    log += front_of(wrapping, rank, dice) + line + line_end;
  }
  if (dice.one_in(3) && log.size() > line_end.size()) log.resize(log.size() - line_end.size());
  return log;
}

}  // namespace ttscope::testing
