// Declared in table_source.h, as all tables of this folder are.
#include "mem/tables/table_source.h"

namespace ttscope::mem {
namespace {

using Row = std::size_t;

const ProgramInstance& program_at(const TableSource& source, Row row) {
  const RankRows::Place at = source.programs.at(row);
  return source.rank_trace(at).programs[at.index];
}

const ProgramSummary& summary_at(const TableSource& source, Row row) {
  const RankRows::Place at = source.programs.at(row);
  return source.rank_profile(at).programs[at.index];
}

std::vector<table::ColumnOf<TableSource>> place_of_program_columns() {
  return {
      mem_column("rank", "", "Number of the rank (process) that ran the program",
                 [](const TableSource& s, Row row) { return s.rank_trace(s.programs.at(row)).number; }),
      mem_column("program", "", "Position among the program instances of its rank, from 0",
                 [](const TableSource& s, Row row) { return s.programs.at(row).index; }),
      mem_column("name", "", "Name of the program (main, main_const_eval_0)",
                 [](const TableSource& s, Row row) { return known_name(s.trace, program_at(s, row).name); }),
      mem_column("graph", "", "Row of the table of graphs: instances of the same op sequence share it",
                 [](const TableSource& s, Row row) { return known_id(summary_at(s, row).graph); }),
      mem_column("run", "", "How many times the graph ran before on this rank",
                 [](const TableSource& s, Row row) { return summary_at(s, row).run; }),
      mem_column("parent", "", "Program instance that called it; null for an outermost one",
                 [](const TableSource& s, Row row) { return known_id(program_at(s, row).parent); }),
      mem_column("caller_op", "", "Op of the parent that called it",
                 [](const TableSource& s, Row row) { return known_id(program_at(s, row).caller_op); }),
      mem_column("first_op", "", "First op of the rank that it executed, nested programs included",
                 [](const TableSource& s, Row row) { return program_at(s, row).first_op; }),
      mem_column("end_op", "", "The op behind its last one",
                 [](const TableSource& s, Row row) { return program_at(s, row).end_op; }),
      mem_column("start_line", "", "Line of the log where it starts; null where it is not known",
                 [](const TableSource& s, Row row) { return known_line(program_at(s, row).start_line); }),
      mem_column("end_line", "", "Line of the log where it ends; null: it was left open (crash or cut)",
                 [](const TableSource& s, Row row) { return known_line(program_at(s, row).end_line); }),
  };
}

table::TableOf<TableSource> declare_programs() {
  auto columns = place_of_program_columns();
  const std::vector<table::ColumnOf<TableSource>> figures = {
      mem_column("executed_ops", "", "Its own ops, nested programs not included",
                 [](const TableSource& s, Row row) { return summary_at(s, row).executed_ops; }),
      mem_column("counted_ops", "", "Its own ops without deallocate and get_device",
                 [](const TableSource& s, Row row) { return summary_at(s, row).counted_ops; }),
      mem_column("const_eval", "", "Whether it computes constants from weights",
                 [](const TableSource& s, Row row) { return summary_at(s, row).const_eval; }),
      mem_column("dram_peak_bytes_per_bank", "bytes",
                 "Highest state of a DRAM bank before one of its ops, nested programs included; measured "
                 "where there are memory lines, else modelled",
                 [](const TableSource& s, Row row) { return summary_at(s, row).dram_peak_bytes_per_bank; }),
  };
  columns.insert(columns.end(), figures.begin(), figures.end());
  return table::table_of<TableSource>("programs", "One execution of a program", columns);
}

table::TableOf<TableSource> declare_graphs() {
  return table::table_of<TableSource>(
      "graphs", "A distinct program: the same op sequence under the same name",
      {
          table::ascending(mem_column("graph", "", "Number of the graph, from 0",
                                      [](const TableSource&, Row row) { return row; })),
          mem_column(
              "name", "", "Name of its program",
              [](const TableSource& s, Row row) { return known_name(s.trace, s.memory.graphs[row].name); }),
          mem_column("instances", "", "How often it ran, on all ranks",
                     [](const TableSource& s, Row row) { return s.memory.graphs[row].instances; }),
          mem_column("const_eval", "", "Whether it computes constants from weights",
                     [](const TableSource& s, Row row) { return s.memory.graphs[row].const_eval; }),
          mem_column("first_rank", "", "Number of the rank that ran it first",
                     [](const TableSource& s, Row row) {
                       return s.trace.ranks[s.memory.graphs[row].first_rank].number;
                     }),
          mem_column("first_program", "", "Program instance of that rank",
                     [](const TableSource& s, Row row) { return s.memory.graphs[row].first_instance; }),
      });
}

}  // namespace

const table::TableOf<TableSource>& programs_spec() {
  static const table::TableOf<TableSource> kSpec = declare_programs();
  return kSpec;
}

const table::TableOf<TableSource>& graphs_spec() {
  static const table::TableOf<TableSource> kSpec = declare_graphs();
  return kSpec;
}

}  // namespace ttscope::mem
