// The allocator's sentence has grown over the years; people reflow it and put separators into the numbers:
//   Not enough space to allocate 226,492,416 B DRAM buffer across 12 banks, where each bank needs to store
//   18874368 B, but bank size is 1071821792 B (allocated: 1046245472 B, free: 25576320 B, largest free block:
//   17575008 B)
#include "mem/read/runtime_log/trace_builder.h"

namespace ttscope::mem {
namespace {

/// One line, single blanks, no separators inside numbers; ends at the first sentence that is not the
/// allocator's.
std::string normalised(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (blank) {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else if (c == ',' && !out.empty() && out.back() >= '0' && out.back() <= '9' && i + 1 < text.size() &&
               text[i + 1] >= '0' && text[i + 1] <= '9') {
      continue;
    } else {
      out += c;
    }
  }
  return out;
}

std::int64_t number_behind(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return -1;
  std::int64_t value = -1;
  for (std::size_t i = at + key.size(); i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
    value = saturating_add(saturating_multiply(value < 0 ? 0 : value, 10), text[i] - '0');
  }
  return value;
}

bool memory_named(std::string_view text, Memory& memory) {
  for (const Memory candidate : {Memory::kL1Small, Memory::kDram, Memory::kL1, Memory::kTrace}) {
    const std::string name(ttscope::mem::name_of(candidate));
    if (text.find(" B " + name + " ") != std::string_view::npos) {
      memory = candidate;
      return true;
    }
  }
  return false;
}

}  // namespace

bool parse_out_of_memory(std::string_view text, OutOfMemory& failure) {
  std::string sentence = normalised(text);
  constexpr std::string_view kStart = "Not enough space";
  if (sentence.compare(0, kStart.size(), kStart) != 0) return false;
  const std::size_t again =
      sentence.find("Out of Memory", kStart.size());  // the next print of the same failure
  if (again != std::string::npos) sentence.resize(again);
  failure.requested_bytes = number_behind(sentence, "to allocate ");
  if (failure.requested_bytes < 0 || !memory_named(sentence, failure.memory)) return false;
  failure.banks = number_behind(sentence, " across ");
  failure.per_bank_bytes = number_behind(sentence, "needs to store ");
  if (failure.per_bank_bytes < 0) failure.per_bank_bytes = number_behind(sentence, " banks (");
  if (failure.per_bank_bytes < 0 && failure.banks > 0) {  // cut message: at least an even share
    const std::int64_t rest = failure.requested_bytes % failure.banks;
    failure.per_bank_bytes = failure.requested_bytes / failure.banks + (rest == 0 ? 0 : 1);
  }
  failure.bank_size_bytes = number_behind(sentence, "bank size is only ");
  if (failure.bank_size_bytes < 0) failure.bank_size_bytes = number_behind(sentence, "bank size is ");
  failure.allocated_bytes = number_behind(sentence, "(allocated: ");
  failure.free_bytes = number_behind(sentence, " free: ");
  failure.largest_free_bytes = number_behind(sentence, "largest free block: ");
  return true;
}

}  // namespace ttscope::mem
