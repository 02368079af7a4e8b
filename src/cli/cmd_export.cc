#include "cli/cmd_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/open.h"
#include "base/edit_distance.h"
#include "cli/open_profiles.h"
#include "cli/option_values.h"
#include "cli/table_output.h"
#include "cli/terminal.h"
#include "table/table_rows.h"

namespace ttscope::cli {
namespace {

constexpr std::string_view kExportExamples =
    "Examples:\n"
    "  ttscope export run.log --table ops -o ops.csv\n"
    "  ttscope export run.log --table buffers -o buffers.json\n"
    "  ttscope export ops_perf_results.csv --table ops --format csv | head\n"
    "  ttscope export run.log                    which tables there are\n"
    "\n"
    "Exit codes: 0 ok, 1 bad input or failed output, 2 wrong usage,\n4 nothing of its kind in it\n";

/// The form by the option, else by the end of the name; nothing for an unknown one.
std::optional<TableForm> form_of(const std::string& format, const std::string& path) {
  const auto is = [&](std::string_view name) {
    if (!format.empty()) return format == name;
    return path.size() > name.size() && std::string_view(path).ends_with(name) &&
           path[path.size() - name.size() - 1] == '.';
  };
  if (is("csv")) return TableForm::kCsv;
  if (is("json")) return TableForm::kJson;
  return std::nullopt;
}

std::string list_of(const table::TableSet& set) {
  std::size_t width = 0;
  for (const table::Table& table : set.tables) width = std::max(width, table.spec().name.size());
  std::string text;
  for (const table::Table& table : set.tables) {
    text += fmt::format("  {:<{}}{:>9} rows  {}\n", table.spec().name, width, table.rows(), table.spec().doc);
  }
  return text;
}

int unknown_table(const std::string& name, const table::TableSet& set) {
  std::vector<std::string_view> names;
  names.reserve(set.tables.size());
  for (const table::Table& table : set.tables) names.push_back(table.spec().name);
  const std::string_view near = nearest_name(name, names);
  complain(fmt::format("no table {}{}; there are {}", name,
                       near.empty() ? "" : fmt::format("; did you mean {}?", near), fmt::join(names, ", ")));
  return kUsage;
}

int export_table(const ParsedArgs& args, TableForm form, const std::string& path) {
  const Result<std::vector<app::Profile>> profiles = open_profiles(args.positionals);
  if (!profiles) return fail(profiles.error());
  const table::TableSet set = profiles->front().tables();
  if (!args.has("--table")) return answer(list_of(set));
  const table::Table* table = set.find(args.value("--table"));
  if (table == nullptr) return unknown_table(args.value("--table"), set);
  table::TableRows rows(*table);
  const Result<void> written = write_rows(rows, form, path);
  return written ? static_cast<int>(kOk) : fail(written.error());
}

}  // namespace

CommandSpec export_spec() {
  CommandSpec spec;
  spec.program = "ttscope export";
  spec.summary = "a table of a profile as CSV or JSON";
  spec.description =
      "Writes one table of a profile of any kind, all its rows and columns, as CSV or as a JSON list of "
      "objects. "
      "Without --table it lists the tables. `ttscope sql --schema` says what their columns mean.";
  spec.positional = {"FILE", "a profile of any kind; - for standard input", 1, 1, ValueKind::kFile, {}};
  spec.options = {
      {"--table", "NAME", "which table", ValueKind::kText, {}},
      {"-o,--output",
       "PATH",
       "where to: NAME.csv or NAME.json (default: standard output)",
       ValueKind::kFile,
       {}},
      {"--format", "FORM", "csv or json, whatever the name", ValueKind::kChoice, {"csv", "json"}},
  };
  spec.examples = kExportExamples;
  return spec;
}

int run_export(const ParsedArgs& args) {
  if (!are_usable_outputs(args, {"--output"})) return kUsage;
  const std::string path = args.value("--output", "-");
  const bool is_list = !args.has("--table");
  if (is_list && (args.has("--output") || args.has("--format"))) {
    complain("missing --table NAME: which table is to be written?");
    return kUsage;
  }
  const std::optional<TableForm> form = form_of(args.value("--format", path == "-" ? "csv" : ""), path);
  if (!form) {
    complain(fmt::format("--output {}: expected a name that ends with .csv or .json, or --format", path));
    return kUsage;
  }
  return export_table(args, *form, path);
}

}  // namespace ttscope::cli
