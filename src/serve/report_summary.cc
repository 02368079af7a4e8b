#include "serve/report_summary.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>

#include "serve/curve.h"
#include "serve/json_scan.h"
#include "serve/page_blob.h"
#include "serve/request_checks.h"

namespace ttscope::serve {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 18;
/// The head of a page: style, header, document and overview. A page whose head is larger has no picture.
constexpr std::size_t kMostHeadBytes = std::size_t{32} << 20;
constexpr std::size_t kMostRanks = 256;
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
  constexpr double kMost = 9e15;
  return static_cast<std::int64_t>(std::clamp(number, -kMost, kMost));
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
  if (head.overviews.size() >= kMostRanks) return;
  PageBlobForm& form = head.overviews[std::string(id)];
  const std::string_view what = path.key(2);
  if (what == "type") form.type = text;
  if (what == "count")
    form.count = static_cast<std::size_t>(std::clamp<std::int64_t>(whole(number), 0, 1 << 20));
  if (what == "delta") form.is_delta = number != 0;
}

/// A word of the verdict; a page is anybody's file, so nothing else is taken from there.
std::string verdict_word(std::string_view text) {
  constexpr std::size_t kMostLetters = 24;
  const bool is_word = text.size() <= kMostLetters && std::all_of(text.begin(), text.end(), [](char letter) {
                         return (letter >= 'a' && letter <= 'z') || letter == '_';
                       });
  return is_word ? std::string(text) : std::string();
}

PageHead read_head(std::string_view json) {
  PageHead head;
  JsonScanner scanner([&](const JsonPath& path, double number, std::string_view text) {
    if (path.is({"name"})) head.name = text;
    if (path.is({"outcome"})) head.outcome = verdict_word(text);
    if (path.is({"fit"})) head.fit = verdict_word(text);
    if (path.is({"main_rank"}))
      head.main_rank = static_cast<std::size_t>(std::max<std::int64_t>(whole(number), 0));
    if (path.depth() >= 3 && path.key(0) == "ranks" && path.index(1) < kMostRanks) {
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
double wall_of(std::string_view json) {
  double wall_us = -1;
  JsonScanner scanner([&](const JsonPath& path, double number, std::string_view text) {
    if (path.is({"totals", "wall_us"}) && text.empty() && number > 0) wall_us = number;
  });
  scanner.feed(json);
  return wall_us;
}

}  // namespace

PageFacts read_page_facts(const FileDescriptor& page) { return page_facts(read_start(page, kMostHeadBytes)); }

PageFacts page_facts(std::string_view text) {
  PageFacts facts;
  facts.script_hash = script_hash_of(text.substr(0, 4096));
  const std::string_view json = block_of(text, "ttscope-page");
  if (json.empty()) return facts;
  facts.is_page = true;
  facts.summary.wall_us = wall_of(block_of(text, "ttscope-perf"));
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
