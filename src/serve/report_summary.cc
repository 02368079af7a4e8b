#include "serve/report_summary.h"

#include <isa-l/igzip_lib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <memory>
#include <utility>

#include "base/text.h"
#include "serve/request_checks.h"

namespace ttscope::serve {
namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxTextBytes = 1024;

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

}  // namespace

bool JsonPath::is(std::initializer_list<std::string_view> keys) const {
  return std::equal(levels_.begin(), levels_.end(), keys.begin(), keys.end(),
                    [](const Level& level, std::string_view key) { return key == "*" || level.key == key; });
}

bool JsonScanner::feed(std::string_view piece) {
  std::size_t at = 0;
  while (at < piece.size() && !failed_) {
    const char c = piece[at];
    switch (state_) {
      case State::kBetween:
        between(c);
        ++at;
        break;
      case State::kText:
        at += take_text(piece.substr(at));
        break;
      case State::kEscape:
        take_escape(c);
        ++at;
        break;
      case State::kLiteral:
        if (is_blank(c) || c == ',' || c == '}' || c == ']') {
          end_literal();
        } else {
          if (text_.size() < kMaxTextBytes) text_ += c;
          ++at;
        }
        break;
    }
  }
  return !failed_;
}

void JsonScanner::between(char c) {
  if (is_blank(c)) return;
  started_ = true;
  if (c == '{' || c == '[') return open(c == '[');
  if (c == '}' || c == ']') return close(c == ']');
  if (c == ',') {
    if (path_.levels_.empty()) {
      failed_ = true;
      return;
    }
    JsonPath::Level& level = path_.levels_.back();
    ++level.index;
    expects_key_ = !level.is_array;
    return;
  }
  if (c == ':') {
    expects_key_ = false;
    return;
  }
  text_.clear();
  surrogate_ = 0;
  if (c == '"') {
    state_ = State::kText;
  } else {
    text_ = c;
    state_ = State::kLiteral;
  }
}

void JsonScanner::open(bool is_array) {
  if (path_.levels_.size() >= kMaxDepth) {
    failed_ = true;
    return;
  }
  path_.levels_.push_back({is_array, 0, {}});
  expects_key_ = !is_array;
}

void JsonScanner::close(bool is_array) {
  if (path_.levels_.empty() || path_.levels_.back().is_array != is_array) {
    failed_ = true;
    return;
  }
  path_.levels_.pop_back();
  expects_key_ = false;
}

/// How much of the piece belongs to the text, its end included.
std::size_t JsonScanner::take_text(std::string_view piece) {
  const std::size_t end = std::min(piece.find_first_of("\"\\"), piece.size());
  if (text_.size() < kMaxTextBytes) text_ += piece.substr(0, std::min(end, kMaxTextBytes - text_.size()));
  if (end == piece.size()) return end;
  if (piece[end] == '\\') {
    state_ = State::kEscape;
    escape_.clear();
  } else {
    state_ = State::kBetween;
    end_text();
  }
  return end + 1;
}

/// One more character behind a backslash: `n`, or the digits of `u003c`.
void JsonScanner::take_escape(char c) {
  constexpr std::size_t kUnicodeLetters = 5;
  constexpr std::string_view kNames = "bfnrt";
  constexpr std::string_view kMeanings = "\b\f\n\r\t";
  escape_ += c;
  if (escape_[0] == 'u' && escape_.size() < kUnicodeLetters) return;
  state_ = State::kText;
  if (escape_[0] != 'u') {
    const std::size_t known = kNames.find(c);
    return add(static_cast<unsigned char>(known == std::string_view::npos ? c : kMeanings[known]));
  }
  std::uint16_t unit = 0;
  const char* const last = escape_.data() + escape_.size();
  const auto [end, error] = std::from_chars(escape_.data() + 1, last, unit, 16);
  if (error != std::errc() || end != last) return add(kReplacementCharacter);
  if (unit >= 0xD800 && unit < 0xDC00) {
    surrogate_ = unit;
    return;
  }
  if (unit < 0xDC00 || unit > 0xDFFF) return add(unit);
  const char32_t first = std::exchange(surrogate_, 0);
  add(first == 0 ? kReplacementCharacter : 0x10000 + ((first - 0xD800) << 10) + (unit - 0xDC00));
}

void JsonScanner::add(char32_t character) {
  surrogate_ = 0;
  if (text_.size() < kMaxTextBytes) append_utf8(text_, character);
}

