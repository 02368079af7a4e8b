#pragma once

#include <memory>
#include <vector>

#include "phases/analyze/phase_analysis.h"
#include "table/table.h"

namespace ttscope::phases {

/// The tables of training logs: configurations, phases, summaries, components, steps, advice, violations,
/// notes, problems. Cells are read from the profile when they are asked for.
table::TableSet tables_of(const std::shared_ptr<const Profile>& profile);

/// Their declarations, for documents and `--schema`.
std::vector<const table::TableSpec*> table_specs();

/// Queries over them, for the questions of docs/agents.md.
std::vector<table::View> views();

}  // namespace ttscope::phases
