#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perf/read/device_log/log_row.h"

namespace ttscope::perf {

/// Reads rows of device logs of other versions, whose columns are known by their names only. Slower than
/// RowReader, and the plain statement of what that one does.
class NamedRowReader {
 public:
  explicit NamedRowReader(const std::vector<std::string>& columns);
  /// Whether the columns that nothing can be computed without are there.
  bool is_usable() const;
  bool parse(std::string_view line, LogRow& row);

 private:
  enum Column {
    kDevice,
    kX,
    kY,
    kRisc,
    kTimer,
    kTime,
    kData,
    kOp,
    kTrace,
    kReplay,
    kZone,
    kType,
    kLine,
    kFile,
    kMeta,
    kColumns
  };
  std::string_view cell(Column column) const;

  std::vector<std::size_t> places_;
  std::size_t last_column_ = 0;
  std::vector<std::string_view> cells_;
};

}  // namespace ttscope::perf