void JsonScanner::end_text() {
  if (expects_key_ && !path_.levels_.empty()) {
    path_.levels_.back().key = text_;
  } else if (!text_.empty()) {
    take_(path_, 0, text_);
  }
}

void JsonScanner::end_literal() {
  state_ = State::kBetween;
  if (text_ == "true" || text_ == "false") return take_(path_, text_ == "true" ? 1 : 0, {});
  double number = 0;
  const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
  if (error == std::errc() && end == text_.data() + text_.size()) take_(path_, number, {});
}

namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr unsigned char kNoLetter = 64;

constexpr std::array<unsigned char, 256> letter_values() {
  std::array<unsigned char, 256> values{};
  for (unsigned char& value : values) value = kNoLetter;
  for (std::size_t i = 0; i < kLetters.size(); ++i) {
    values[static_cast<unsigned char>(kLetters[i])] = static_cast<unsigned char>(i);
  }
  return values;
}

std::string base64_decoded(std::string_view text) {
  static constexpr std::array<unsigned char, 256> kValues = letter_values();
  std::string bytes;
  unsigned bits = 0;
  int held = 0;
  for (const char c : text) {
    const unsigned char value = kValues[static_cast<unsigned char>(c)];
    if (value == kNoLetter) {
      if (c == '=') break;
      continue;
    }
    bits = (bits << 6 | value) & 0xFFFFFF;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xFF);
  }
  return bytes;
}

/// Exactly `size_bytes`, or nothing: a small file cannot make a large text.
std::string gunzipped(std::string_view packed, std::size_t size_bytes) {
  std::string bytes(size_bytes, '\0');
  const auto state = std::make_unique<inflate_state>();
  isal_inflate_init(state.get());
  state->crc_flag = ISAL_GZIP;
  std::string input(packed);
  state->next_in = reinterpret_cast<std::uint8_t*>(input.data());
  state->avail_in = static_cast<std::uint32_t>(input.size());
  state->next_out = reinterpret_cast<std::uint8_t*>(bytes.data());
  state->avail_out = static_cast<std::uint32_t>(bytes.size());
  if (isal_inflate(state.get()) != ISAL_DECOMP_OK || state->avail_out != 0) return {};
  return bytes;
}

}  // namespace

std::vector<std::int64_t> unpacked_column(std::string_view base64, const PageBlobForm& form) {
  const std::size_t width = form.type == "i64" ? 8 : form.type == "u32" ? 4 : form.type == "u8" ? 1 : 0;
  if (width == 0 || form.count == 0) return {};
  const std::string planes = gunzipped(base64_decoded(base64), form.count * width);
  if (planes.empty()) return {};
  const std::uint64_t mask = width == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * width)) - 1;
  std::vector<std::int64_t> values(form.count);
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < form.count; ++i) {
    std::uint64_t value = 0;
    for (std::size_t plane = 0; plane < width; ++plane) {
      value |= std::uint64_t{static_cast<unsigned char>(planes[plane * form.count + i])} << (8 * plane);
    }
    if (form.is_delta) value = (value + before) & mask;
    before = value;
    values[i] = static_cast<std::int64_t>(value);
  }
  return values;
}

namespace {

constexpr std::size_t kMaxParts = 1024;

}  // namespace

void Curve::add(std::int64_t value) {
  highest_ = std::max(highest_, value);
  if (parts_.empty() || in_last_ == part_size_) {
    if (parts_.size() == kMaxParts) {
      for (std::size_t i = 0; i < kMaxParts / 2; ++i) parts_[i] = std::max(parts_[2 * i], parts_[2 * i + 1]);
      parts_.resize(kMaxParts / 2);
      part_size_ *= 2;
    }
    parts_.push_back(value);
    in_last_ = 1;
    return;
  }
  parts_.back() = std::max(parts_.back(), value);
  ++in_last_;
}

std::vector<std::int64_t> Curve::parts(std::size_t most) const {
  if (parts_.size() <= most) return parts_;
  std::vector<std::int64_t> fewer(most, 0);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    std::int64_t& part = fewer[i * most / parts_.size()];
    part = std::max(part, parts_[i]);
  }
  return fewer;
}

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 18;
/// The head of a page: style, header, document and overview. A page whose head is larger has no picture.
constexpr std::size_t kMaxHeadBytes = std::size_t{32} << 20;
constexpr std::size_t kMaxRanks = 256;
constexpr double kMib = 1024.0 * 1024.0;

