// A finished ops report. The table must not depend on the parts that it is read in.
#include <cstddef>
#include <cstdint>

#include "fuzz/fuzz_target.h"
#include "perf/read/ops_report.h"

namespace ttscope::perf {
namespace {

using fuzz::require;

bool read(std::string_view text, std::size_t part_bytes, OpsReport& table) {
  ReportSource source;
  source.name = "report";
  source.text = text;
  source.part_bytes = part_bytes;
  const auto done = read_ops_report(source, table);
  require(done || !done.error().message.empty(), "an error says something");
  if (done) finish_ops_report(table);
  return done.has_value();
}

void check(const OpsReport& table) {
  for (const OpRow& row : table.rows) require(row.kind < table.kinds.size(), "a row has a kind");
  for (const OpKind& kind : table.kinds) {
    require(std::size_t{kind.first_input} + kind.input_count + kind.output_count <= table.tensors.size(),
            "the tensors of a kind are there");
    for (const std::uint32_t text : {kind.op_code, kind.op_type, kind.arch, kind.attributes}) {
      require(text < table.texts.size(), "texts are there");
    }
  }
}

TTSCOPE_FUZZ_TARGET(perf_ops_report) {
  OpsReport whole;
  if (!read(text, std::size_t{1} << 20, whole)) return;
  check(whole);
  if (text.size() % 4 != 0) return;  // the other way takes as long again
  OpsReport joined;
  require(read(text, 1 + text.size() % 61, joined), "a report does not depend on parts");
  check(joined);
  require(whole.rows.size() == joined.rows.size() && whole.kinds.size() == joined.kinds.size(),
          "rows do not depend on parts");
  for (std::size_t i = 0; i < whole.rows.size(); ++i) {
    require(whole.rows[i].kind == joined.rows[i].kind && whole.rows[i].line == joined.rows[i].line,
            "a row does not depend on parts");
  }
}

}  // namespace
}  // namespace ttscope::perf
