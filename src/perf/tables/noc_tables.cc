// Declared in table_source.h, as all tables of this folder are.
#include "perf/tables/table_source.h"

namespace ttscope::perf {
namespace {

/// An id that is -1 where there is none.
std::optional<std::int64_t> known_id(std::int64_t id) { return id < 0 ? std::nullopt : std::optional(id); }

}  // namespace

const table::TableOf<TableSource>& noc_traces_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "noc_traces",
      "The transfers of one execution over the network on chip; only where NoC traces were read, most bytes "
      "first",
      {
          table::column<TableSource>("op", "", "Name of the op, as the trace has it",
                                     [](const TableSource& source, std::size_t row) {
                                       return known(source.noc_traces[row]->op_name);
                                     }),
          table::column<TableSource>(
              "call_count", "", "Number of the op's call, as in `ops`",
              [](const TableSource& source, std::size_t row) { return source.noc_traces[row]->key.op_id; }),
          table::column<TableSource>(
              "device", "", "Device id of the host",
              [](const TableSource& source, std::size_t row) { return source.noc_traces[row]->key.device; }),
          table::column<TableSource>("trace_id", "", "Trace that was replayed; null where none was",
                                     [](const TableSource& source, std::size_t row) {
                                       return known_id(source.noc_traces[row]->key.trace);
                                     }),
          table::column<TableSource>("transfers", "", "Transfers that were recorded (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.noc_traces[row]->all.transfers;
                                     }),
          table::column<TableSource>(
              "bytes", "bytes", "Bytes of these transfers (measured)",
              [](const TableSource& source, std::size_t row) { return source.noc_traces[row]->all.bytes; }),
          table::column<TableSource>("cores", "", "Cores that began a transfer",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.noc_traces[row]->by_core.size();
                                     }),
          table::column<TableSource>(
              "saturated", "",
              "Transfers of 8160 bytes, the most that an event can say: they may "
              "have been larger (measured)",
              [](const TableSource& source, std::size_t row) { return source.noc_traces[row]->saturated; }),
      });
  return kSpec;
}

const table::TableOf<TableSource>& noc_transfers_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "noc_transfers", "The transfers of one type in a NoC trace; they add up to its row in `noc_traces`",
      {
          table::column<TableSource>("call_count", "", "Number of the op's call, as in `ops`",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.noc_types[row].trace->key.op_id;
                                     }),
          table::column<TableSource>("device", "", "Device id of the host",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.noc_types[row].trace->key.device;
                                     }),
          table::column<TableSource>(
              "type", "",
              "Type of the transfers as recorded: READ, WRITE_, FABRIC_UNICAST_WRITE and the like",
              [](const TableSource& source, std::size_t row) { return source.noc_types[row].type; }),
          table::column<TableSource>("transfers", "", "Transfers of this type (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.noc_types[row].count.transfers;
                                     }),
          table::column<TableSource>(
              "bytes", "bytes", "Bytes of these transfers (measured)",
              [](const TableSource& source, std::size_t row) { return source.noc_types[row].count.bytes; }),
      });
  return kSpec;
}

}  // namespace ttscope::perf
