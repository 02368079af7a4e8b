#include "report/column_codec.h"

#include <memory>
#include <numeric>

#include "base/base64.h"
#include "base/gzip.h"

namespace ttscope::report {

std::string_view name_of(ColumnType type) {
  switch (type) {
    case ColumnType::kU8:
      return "u8";
    case ColumnType::kU32:
      return "u32";
    case ColumnType::kI64:
      break;
  }
  return "i64";
}

void PageBlobs::add_strings(const std::string& name, std::vector<std::string> texts) {
  const auto shared = std::make_shared<const std::vector<std::string>>(std::move(texts));
  add<std::uint32_t>(name + ".len", shared->size(), Stored::kPlain,
                     [shared](std::size_t i) { return static_cast<std::uint32_t>((*shared)[i].size()); });
  add(name + ".bytes", [shared] { return std::accumulate(shared->begin(), shared->end(), std::string()); });
}

std::string encode_blob(const PageBlob& blob) { return base64_of(gzip_of(blob.bytes())); }

}  // namespace ttscope::report
