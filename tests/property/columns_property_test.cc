// Columns of the report page against a slow decoder that follows the description of the format.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/encoding.h"
#include "mem/write/page.h"
#include "support/page_text.h"
#include "support/profile_text.h"
#include "support/random_log.h"
#include "support/sanitized.h"
#include "ui/page.h"

namespace ttscope::testing {
namespace {

using ui::ColumnEncoding;
using ui::PageBlobs;

template <typename T>
std::vector<T> read_back(const std::vector<T>& values, ColumnEncoding stored) {
  PageBlobs blobs;
  blobs.add<T>("x", values.size(), stored, [&](std::size_t i) { return values[i]; });
  const std::string planes = gunzipped(base64_decoded(encode_blob(blobs.list().front())));
  std::vector<T> found;
  for (const std::uint64_t value : decoded_column(planes, sizeof(T), stored == ColumnEncoding::kDelta))
    found.push_back(static_cast<T>(value));
  return found;
}

RC_GTEST_PROP(ColumnsProperty, AnyValuesComeBackFromAnyType,
              (const std::vector<std::uint8_t>& small, const std::vector<std::uint32_t>& middle,
               const std::vector<std::int64_t>& large)) {
  for (const ColumnEncoding stored : {ColumnEncoding::kPlain, ColumnEncoding::kDelta}) {
    RC_ASSERT(read_back(small, stored) == small);
    RC_ASSERT(read_back(middle, stored) == middle);
    RC_ASSERT(read_back(large, stored) == large);
  }
}

RC_GTEST_PROP(ColumnsProperty, AnyBytesComeBack, (const std::string& bytes)) {
  RC_ASSERT(base64_decoded(base64_of(bytes)) == bytes);
  RC_ASSERT(gunzipped(gzip_of(bytes)) == bytes);
}

RC_GTEST_PROP(ColumnsProperty, AnyTextsComeBackAsStrings, (const std::vector<std::string>& texts)) {
  PageBlobs blobs;
  blobs.add_strings("names", texts);
  const auto bytes_of_blob = [&](std::size_t i) {
    return gunzipped(base64_decoded(encode_blob(blobs.list()[i])));
  };
  const std::string bytes = bytes_of_blob(1);
  std::vector<std::string> found;
  std::size_t at = 0;
  for (const std::uint64_t length : decoded_column(bytes_of_blob(0), 4, false)) {
    found.push_back(bytes.substr(at, length));
    at += length;
  }
  RC_ASSERT(found == texts);
  RC_ASSERT(at == bytes.size());
}

/// Far beyond the buffers of the compressor, repeating and not.
TEST(ColumnsProperty, LongColumnsComeBack) {
  std::vector<std::uint32_t> values;
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < 300000; ++i) {
    state = state * 1664525 + 1013904223;
    values.push_back(i % 3 == 0 ? state : static_cast<std::uint32_t>(i / 100));
  }
  EXPECT_EQ(read_back(values, ColumnEncoding::kDelta), values);
  EXPECT_EQ(read_back(values, ColumnEncoding::kPlain), values);
}

/// Under the thread sanitizer this also shows that the columns share nothing they write.
TEST(PageProperty, ThePageDoesNotDependOnThreads) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Profiled made(make_random_log({.seed = seed}));
    if (made.log.ranks.empty()) continue;
    const auto page = [&](unsigned threads) {
      StringWriter out;
      mem::write_mem_page(made.log, made.profile, out, {.name = "x", .threads = threads});
      EXPECT_TRUE(out.finish().has_value());
      return PageText(out.text()).contents();
    };
    // Not the packed bytes: equal bytes may be packed in more than one way.
    EXPECT_EQ(page(4), page(1)) << seed;
  }
}

/// Every op and every tensor of any log is in the columns.
TEST(PageProperty, TheColumnsHoldEveryOpAndBuffer) {
  for (unsigned seed = 1; seed <= 30; seed += kEverySeed) {
    SCOPED_TRACE(seed);
    const Profiled made(make_random_log({.seed = seed}));
    if (made.log.ranks.empty()) continue;
    StringWriter out;
    mem::write_mem_page(made.log, made.profile, out, {.name = "x", .threads = 1});
    ASSERT_TRUE(out.finish().has_value());
    const PageText page(out.text());
    for (std::size_t r = 0; r < made.log.ranks.size(); ++r) {
      const std::string prefix = "r" + std::to_string(r) + ".";
      std::vector<std::uint64_t> lines;
      for (const mem::ExecutedOp& op : made.ops_of_rank(r).ops) lines.push_back(op.line);
      EXPECT_EQ(page.column(prefix + "op.line"), lines);
      std::vector<std::uint64_t> growth;
      for (const mem::OpEffect& effect : made.rank(r).effects)
        growth.push_back(static_cast<std::uint64_t>(effect.own_growth[0]));
      EXPECT_EQ(page.column(prefix + "op.grow.DRAM"), growth);
      if (made.rank(r).buffers.empty()) continue;
      std::vector<std::uint64_t> bytes;
      for (const mem::Buffer& buffer : made.rank(r).buffers)
        bytes.push_back(static_cast<std::uint64_t>(buffer.bytes_per_bank));
      EXPECT_EQ(page.column(prefix + "buf.bytes"), bytes);
    }
  }
}

}  // namespace
}  // namespace ttscope::testing
