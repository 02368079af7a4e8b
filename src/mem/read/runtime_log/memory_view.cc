#include "mem/read/runtime_log/memory_view.h"

#include <charconv>
#include <cstring>

namespace ttscope::mem {
namespace {

/// A cursor over one view; every step fails for good once one has failed.
class ViewReader {
 public:
  explicit ViewReader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool skip(std::string_view literal) {
    if (static_cast<std::size_t>(end_ - at_) < literal.size() ||
        std::memcmp(at_, literal.data(), literal.size()) != 0) {
      return false;
    }
    at_ += literal.size();
    return true;
  }

  bool read_count(std::uint32_t& value) {
    const auto [end, error] = std::from_chars(at_, end_, value);
    at_ = end;
    return error == std::errc();
  }

  /// `1021.169` as 1021169; digits past the third are dropped, missing ones are zero.
  bool read_milli(MilliMib& value) {
    std::uint64_t number = 0;
    const char* begin = at_;
    while (at_ < end_ && is_digit(*at_) && number < kLimit) number = number * 10 + digit();
    if (at_ == begin) return false;
    int decimals = 0;
    if (at_ < end_ && *at_ == '.') {
      for (++at_; at_ < end_ && is_digit(*at_); ++decimals) {
        if (decimals < 3) {
          number = number * 10 + digit();
        } else {
          ++at_;
        }
      }
    }
    for (; decimals < 3; ++decimals) number *= 10;
    value = static_cast<MilliMib>(number);
    return number < kLimit;
  }

 private:
  static constexpr std::uint64_t kLimit = 0xffffffff;
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  std::uint64_t digit() { return static_cast<std::uint64_t>(*at_++ - '0'); }

  const char* at_;
  const char* end_;
};

}  // namespace

bool parse_memory_view(std::string_view text, MemoryView& view) {
  ViewReader reader(text);
  return reader.skip("MemoryView{numBanks: ") && reader.read_count(view.banks) &&
         reader.skip(", totalBytesPerBank: ") && reader.read_milli(view.total) &&
         reader.skip(" MB, totalBytesAllocatedPerBank: ") && reader.read_milli(view.allocated) &&
         reader.skip(" MB, totalBytesFreePerBank: ") && reader.read_milli(view.free) &&
         reader.skip(" MB, largestContiguousBytesFreePerBank: ") && reader.read_milli(view.largest_free) &&
         reader.skip(" MB}");
}

}  // namespace ttscope::mem
