#include "support/ops_csv.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "perf/read/ops_report.h"

namespace ttscope::testing {

std::vector<std::string> OpsCsv::usual_columns() {
  std::vector<std::string> columns = {"OP CODE",
                                      "OP TYPE",
                                      "GLOBAL CALL COUNT",
                                      "DEVICE ID",
                                      "DEVICE ARCH",
                                      "ATTRIBUTES",
                                      "MATH FIDELITY",
                                      "CORE COUNT",
                                      "AVAILABLE WORKER CORE COUNT",
                                      "HOST START TS",
                                      "HOST DURATION [ns]",
                                      "DEVICE FW START CYCLE",
                                      "DEVICE FW END CYCLE",
                                      "OP TO OP LATENCY [ns]",
                                      "DEVICE FW DURATION [ns]",
                                      "DEVICE KERNEL DURATION [ns]",
                                      "DEVICE KERNEL FIRST TO LAST START [ns]",
                                      "DEVICE BRISC KERNEL DURATION [ns]",
                                      "DEVICE NCRISC KERNEL DURATION [ns]",
                                      "DEVICE TRISC1 KERNEL DURATION [ns]",
                                      "DEVICE COMPUTE CB WAIT FRONT [ns]",
                                      "DEVICE COMPUTE CB RESERVE BACK [ns]"};
  for (const char* tensor : {"INPUT_0_", "INPUT_1_", "INPUT_2_", "OUTPUT_0_"}) {
    for (const char* size : {"W", "Z", "Y", "X"})
      columns.push_back(std::string(tensor) + size + "_PAD[LOGICAL]");
    for (const char* part : {"LAYOUT", "DATATYPE", "MEMORY"}) columns.push_back(std::string(tensor) + part);
  }
  for (const char* column :
       {"METAL TRACE ID", "METAL TRACE REPLAY SESSION ID", "PROGRAM HASH", "PROGRAM CACHE HIT",
        "PM IDEAL [ns]", "PM COMPUTE [ns]", "PM BANDWIDTH [ns]", "NOC UTIL (%)", "DRAM BW UTIL (%)",
        "MATH Util Median (%)", "NOC Ring 0 Outgoing Util Median (%)", "NOC Ring 1 Incoming Util Median (%)",
        "LOC"}) {
    columns.emplace_back(column);
  }
  return columns;
}

OpsCsv& OpsCsv::row(const Cells& cells) {
  rows_.push_back(cells);
  return *this;
}

void OpsCsv::add_cycles(Cells& cells) {
  constexpr double kCyclesPerNs = 1.35;
  // A cell that is damaged on purpose says nothing of the time.
  const auto number = [&](const char* column, double usual) {
    char* end = nullptr;
    const std::string& cell = cells[column];
    const double value = std::strtod(cell.c_str(), &end);
    return !cell.empty() && *end == 0 && value >= 0 && value < 1e15 ? value : usual;
  };
  const double kernel_ns = number("DEVICE KERNEL DURATION [ns]", 10'000);
  if (cells.count("DEVICE FW START CYCLE") == 0) {
    double& end = end_cycles_.try_emplace(cells["DEVICE ID"], 1'000'000).first->second;
    const double start = end + number("OP TO OP LATENCY [ns]", 0) * kCyclesPerNs;
    end = start + kernel_ns * kCyclesPerNs;
    cells["DEVICE FW START CYCLE"] = std::to_string(std::llround(start));
    cells["DEVICE FW END CYCLE"] = std::to_string(std::llround(end));
  }
  cells.try_emplace("DEVICE FW DURATION [ns]", std::to_string(std::llround(kernel_ns)));
}

OpsCsv& OpsCsv::op(const std::string& name, const Cells& cells) {
  Cells all = {{"OP CODE", name},
               {"OP TYPE", "tt_dnn_device"},
               {"GLOBAL CALL COUNT", std::to_string(1024 * (rows_.size() + 1))},
               {"DEVICE ID", "0"},
               {"DEVICE ARCH", "blackhole"},
               {"MATH FIDELITY", "HiFi4"},
               {"CORE COUNT", "64"},
               {"AVAILABLE WORKER CORE COUNT", "110"},
               {"HOST START TS", std::to_string(1'000'000 + 10'000 * rows_.size())},
               {"HOST DURATION [ns]", "1000"},
               {"DEVICE KERNEL DURATION [ns]", "10000"},
               {"OP TO OP LATENCY [ns]", "1000"}};
  for (const auto& [column, cell] : cells) all[column] = cell;
  add_cycles(all);
  return row(all);
}

OpsCsv& OpsCsv::matmul(const std::string& memory, const Cells& cells) {
  Cells all;
  const auto tensor = [&](const std::string& prefix, const std::string& y, const std::string& x) {
    all[prefix + "W_PAD[LOGICAL]"] = "1[1]";
    all[prefix + "Z_PAD[LOGICAL]"] = "1[1]";
    all[prefix + "Y_PAD[LOGICAL]"] = y;
    all[prefix + "X_PAD[LOGICAL]"] = x;
    all[prefix + "LAYOUT"] = "TILE";
    all[prefix + "DATATYPE"] = "BFLOAT16";
    all[prefix + "MEMORY"] = memory;
  };
  tensor("INPUT_0_", "32[17]", "1024[1024]");
  tensor("INPUT_1_", "1024[1024]", "1024[1024]");
  tensor("OUTPUT_0_", "32[17]", "1024[1024]");
  for (const auto& [column, cell] : cells) all[column] = cell;
  return op("Matmul", all);
}

OpsCsv& OpsCsv::signpost(const std::string& name) {
  return row({{"OP CODE", name},
              {"OP TYPE", "signpost"},
              {"HOST START TS", std::to_string(1'000'000 + 10'000 * rows_.size())}});
}

OpsCsv& OpsCsv::without(std::string_view column) {
  std::erase(columns_, column);
  return *this;
}

std::string OpsCsv::text(std::string_view line_end) const {
  std::string text;
  for (std::size_t i = 0; i < columns_.size(); ++i) text.append(i > 0 ? "," : "").append(columns_[i]);
  text += line_end;
  for (const Cells& row : rows_) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (i > 0) text += ',';
      if (const auto cell = row.find(columns_[i]); cell != row.end()) text += cell->second;
    }
    text += line_end;
  }
  return text;
}

perf::OpsReport OpsCsv::table() const { return read_table(text()); }

perf::OpsReport read_table(std::string_view text) {
  perf::OpsReport table;
  const Result<void> read = perf::read_ops_report({"report.csv", text, {}}, table);
  if (!read) throw std::runtime_error(read.error().message);
  perf::finish_ops_report(table);
  return table;
}

}  // namespace ttscope::testing
