#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "serve/library.h"

namespace ttscope::app {

struct DeletedReport {
  std::size_t files = 0;
  bool folder_is_left = false;  ///< it holds more than the report
};

/// Deletes the files of a report and its folder, which must lie directly in the library. Nothing else in the
/// folder is touched, and no symbolic link is followed.
Result<DeletedReport> delete_report(const std::string& library, const serve::Report& report);

}  // namespace ttscope::app
