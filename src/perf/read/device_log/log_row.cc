#include "perf/read/device_log/log_row.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/number_text.h"

namespace ttscope::perf {
namespace {

/// Texts of a row are short; comparing eight bytes at a time in place beats a call for each.
bool equal_bytes(const char* a, const char* b, std::size_t size) {
  std::uint64_t x = 0;
  std::uint64_t y = 0;
  if (size >= sizeof(x)) {
    for (std::size_t at = 0; at + sizeof(x) <= size; at += sizeof(x)) {
      std::memcpy(&x, a + at, sizeof(x));
      std::memcpy(&y, b + at, sizeof(y));
      if (x != y) return false;
    }
    std::memcpy(&x, a + size - sizeof(x), sizeof(x));
    std::memcpy(&y, b + size - sizeof(y), sizeof(y));
    return x == y;
  }
  for (std::size_t at = 0; at < size; ++at) {
    if (a[at] != b[at]) return false;
  }
  return true;
}

bool is(std::string_view text, std::string_view name) {
  return text.size() == name.size() && equal_bytes(text.data(), name.data(), name.size());
}

/// Reads numbers and texts up to the next comma.
class Fields {
 public:
  explicit Fields(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

  /// Digits only; an empty field is not a number.
  bool number(std::uint64_t& value) {
    const char* const start = at_;
    std::uint64_t sum = 0;
    while (at_ != end_ && static_cast<unsigned char>(*at_ - '0') < 10) {
      sum = sum * 10 + static_cast<unsigned char>(*at_ - '0');
      ++at_;
    }
    constexpr std::ptrdiff_t kMostDigits = 19;  // no overflow below
    const bool good = at_ != start && at_ - start <= kMostDigits && at_ != end_ && *at_ == ',';
    if (!good) return false;
    value = sum;
    ++at_;
    return true;
  }

  /// The same; an empty field is 0.
  bool number_or_none(std::uint64_t& value) {
    if (at_ == end_ || *at_ != ',') return number(value);
    value = 0;
    ++at_;
    return true;
  }

  /// The same with up to 20 digits (64-bit data) or no digit at all.
  bool optional(std::int64_t& value) {
    if (at_ != end_ && *at_ == ',') {
      value = -1;
      ++at_;
      return true;
    }
    const bool negative = at_ != end_ && *at_ == '-';
    if (negative) ++at_;
    std::uint64_t sum = 0;
    if (!number(sum) || sum > static_cast<std::uint64_t>(INT64_MAX)) return false;
    value = negative ? -1 : static_cast<std::int64_t>(sum);
    return true;
  }

  /// 64 bits; what does not fit becomes the most.
  bool data(std::uint64_t& value) {
    std::uint64_t sum = 0;
    bool over = false;
    const char* const start = at_;
    while (at_ != end_ && static_cast<unsigned char>(*at_ - '0') < 10) {
      const std::uint64_t digit = static_cast<unsigned char>(*at_ - '0');
      over |= sum > (UINT64_MAX - digit) / 10;
      sum = sum * 10 + digit;
      ++at_;
    }
    if (at_ == start || at_ == end_ || *at_ != ',') return no_data(value);
    value = over ? UINT64_MAX : sum;
    ++at_;
    return true;
  }

  /// Texts are short: calling a search function would cost more than looking.
  bool text(std::string_view& value) {
    const char* const start = at_;
    while (at_ != end_ && *at_ != ',') ++at_;
    if (at_ == end_) return false;
    value = {start, static_cast<std::size_t>(at_ - start)};
    ++at_;
    return true;
  }

  /// Goes behind these bytes if they are next.
  bool skip(std::string_view bytes) {
    if (bytes.empty() || static_cast<std::size_t>(end_ - at_) < bytes.size()) return false;
    if (!equal_bytes(at_, bytes.data(), bytes.size())) return false;
    at_ += bytes.size();
    return true;
  }

  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  /// What was read since `before` was the rest.
  std::string_view taken_from(std::string_view before) const {
    return before.substr(0, static_cast<std::size_t>(at_ - before.data()));
  }

 private:
  bool no_data(std::uint64_t& value) {
    std::string_view ignored;
    value = 0;
    return text(ignored);
  }

  const char* at_;
  const char* end_;
};

bool ends_with(std::string_view text, char end) { return !text.empty() && text.back() == end; }

/// The meta data of `12,file.cc,{...}`; file names may contain commas, braces stand only here.
std::string_view meta_of(std::string_view rest) {
  if (rest.empty() || rest.back() != '}') return {};
  const std::size_t open = rest.find(",{");
  return open == std::string_view::npos ? std::string_view{} : rest.substr(open + 1);
}

/// `3,1,1,BRISC,`
bool parse_processor(Fields& fields, LogRow& row) {
  std::uint64_t device = 0;
  std::uint64_t x = 0;
  std::uint64_t y = 0;
  if (!fields.number(device) || !fields.number(x) || !fields.number(y)) return false;
  if (device > UINT32_MAX || x > UINT16_MAX || y > UINT16_MAX || !fields.text(row.risc_text)) return false;
  row.device = static_cast<std::uint32_t>(device);
  row.x = static_cast<std::uint16_t>(x);
  row.y = static_cast<std::uint16_t>(y);
  row.risc = slot_of(row.risc_text);
  return true;
}

constexpr std::array<std::string_view, 11> kFwZones = {"BRISC-FW",
                                                       "NCRISC-FW",
                                                       "TRISC-FW",
                                                       "ERISC-FW",
                                                       "TRACE-FW",
                                                       "DM0-FW",
                                                       "DM-FW",
                                                       "ERISC-IDLE-FW",
                                                       "SUBORDINATE-DM-FW",
                                                       "SUBORDINATE-ERISC-FW",
                                                       "SUBORDINATE-ERISC-IDLE-FW"};
constexpr std::array<std::string_view, 8> kKernelZones = {
    "BRISC-KERNEL", "NCRISC-KERNEL", "TRISC-KERNEL",      "ERISC-KERNEL",
    "TRACE-KERNEL", "DM-KERNEL",     "IDLE-ERISC-KERNEL", "DRISC-KERNEL"};

}  // namespace

RiscSlot slot_of(std::string_view risc) {
  if (risc == "BRISC") return RiscSlot::kBrisc;
  if (risc == "NCRISC") return RiscSlot::kNcrisc;
  if (risc == "TRISC_0") return RiscSlot::kTrisc0;
  if (risc == "TRISC_1") return RiscSlot::kTrisc1;
  if (risc == "TRISC_2") return RiscSlot::kTrisc2;
  if (risc == "ERISC") return RiscSlot::kErisc;
  if (risc == "TENSIX_RISC_AGG") return RiscSlot::kAggregate;
  if (risc.substr(0, 9) == "QUASAR_DM") return RiscSlot::kBrisc;
  if (risc.substr(0, 10) == "QUASAR_NEO") return RiscSlot::kTrisc0;
  return RiscSlot::kCount;
}

MarkerType marker_type(std::string_view text) {
  if (is(text, "ZONE_END")) return MarkerType::kEnd;
  if (is(text, "ZONE_START") || text == "begin") return MarkerType::kStart;
  if (text == "end") return MarkerType::kEnd;
  if (text == "ZONE_TOTAL") return MarkerType::kTotal;
  if (text == "TS_DATA" || text == "TS_DATA_16B") return MarkerType::kData;
  if (text == "TS_EVENT") return MarkerType::kEvent;
  return MarkerType::kOther;
}

ZoneRole zone_role(std::string_view zone, bool substrings) {
  if (substrings) {
    if (zone.find("-FW") != std::string_view::npos) return ZoneRole::kFw;
    if (zone.find("-KERNEL") != std::string_view::npos) return ZoneRole::kKernel;
  } else if (ends_with(zone, 'W')) {
    for (const std::string_view name : kFwZones) {
      if (is(zone, name)) return ZoneRole::kFw;
    }
  } else if (ends_with(zone, 'L')) {
    for (const std::string_view name : kKernelZones) {
      if (is(zone, name)) return ZoneRole::kKernel;
    }
  }
  if (zone == "CB-COMPUTE-WAIT-FRONT") return ZoneRole::kCbWait;
  if (zone == "CB-COMPUTE-RESERVE-BACK") return ZoneRole::kCbReserve;
  return ZoneRole::kOther;
}

std::string_view processor_of(std::string_view line) {
  std::size_t at = 0;
  for (int commas = 0; commas < 4; ++commas) {
    at = line.find(',', at);
    if (at == std::string_view::npos) return {};
    ++at;
  }
  return line.substr(0, at);
}

SourcePlace source_of(const LogRow& row) {
  std::string_view rest = row.rest;
  if (rest.empty()) return row.source;
  rest.remove_suffix(std::min(rest.size(), row.meta.size()));
  if (ends_with(rest, ',')) rest.remove_suffix(1);
  const std::size_t comma = rest.find(',');
  if (comma == std::string_view::npos) return {rest, {}};
  return {rest.substr(0, comma), rest.substr(comma + 1)};
}

bool RowReader::parse(std::string_view line, LogRow& row) {
  Fields fields(line);
  if (!fields.skip(processor_)) {
    processor_ = {};
    if (!parse_processor(fields, row)) return false;
    processor_ = fields.taken_from(line);
  }
  std::uint64_t timer = 0;
  if (!fields.number(timer) || !fields.number(row.time) || !fields.data(row.data)) return false;
  if (row.time > static_cast<std::uint64_t>(kMostTicks)) return false;
  row.timer = static_cast<std::uint32_t>(timer);
  if (!fields.skip(op_)) {
    const std::string_view rest = fields.rest();
    if (!fields.number_or_none(row.op_id) || !fields.optional(row.trace) || !fields.optional(row.replay)) {
      op_ = {};
      return false;
    }
    op_ = fields.taken_from(rest);
  }
  std::string_view type;
  if (!fields.text(row.zone) || !fields.text(type)) return false;
  row.type = marker_type(type);
  row.rest = fields.rest();
  row.meta = meta_of(row.rest);
  return true;
}

}  // namespace ttscope::perf
