#include "mem/model/process_label.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text_search.h"

namespace ttscope::mem {
namespace {

constexpr std::string_view kPid = "pid=";

bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '=';
}

/// The number that a word ends with; -1 where it does not, or there is more of it than any cluster has.
int number_at_end(std::string_view word, std::size_t letters) {
  constexpr std::size_t kMostDigits = 6;
  int number = -1;
  const char* const end = word.data() + word.size();
  if (word.size() <= letters || word.size() - letters > kMostDigits) return -1;
  const auto [stop, error] = std::from_chars(word.data() + letters, end, number);
  return error == std::errc() && stop == end ? number : -1;
}

/// `TP0`, `rank=3`, and the plain number of a worker: `EngineCore_0`.
int rank_in_word(std::string_view word, std::string_view first_word) {
  // EP repeats what the others say.
  constexpr std::array<std::string_view, 8> kDimensions = {"DP", "PP",  "TP",  "CP",
                                                           "SP", "PCP", "DCP", "rank"};
  for (const std::string_view dimension : kDimensions) {
    if (!word.starts_with(dimension)) continue;
    const bool has_sign = word.substr(dimension.size(), 1) == "=";
    const int number = number_at_end(word, dimension.size() + (has_sign ? 1 : 0));
    if (number >= 0) return number;
  }
  const bool is_worker = first_word.ends_with("Worker") || first_word == "EngineCore";
  return is_worker ? number_at_end(word, 0) : -1;
}

/// Where ` pid=` of a plain label begins; kNoPlace for other tags.
std::size_t pid_place(std::string_view tag) {
  const std::size_t pid = tag.find(kPid);
  if (pid == kNoPlace || pid < 2 || tag[pid - 1] != ' ') return kNoPlace;
  for (const char c : tag.substr(0, pid)) {
    if (!is_name_letter(c) && c != ' ') return kNoPlace;
  }
  return pid;
}

}  // namespace

std::vector<int> ranks_in_label(std::string_view label) {
  std::vector<int> ranks;
  const std::string_view name = label.substr(0, label.find(kPid));
  const std::string_view first_word = name.substr(0, name.find_first_of("_ "));
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find_first_of("_ ", at), name.size());
    const int rank = rank_in_word(name.substr(at, end - at), first_word);
    if (rank >= 0) ranks.push_back(rank);
    at = end + 1;
  }
  return ranks;
}

std::string_view process_of(std::string_view tag) {
  const std::size_t pid = pid_place(tag);
  return pid == kNoPlace ? tag : tag.substr(pid);
}

std::string_view name_of_tag(std::string_view tag) {
  const std::size_t pid = pid_place(tag);
  return pid == kNoPlace || ranks_in_label(tag).empty() ? tag : tag.substr(0, pid - 1);
}

}  // namespace ttscope::mem
