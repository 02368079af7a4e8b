#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "serve/folder_scan.h"

namespace ttscope::app {

/// What a command line of `serve` names.
struct ServePlaces {
  std::vector<serve::ServedPlace> places;
  std::vector<std::string> logs;  ///< to be profiled at once
  std::string report_base;        ///< where reports of new logs go; empty: nothing served shows them
  std::string shown_report;       ///< id of the report to open; empty: the list
};

/// Folders, report pages and logs; without any the library of reports, which is made when missing.
Result<ServePlaces> find_places(const std::vector<std::string>& arguments,
                                const std::vector<std::string>& environment);

/// The same for `ttmem serve [NAME]`: a name of a report in the library, or any of the above.
Result<ServePlaces> find_report_place(const std::vector<std::string>& arguments,
                                      const std::vector<std::string>& environment);

}  // namespace ttscope::app
