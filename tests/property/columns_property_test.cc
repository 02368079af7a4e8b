// Columns of the report page against a slow decoder that follows the description of the format.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/base64.h"
#include "base/gzip.h"
#include "output/mem_page/columns.h"
#include "support/page_text.h"

namespace ttscope::testing {
namespace {

using output::PageBlobs;
using output::Stored;

template <typename T>
std::vector<T> read_back(const std::vector<T>& values, Stored stored) {
  PageBlobs blobs;
  blobs.add<T>("x", values.size(), stored, [&](std::size_t i) { return values[i]; });
  const std::string planes = gunzipped(base64_decoded(encode_blob(blobs.list().front())));
  std::vector<T> found;
  for (const std::uint64_t value : decoded_column(planes, sizeof(T), stored == Stored::kDelta))
    found.push_back(static_cast<T>(value));
  return found;
}

RC_GTEST_PROP(ColumnsProperty, AnyValuesComeBackFromAnyType,
              (const std::vector<std::uint8_t>& small, const std::vector<std::uint32_t>& middle,
               const std::vector<std::int64_t>& large)) {
  for (const Stored stored : {Stored::kPlain, Stored::kDelta}) {
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
  EXPECT_EQ(read_back(values, Stored::kDelta), values);
  EXPECT_EQ(read_back(values, Stored::kPlain), values);
}

}  // namespace
}  // namespace ttscope::testing
