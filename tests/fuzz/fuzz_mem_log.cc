// A runtime log, put together to a trace. The trace must not depend on how the log is cut into chunks, nor on
// whether their bytes stay.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "fuzz/fuzz_target.h"
#include "mem/read/chunk_scan.h"
#include "mem/read/log_builder.h"
#include "support/invariants.h"

namespace ttscope::mem {
namespace {

using fuzz::require;

/// Whole lines of at least so many bytes.
std::string_view take_lines(std::string_view& text, std::size_t least_bytes) {
  const std::size_t end = least_bytes > text.size() ? text.npos : text.find('\n', least_bytes - 1);
  const std::string_view lines = text.substr(0, end == text.npos ? text.npos : end + 1);
  text.remove_prefix(lines.size());
  return lines;
}

/// All of it at once, from bytes that stay.
RuntimeLog read_whole(std::string_view text) {
  LogBuilder builder;
  RecentTexts recent(0, 16);
  builder.begin_file("log", text.size());
  if (!text.empty()) builder.add_chunk({text, nullptr, true, false}, scan_chunk(text, {&recent, true}));
  builder.end_file();
  return builder.finish();
}

/// In pieces that are gone as soon as they were taken.
RuntimeLog read_in_pieces(std::string_view text, std::size_t piece_bytes) {
  LogBuilder builder;
  builder.begin_file("log", 0);
  while (!text.empty()) {
    const auto piece = std::make_unique<std::string>(take_lines(text, piece_bytes));
    RecentTexts recent(0, 16);
    builder.add_chunk({*piece, nullptr, false, false}, scan_chunk(*piece, {&recent, false}));
  }
  builder.end_file();
  return builder.finish();
}

void require_same_rank(const RankLog& a, const RankLog& b) {
  require(a.ops.size() == b.ops.size() && a.blocks.size() == b.blocks.size(), "ops do not depend on chunks");
  require(a.programs.size() == b.programs.size() && a.failures.size() == b.failures.size(),
          "programs and failures do not depend on chunks");
  for (std::size_t i = 0; i < a.ops.size(); ++i) {
    const ExecutedOp& x = a.ops[i];
    const ExecutedOp& y = b.ops[i];
    require(x.line == y.line && x.block == y.block && x.text == y.text && x.loc == y.loc,
            "an op does not depend on chunks");
  }
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    const MemoryBlock& x = a.blocks[i];
    const MemoryBlock& y = b.blocks[i];
    require(x.present == y.present && x.allocated == y.allocated && x.view_line == y.view_line,
            "a block does not depend on chunks");
  }
}

void require_same_texts(const StringPool& a, const StringPool& b) {
  require(a.size() == b.size(), "texts do not depend on chunks");
  for (std::uint32_t i = 0; i < a.size(); ++i) require(a[i] == b[i], "a text does not depend on chunks");
}

/// Modules are read when they end, so that the order of types does depend on chunks.
void require_same_set(const StringPool& a, const StringPool& b) {
  std::set<std::string_view> texts;
  for (std::uint32_t i = 0; i < a.size(); ++i) texts.insert(a[i]);
  for (std::uint32_t i = 0; i < b.size(); ++i)
    require(texts.erase(b[i]) == 1, "a type does not depend on chunks");
  require(texts.empty(), "types do not depend on chunks");
}

void require_same(const RuntimeLog& a, const RuntimeLog& b) {
  require(a.ranks.size() == b.ranks.size() && a.file_lines == b.file_lines, "ranks do not depend on chunks");
  for (std::size_t r = 0; r < a.ranks.size(); ++r) require_same_rank(a.ranks[r], b.ranks[r]);
  require_same_texts(a.op_bodies, b.op_bodies);
  require_same_texts(a.locs, b.locs);
  require_same_set(a.type_texts, b.type_texts);
  require(a.modules.size() == b.modules.size(), "modules do not depend on chunks");
  for (std::size_t i = 0; i < a.modules.size(); ++i) {
    require(a.modules[i].lines == b.modules[i].lines, "a module does not depend on chunks");
  }
}

TTSCOPE_FUZZ_TARGET(mem_log) {
  const RuntimeLog log = read_whole(text);
  const std::string broken = testing::broken_log(log);
  require(broken.empty(), broken.c_str());
  if (text.size() % 4 != 0) return;  // the other way takes as long again
  require_same(log, read_in_pieces(text, 1 + text.size() % 97));
}

}  // namespace
}  // namespace ttscope::mem
