#include "capture/counter_groups.h"

#include <fmt/format.h>

#include <array>
#include <bit>

namespace ttscope::capture {
namespace {

struct CounterGroup {
  std::string_view name;
  std::uint32_t bit;
};
constexpr std::array<CounterGroup, 9> kGroups = {{{"fpu", 0},
                                                  {"pack", 1},
                                                  {"unpack", 2},
                                                  {"l1_0", 3},
                                                  {"l1_1", 4},
                                                  {"instrn", 5},
                                                  {"l1_2", 6},
                                                  {"l1_3", 7},
                                                  {"l1_4", 8}}};
constexpr std::uint32_t kAllGroups = 0b101111;
constexpr std::uint32_t kBlackholeGroups = 1u << 6 | 1u << 7 | 1u << 8;

std::uint32_t bit_of(std::string_view word) {
  for (const CounterGroup& group : kGroups) {
    if (group.name == word) return 1u << group.bit;
  }
  return 0;
}

}  // namespace

Result<CounterGroups> read_counter_groups(std::string_view words, std::string_view arch) {
  CounterGroups groups;
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find(',', at), words.size());
    const std::string_view word = words.substr(at, end - at);
    at = end + 1;
    if (word == "l1") {
      groups.mask |= bit_of("l1_0");
      groups.notes.emplace_back(
          "counter group l1 is called l1_0; l1_1 and, on Blackhole, l1_2 to l1_4 are its other banks");
    } else if (word == "all") {
      groups.mask |= kAllGroups;
      groups.notes.emplace_back(
          "all: fpu, pack, unpack, l1_0, instrn; a further bank of L1 needs a run of its own");
    } else if (const std::uint32_t bit = bit_of(word); bit != 0) {
      groups.mask |= bit;
    } else {
      return failure(
          bad_input(fmt::format("counter group `{}`: expected fpu, pack, unpack, l1_0 (or l1), l1_1, instrn, "
                                "l1_2, l1_3, l1_4 or all",
                                word)));
    }
  }
  if ((groups.mask & kBlackholeGroups) != 0 && arch != "blackhole") {
    return failure(bad_input(
        arch.empty()
            ? std::string(
                  "counter groups l1_2 to l1_4 are those of Blackhole; say so with ARCH_NAME=blackhole")
            : fmt::format("counter groups l1_2 to l1_4 are those of Blackhole; this is {}", arch)));
  }
  if (std::popcount(groups.mask & kL1CounterGroups) > 1) {
    return failure(bad_input(fmt::format("{}: at most one bank of L1 can be counted in a run",
                                         counter_group_names(groups.mask & kL1CounterGroups))));
  }
  return groups;
}

std::uint32_t known_counter_groups() {
  std::uint32_t mask = 0;
  for (const CounterGroup& group : kGroups) mask |= 1u << group.bit;
  return mask;
}

std::string counter_group_names(std::uint32_t mask) {
  std::string names;
  for (const CounterGroup& group : kGroups) {
    if ((mask >> group.bit & 1) == 0) continue;
    if (!names.empty()) names += ", ";
    names += group.name;
  }
  return names;
}

}  // namespace ttscope::capture
