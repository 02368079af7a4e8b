#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "serve/library.h"
#include "serve/safe_open.h"

namespace ttscope::serve {

/// The reports whose files lie in one folder; root, folder and id are left to the caller.
std::vector<Report> find_reports(const SafeFolder& folder, const std::vector<SafeFolder::Entry>& entries);

/// Whether a file belongs to a report, by its name.
bool is_report_file(const std::string& name);

/// Gives every report its id and puts the newest first.
void number_reports(std::vector<Report>& reports);

}  // namespace ttscope::serve
