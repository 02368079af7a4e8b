#include "capture/status_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text_escape.h"
#include "report/number_text.h"
#include "report/text_layout.h"

namespace ttscope::capture {
namespace {

constexpr std::size_t kGaugeCells = 8;
constexpr std::size_t kMostProgramColumns = 28;
constexpr std::size_t kMostTroublesShown = 8;

double fraction_of(const LiveMemory& memory) {
  return memory.total == 0 ? 0.0 : static_cast<double>(memory.allocated) / memory.total;
}

/// `DRAM 512.00 MB/bank of 1021.17 ██████▌  50.1%`
std::string memory_text(std::string_view name, const LiveMemory& memory, bool with_gauge) {
  if (!memory.is_known) return {};
  std::string text =
      fmt::format("{} {} of {} MB/bank", name, report::mb_text(mem::bytes_of(memory.allocated)),
                  report::mb_text(mem::bytes_of(memory.total)));
  if (memory.total == 0) return text;
  text += fmt::format(" {}", report::percent_text(fraction_of(memory)));
  if (with_gauge) text += " " + report::gauge(std::min(fraction_of(memory), 1.0), kGaugeCells);
  return text;
}

std::string growth_text(const LiveMemory& memory) {
  if (!memory.is_known) return {};
  return report::signed_size_text(mem::bytes_between(memory.first, memory.allocated)) + " since start";
}

std::string program_text(const LiveState& state) {
  if (state.program.empty()) return {};
  const std::string name = report::fit(terminal_safe(state.program), kMostProgramColumns);
  return state.program_runs > 1 ? fmt::format("{} (run {})", name, report::count_text(state.program_runs))
                                : name;
}

}  // namespace

std::string status_text(const LiveState& state, std::size_t width) {
  const LiveMemory& dram = state.memory[mem::index_of(mem::Memory::kDram)];
  std::string ops = report::counted(state.ops, "op");
  if (state.ranks > 1) ops += fmt::format(" of {} ranks", state.ranks);
  std::vector<std::string> parts = {ops, memory_text("DRAM", dram, true), growth_text(dram),
                                    memory_text("L1", state.memory[mem::index_of(mem::Memory::kL1)], false),
                                    program_text(state)};
  if (state.ops == 0 && !dram.is_known) {
    parts = {fmt::format("{}, no op or memory line yet", report::counted(state.lines, "line"))};
  }
  if (state.trouble_count > 0) {
    parts.insert(parts.begin() + 1, report::counted(state.trouble_count, "failure"));
  }
  std::string line;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    const std::string longer = line.empty() ? part : fmt::format("{} | {}", line, part);
    if (report::display_width(longer) > width) {
      if (line.empty()) line = report::fit(part, width);
      continue;
    }
    line = longer;
  }
  return line;
}

std::string_view name_of(TroubleKind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"out of memory", "fatal error", "exception", "crash"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string troubles_text(const LiveState& state, std::size_t width) {
  constexpr std::size_t kLeastWidth = 40;
  constexpr std::size_t kIndent = 4;
  report::Painter painter(false, std::max(width, kLeastWidth));
  const std::size_t shown = std::min(state.troubles.size(), kMostTroublesShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const Trouble& trouble = state.troubles[i];
    painter.line(fmt::format("  line {}: {}{}", trouble.line, name_of(trouble.kind),
                             trouble.times > 1 ? fmt::format(", {} times", trouble.times) : ""));
    painter.paragraph(kIndent, terminal_safe(trouble.text));
  }
  if (state.trouble_count > shown) painter.line(fmt::format("  and {} more", state.trouble_count - shown));
  return painter.take();
}

}  // namespace ttscope::capture
