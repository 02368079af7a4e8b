// Declared in table_source.h, as all tables of this folder are.
#include "mem/tables/table_source.h"

namespace ttscope::mem {
namespace {

using Row = std::size_t;
using Columns = std::vector<table::ColumnOf<TableSource>>;

Columns argument_columns() {
  return {
      table::ascending(mem_column("argument", "", "Number of the argument, from 0",
                                  [](const TableSource&, Row row) { return row; })),
      mem_column("graph", "", "Row of the table of graphs that takes it",
                 [](const TableSource& s, Row row) { return known_id(s.memory.arguments[row].graph); }),
      mem_column(
          "ssa", "", "SSA name (%arg3)",
          [](const TableSource& s, Row row) { return known_name(s.trace, s.memory.arguments[row].ssa); }),
      mem_column("name", "", "Name in the model, else the SSA name",
                 [](const TableSource& s, Row row) { return known_text(s.memory.arguments[row].name); }),
      mem_column("role", "", "input, parameter, constant or unknown, as the compiler says",
                 [](const TableSource& s, Row row) { return name_of(s.memory.arguments[row].role); }),
      mem_column("role_from_flow", "", "Whether no dump says the role, but const-eval consumes it: a weight",
                 [](const TableSource& s, Row row) { return s.memory.arguments[row].role_from_flow; }),
      mem_column("kv_cache", "", "Whether it is a key or value cache",
                 [](const TableSource& s, Row row) { return s.memory.arguments[row].kv_cache; }),
      mem_column("is_weight", "", "Whether it is a parameter or constant",
                 [](const TableSource& s, Row row) { return s.memory.arguments[row].is_weight(); }),
      mem_column("counted_weight", "",
                 "Whether it counts among the distinct weights of the main rank's graphs",
                 [](const TableSource& s, Row row) { return s.memory.arguments[row].counted_weight; }),
      mem_column("same_as", "", "Earlier argument that is the same tensor of the model, in another graph",
                 [](const TableSource& s, Row row) { return known_id(s.memory.arguments[row].same_as); }),
      mem_column("shape", "", "Logical shape of what one device holds",
                 [](const TableSource& s, Row row) { return shape_text(s.memory.arguments[row].shape); }),
      mem_column("dtype", "", "Element type",
                 [](const TableSource& s, Row row) { return known_text(s.memory.arguments[row].dtype); }),
      mem_column("logical_bytes", "bytes", "Bytes of what one device holds, without padding",
                 [](const TableSource& s, Row row) { return s.memory.arguments[row].logical_bytes; }),
  };
}

}  // namespace

const table::TableOf<TableSource>& arguments_spec() {
  static const table::TableOf<TableSource> kSpec =
      table::table_of<TableSource>("arguments",
                                   "An argument of a program, as module dumps and op lines describe it, "
                                   "weights too: the JSON document has "
                                   "those with is_weight under weights.entries, the others under arguments",
                                   argument_columns());
  return kSpec;
}

}  // namespace ttscope::mem
