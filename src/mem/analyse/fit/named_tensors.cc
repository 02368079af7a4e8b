#include "mem/analyse/fit/named_tensors.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "base/edit_distance.h"
#include "base/text_escape.h"

namespace ttscope::mem {
namespace {

/// Names that are near are looked for among so many.
constexpr std::size_t kMostCandidates = 2000;

class NameFinder {
 public:
  NameFinder(const RuntimeTrace& trace, const MemoryProfile& profile, std::uint32_t rank,
             std::string_view name)
      : trace_(trace), profile_(profile), ops_(trace.ranks[rank]), rank_(profile.ranks[rank]), name_(name) {
    const std::size_t colon = name.rfind(":%");
    if (colon != std::string_view::npos) {
      program_ = name.substr(0, colon);
      ssa_ = name.substr(colon + 1);
    } else if (name.starts_with('%')) {
      ssa_ = name;
    }
  }

  std::vector<std::uint32_t> find() {
    std::vector<std::uint32_t> found;
    for (std::uint32_t b = 0; b < rank_.buffers.size(); ++b) {
      if (is_meant(rank_.buffers[b])) found.push_back(b);
    }
    return found;
  }

  std::string nearest() {
    std::vector<std::string_view> candidates;
    for (const Argument& argument : profile_.arguments) {
      if (candidates.size() < kMostCandidates) candidates.emplace_back(argument.name);
    }
    for (const auto& [loc, text] : shown_locs_) {
      if (candidates.size() < kMostCandidates && !text.empty()) candidates.emplace_back(text);
    }
    return std::string(nearest_name(name_, candidates));
  }

 private:
  bool is_meant(const Buffer& buffer) {
    if (!ssa_.empty()) {
      if (buffer.name == kNone || trace_.names[buffer.name] != ssa_) return false;
      return program_.empty() || program_of(buffer) == program_;
    }
    if (buffer.argument < profile_.arguments.size() && profile_.arguments[buffer.argument].name == name_)
      return true;
    if (buffer.producer_op >= ops_.ops.size()) return false;
    const std::uint32_t loc = ops_.ops[buffer.producer_op].loc;
    return loc != kNone && shown(loc) == name_;
  }

  std::string_view program_of(const Buffer& buffer) const {
    if (buffer.instance >= ops_.programs.size()) return {};
    const std::uint32_t name = ops_.programs[buffer.instance].name;
    return name == kNone ? std::string_view{} : trace_.names[name];
  }

  const std::string& shown(std::uint32_t loc) {
    const auto [found, is_new] = shown_locs_.try_emplace(loc);
    if (is_new) found->second = display_loc(trace_.locs[loc]);
    return found->second;
  }

  const RuntimeTrace& trace_;
  const MemoryProfile& profile_;
  const RankTrace& ops_;
  const RankProfile& rank_;
  std::string_view name_;
  std::string_view program_;
  std::string_view ssa_;
  std::unordered_map<std::uint32_t, std::string> shown_locs_;
};

}  // namespace

Result<std::vector<std::uint32_t>> buffers_named(const RuntimeTrace& trace, const MemoryProfile& profile,
                                                 std::uint32_t rank, const std::string& name) {
  NameFinder finder(trace, profile, rank, name);
  std::vector<std::uint32_t> found = finder.find();
  if (!found.empty()) return found;
  const std::string near = finder.nearest();
  return failure(bad_input(fmt::format(
      "no tensor on the device is called {}{}: expected a model name, an SSA name (%12 or main:%12) or "
      "the location of the op that makes it",
      terminal_safe(name), near.empty() ? "" : fmt::format(", did you mean {}?", terminal_safe(near)))));
}

}  // namespace ttscope::mem
