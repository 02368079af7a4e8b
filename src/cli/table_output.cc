#include "cli/table_output.h"

#include "base/writer.h"
#include "cli/option_values.h"
#include "cli/terminal.h"
#include "table/write_csv.h"
#include "table/write_json.h"
#include "table/write_text.h"

namespace ttscope::cli {
namespace {

Result<void> write(table::RowSource& rows, TableForm form, Writer& out) {
  switch (form) {
    case TableForm::kCsv:
      return table::write_csv(rows, out);
    case TableForm::kJson:
      return table::write_json(rows, out);
    case TableForm::kText:
      break;
  }
  table::TableTextOptions options;
  if (is_terminal(Stream::kOut)) options.width = static_cast<std::size_t>(terminal_width(Stream::kOut));
  return table::write_text(rows, out, options);
}

}  // namespace

Result<void> write_rows(table::RowSource& rows, TableForm form, const std::string& path) {
  return write_output(path, [&](Writer& out) { return write(rows, form, out); });
}

}  // namespace ttscope::cli
