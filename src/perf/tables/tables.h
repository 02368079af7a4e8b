#pragma once

#include <memory>
#include <vector>

#include "perf/analyse/profile.h"
#include "table/table.h"

namespace ttscope::perf {

/// The tables of a profile; it is kept alive by them. `kind` is `device_profile` for captures, `ops_report`
/// for finished reports.
table::TableSet tables_of(std::shared_ptr<const Profile> profile);

/// The declarations of all tables, in the order of tables_of().
std::vector<const table::TableSpec*> table_specs();

/// Ready queries over these tables.
std::vector<table::View> views();

}  // namespace ttscope::perf