std::string read_start(const FileDescriptor& file, std::size_t most) {
  std::string text;
  while (text.size() < most) {
    const std::size_t before = text.size();
    text.resize(before + kPieceBytes);
    const ssize_t got = ::pread(file.number(), text.data() + before, kPieceBytes, static_cast<off_t>(before));
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    // The script of the page stands behind its head; no need to read on.
    const std::size_t from = before > 16 ? before - 16 : 0;
    if (got <= 0 || text.find("<script>", from) != std::string::npos) break;
  }
  return text;
}

/// A block of the page; empty when it is not there.
std::string_view block_of(std::string_view page, const std::string& id) {
  const std::size_t found = page.find("id=\"" + id + "\">");
  if (found == std::string_view::npos) return {};
  const std::string_view rest = page.substr(found + id.size() + 6);
  return rest.substr(0, rest.find('<'));
}

/// A rank of a page header.
struct PageRank {
  std::int64_t ops = -1;
  std::int64_t counted_ops = -1;
  MemoryPeak dram;
  MemoryPeak l1;
};

struct PageHead {
  std::string name;
  std::string outcome;
  std::string fit;
  std::size_t main_rank = 0;
  std::vector<PageRank> ranks;
  std::map<std::string, PageBlobForm, std::less<>> overviews;  ///< columns `rN.ov.DRAM.max`
};

std::int64_t whole(double number) {
  constexpr double kMax = 9e15;
  return static_cast<std::int64_t>(std::clamp(number, -kMax, kMax));
}

void take_rank_value(PageRank& rank, const JsonPath& path, double number) {
  if (path.is({"ranks", "*", "ops"})) rank.ops = whole(number);
  if (path.is({"ranks", "*", "counted_ops"})) rank.counted_ops = whole(number);
  for (MemoryPeak* peak : {&rank.dram, &rank.l1}) {
    const std::string_view memory = peak == &rank.dram ? "DRAM" : "L1";
    if (path.is({"ranks", "*", "capacity", memory})) peak->capacity_bytes_per_bank = whole(number);
    if (path.is({"ranks", "*", "banks", memory})) peak->banks = whole(number);
    if (path.is({"ranks", "*", "peaks", memory, "bytes_per_bank"})) peak->peak_bytes_per_bank = whole(number);
  }
}

void take_column(PageHead& head, const JsonPath& path, double number, std::string_view text) {
  const std::string_view id = path.key(1);
  constexpr std::string_view kEnd = ".ov.DRAM.max";
  if (id.size() <= kEnd.size() || id.substr(id.size() - kEnd.size()) != kEnd) return;
  if (head.overviews.size() >= kMaxRanks) return;
  PageBlobForm& form = head.overviews[std::string(id)];
  const std::string_view what = path.key(2);
  if (what == "type") form.type = text;
  if (what == "count")
    form.count = static_cast<std::size_t>(std::clamp<std::int64_t>(whole(number), 0, 1 << 20));
  if (what == "delta") form.is_delta = number != 0;
}

/// A word of the verdict; a page is anybody's file, so nothing else is taken from there.
std::string verdict_label(std::string_view text) {
  constexpr std::size_t kMaxLetters = 24;
  const bool is_word = text.size() <= kMaxLetters && std::all_of(text.begin(), text.end(), [](char letter) {
                         return (letter >= 'a' && letter <= 'z') || letter == '_';
                       });
  return is_word ? std::string(text) : std::string();
}

PageHead read_head(std::string_view json) {
  PageHead head;
  JsonScanner scanner([&](const JsonPath& path, double number, std::string_view text) {
    if (path.is({"name"})) head.name = text;
    if (path.is({"outcome"})) head.outcome = verdict_label(text);
    if (path.is({"fit"})) head.fit = verdict_label(text);
    if (path.is({"main_rank"}))
      head.main_rank = static_cast<std::size_t>(std::max<std::int64_t>(whole(number), 0));
    if (path.depth() >= 3 && path.key(0) == "ranks" && path.index(1) < kMaxRanks) {
      const auto index = static_cast<std::size_t>(path.index(1));
      if (head.ranks.size() <= index) head.ranks.resize(index + 1);
      if (text.empty()) take_rank_value(head.ranks[index], path, number);
    }
    if (path.depth() == 3 && path.key(0) == "columns") take_column(head, path, number, text);
  });
  scanner.feed(json);
  return head;
}

