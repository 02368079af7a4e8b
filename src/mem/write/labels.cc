#include "mem/write/labels.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "mem/model/log_lines.h"
#include "ui/text.h"

namespace ttscope::mem {
namespace {

std::string location(const RuntimeLog& log, const ExecutedOp& op) {
  std::string text = op.loc == kNone ? std::string() : display_loc(log.locs[op.loc]);
  if (!text.empty() || op.text == kNone) return text;
  const std::uint32_t callee = log.op_texts[op.text].callee;
  return callee == kNone ? text : fmt::format("@{}", log.names[callee]);
}

}  // namespace

std::string in_sentence(Names names, std::string_view name) {
  return names == Names::kMarked ? marked_name(name) : std::string(name);
}

OpPlace place_of(const ProfileView& view, std::uint32_t rank, std::uint32_t op) {
  const ExecutedOp& record = view.rank_log(rank).ops[op];
  OpPlace facts;
  facts.name = view.log.name_of(record);
  if (facts.name.empty()) facts.name = "unreadable op";
  facts.loc = location(view.log, record);
  facts.program = instance_label(view, rank, record.instance);
  facts.line = record.line;
  return facts;
}

std::string graph_label(const ProfileView& view, std::uint32_t graph) {
  if (graph >= view.profile.graphs.size()) return {};
  const auto& graphs = view.profile.graphs;
  const auto same_name = [&](const Graph& other) { return other.name == graphs[graph].name; };
  const auto before = std::count_if(graphs.begin(), graphs.begin() + graph, same_name);
  std::string label(view.log.names[graphs[graph].name]);
  const bool alone = before == 0 && std::none_of(graphs.begin() + graph + 1, graphs.end(), same_name);
  return alone ? label : fmt::format("{}#{}", label, before + 1);
}

std::string instance_label(const ProfileView& view, std::uint32_t rank, std::uint32_t instance) {
  const auto& programs = view.rank_profile(rank).programs;
  if (instance >= programs.size()) return {};
  const ProgramSummary& program = programs[instance];
  const auto runs = std::count_if(programs.begin(), programs.end(),
                                  [&](const ProgramSummary& other) { return other.graph == program.graph; });
  std::string label = graph_label(view, program.graph);
  return runs <= 1 ? label : fmt::format("{}, run {} of {}", label, program.run + 1, runs);
}

std::string buffer_label(const ProfileView& view, std::uint32_t rank, const Buffer& buffer) {
  if (buffer.argument < view.profile.arguments.size()) return view.profile.arguments[buffer.argument].name;
  const std::string_view name = buffer.name == kNone ? std::string_view("?") : view.log.names[buffer.name];
  const auto& programs = view.rank_profile(rank).programs;
  if (buffer.instance >= programs.size()) return std::string(name);
  return fmt::format("{}:{}", graph_label(view, programs[buffer.instance].graph), name);
}

std::string tensor_text(const std::vector<std::int64_t>& shape, std::string_view dtype) {
  return fmt::format("{} {}", shape.empty() ? "scalar" : shape_text(shape), dtype.empty() ? "?" : dtype);
}

std::string rank_label(const RankLog& rank) {
  std::string label = fmt::format("rank {}", rank.number);
  const auto is_plain = [](char c) { return c > ' ' && c < '\x7f' && c != '<' && c != '>' && c != '&'; };
  const std::string_view tag = name_of_tag(rank.tag);
  const bool has_tag_text = !tag.empty() && std::all_of(tag.begin(), tag.end(), is_plain) &&
                            tag.find(fmt::format("rank{}", rank.number)) == std::string_view::npos &&
                            tag != std::to_string(rank.number);
  return has_tag_text ? fmt::format("{} ({})", label, tag) : label;
}

std::string tensor_text(const TensorType& type) { return tensor_text(type.shape, type.dtype); }

}  // namespace ttscope::mem
