#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ttscope::serve {

/// How a column of a report page is stored (docs/formats/report_page.md).
struct PageBlobForm {
  std::string type{};
  std::size_t count = 0;
  bool is_delta = false;
};

/// The values of a column: base64 of gzip of byte planes. Empty when the text is anything else.
std::vector<std::int64_t> unpacked_column(std::string_view base64, const PageBlobForm& form);

}  // namespace ttscope::serve