/// The wall time in the document of a page of device time; -1: it has none.
double wall_time_of(std::string_view json) {
  double wall_us = -1;
  JsonScanner scanner([&](const JsonPath& path, double number, std::string_view text) {
    if (path.is({"totals", "wall_us"}) && text.empty() && number > 0) wall_us = number;
  });
  scanner.feed(json);
  return wall_us;
}

}  // namespace

PageFacts read_page_facts(const FileDescriptor& page) { return page_facts(read_start(page, kMaxHeadBytes)); }

PageFacts page_facts(std::string_view text) {
  PageFacts facts;
  facts.script_hash = script_hash_of(text.substr(0, 4096));
  const std::string_view json = block_of(text, "ttscope-page");
  if (json.empty()) return facts;
  facts.is_page = true;
  facts.summary.wall_us = wall_time_of(block_of(text, "ttscope-perf"));
  const PageHead head = read_head(json);
  ReportSummary& summary = facts.summary;
  summary.name = head.name;
  summary.outcome = head.outcome;
  summary.fit = head.fit;
  if (head.main_rank >= head.ranks.size()) return facts;
  const PageRank& rank = head.ranks[head.main_rank];
  summary.known = true;
  summary.ops = rank.counted_ops >= 0 ? rank.counted_ops : rank.ops;
  summary.dram = rank.dram;
  summary.l1 = rank.l1;
  const std::string id = "r" + std::to_string(head.main_rank) + ".ov.DRAM.max";
  if (const auto form = head.overviews.find(id); form != head.overviews.end()) {
    Curve curve;
    for (const std::int64_t value : unpacked_column(block_of(text, id), form->second)) curve.add(value);
    summary.curve = curve.parts(kCurvePoints);
  }
  return facts;
}

ReportSummary read_memory_file(const FileDescriptor& file) {
  std::string piece(kPieceBytes, '\0');
  off_t at = 0;
  return memory_file_summary([&] {
    const ssize_t got = std::max<ssize_t>(::pread(file.number(), piece.data(), piece.size(), at), 0);
    at += got;
    return std::string_view(piece).substr(0, static_cast<std::size_t>(got));
  });
}

ReportSummary memory_file_summary(const std::function<std::string_view()>& next_piece) {
  ReportSummary summary;
  Curve dram;
  Curve l1;
  std::int64_t last_op = -1;
  JsonScanner scanner([&](const JsonPath& path, double number, std::string_view text) {
    if (!text.empty() || path.depth() < 4) return;
    // operations[i].memory.T.FIELD, or [i].memory.T.FIELD in old files; metadata.memory_config.T.FIELD.
    const std::size_t depth = path.depth();
    const std::string_view memory = path.key(depth - 2);
    if (memory != "DRAM" && memory != "L1") return;
    const bool is_dram = memory == "DRAM";
    const std::string_view field = path.key(depth - 1);
    const std::string_view group = path.key(depth - 3);
    MemoryPeak& peak = is_dram ? summary.dram : summary.l1;
    if (group == "memory_config") {
      if (field == "num_banks") peak.banks = whole(number);
      if (field == "total_bytes_per_bank_MB") peak.capacity_bytes_per_bank = whole(number * kMib);
    } else if ((group == "memory" || group == "memory_after") && field == "totalBytesAllocatedPerBank_MB") {
      (is_dram ? dram : l1).add(whole(number * kMib));
      last_op = std::max(last_op, static_cast<std::int64_t>(path.index(depth - 4)));
    }
  });
  for (std::string_view piece = next_piece(); !piece.empty() && scanner.feed(piece); piece = next_piece()) {
  }
  summary.known = scanner.is_complete();
  summary.ops = last_op + 1;
  summary.dram.peak_bytes_per_bank = dram.highest();
  summary.l1.peak_bytes_per_bank = l1.highest();
  summary.curve = dram.parts(kCurvePoints);
  return summary;
}

std::string read_source_log(const FileDescriptor& file) {
  std::string text(std::size_t{1} << 14, '\0');
  const ssize_t got = ::pread(file.number(), text.data(), text.size(), 0);
  return source_log(std::string_view(text).substr(0, static_cast<std::size_t>(std::max<ssize_t>(got, 0))));
}

std::string source_log(std::string_view json) {
  std::string log;
  JsonScanner scanner([&](const JsonPath& path, double, std::string_view value) {
    if (path.is({"log"})) log = value;
  });
  scanner.feed(json);
  return log;
}

}  // namespace ttscope::serve
