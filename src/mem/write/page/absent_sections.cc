// absent_sections() of mem/write/page/page_header.h.
#include <fmt/format.h>

#include <algorithm>

#include "mem/write/page/page_header.h"
#include "report/number_text.h"

namespace ttscope::mem {
namespace {

constexpr std::string_view kOpLines =
    "run the model with a runtime built with -DTT_RUNTIME_DEBUG=ON and TTMLIR_RUNTIME_LOGGER_LEVEL=DEBUG";
constexpr std::string_view kMemoryLines = "TT_RUNTIME_MEMORY_LOG_LEVEL=operation prints them";
constexpr std::string_view kModules = "TTXLA_LOGGER_LEVEL=DEBUG prints them";

template <typename Ranks, typename Holds>
bool any(const Ranks& ranks, Holds holds) {
  return std::any_of(ranks.begin(), ranks.end(), holds);
}

std::string left_out(const PageContent& content) {
  std::string what;
  const std::uint64_t texts = content.tables.text_count() - content.texts.kept_texts();
  if (texts > 0) what = report::counted(texts, "op text");
  const std::uint64_t modules = content.texts.modules_left_out();
  if (modules > 0) what += (what.empty() ? "" : " and ") + report::counted(modules, "module");
  if (what.empty()) return {};
  return fmt::format("{} left out to keep the page small; ttscope mem LOG --out DIR writes them all.", what);
}

}  // namespace

std::map<std::string, std::string> absent_sections(const PageContent& content) {
  std::map<std::string, std::string> absent = content.options.absent;
  const auto& ranks = content.profile.ranks;
  const auto say = [&](std::string key, bool is_absent, std::string text) {
    if (is_absent) absent.emplace(std::move(key), std::move(text));
  };
  const bool has_ops = any(ranks, [](const RankProfile& rank) { return rank.has_op_lines; });
  const bool has_buffers = any(ranks, [](const RankProfile& rank) { return !rank.buffers.empty(); });
  const bool has_totals = any(ranks, [](const RankProfile& rank) { return !rank.live_totals.empty(); });
  const bool measured = any(ranks, [](const RankProfile& rank) { return rank.measured; });
  const bool has_points = any(content.points, [](const RankPoints& points) { return points.size() > 0; });
  const bool has_programs =
      any(content.trace.ranks, [](const RankTrace& rank) { return !rank.programs.empty(); });
  const std::string op_lines = fmt::format("The log has no op lines; {}.", kOpLines);
  const bool only_messages =
      !content.profile.missing.empty() && content.profile.missing.front().part == MissingPart::kWholeLog;
  if (only_messages) {
    say("run", true, "The text holds messages of failures alone.");
    for (const char* key :
         {"curve", "fragmentation", "composition", "padding", "weights", "ir", "layers", "programs"})
      say(key, true, "The text holds messages of failures alone; the log around them tells this.");
    return absent;
  }
  const std::string no_tensors = has_ops ? std::string("No op line names a tensor on the device.") : op_lines;
  say("curve", !has_points,
      fmt::format("The log has neither memory lines nor op lines that name tensors; {}, and {}.", kOpLines,
                  kMemoryLines));
  say("fragmentation", !measured, fmt::format("The log has no memory lines; {}.", kMemoryLines));
  say("composition", !has_buffers, no_tensors);
  say("padding", !has_buffers && !has_totals, no_tensors);
  say("weights", content.profile.weight_count == 0,
      fmt::format("No argument is known to be a weight: the log has no module dumps that say so; {}.",
                  kModules));
  say("ir", content.trace.modules.empty(), fmt::format("The log has no module dumps; {}.", kModules));
  say("layers", !has_buffers && !has_ops, no_tensors);
  say("layers", has_buffers && !content.tables.has_locations(),
      "No op of the log has a location with a name.");
  say("programs", !has_programs,
      fmt::format("The log has no lines that start or end a program; {}.", kOpLines));
  const std::string texts = left_out(content);
  say("texts", !texts.empty(), texts);
  return absent;
}

}  // namespace ttscope::mem
