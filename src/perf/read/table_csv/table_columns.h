#pragma once

#include <cstddef>

#include "base/csv_scanner.h"

namespace ttscope::perf {

/// Where the cells of a table are; versions differ in which columns they have. kNoColumn: not there.
struct TableColumns {
  explicit TableColumns(const CsvHeader& header)
      : id(header.find("ID")),
        op_code(header.find("OP Code")),
        raw_op_code(header.find("Raw OP Code")),
        device(header.find("Device")),
        device_time(header.find("Device Time")),
        gap(header.find("Op-to-Op Gap")),
        cores(header.find("Cores")),
        available_cores(header.find("Available Cores")),
        sub_device(header.find("Sub Device ID")),
        dram_gb_s(header.find("DRAM")),
        dram_percent(header.find("DRAM %")),
        tflops(header.find("FLOPs")),
        flops_percent(header.find("FLOPs %")),
        fidelity(header.find("Math Fidelity")),
        output_type(header.find("Output Datatype")),
        input_types{header.find("Input 0 Datatype"), header.find("Input 1 Datatype")},
        is_dram_sharded(header.find("DRAM Sharded")),
        input_memory(header.find("Input 0 Memory")),
        block_w(header.find("Inner Dim Block Size")),
        subblock_h(header.find("Output Subblock H")),
        subblock_w(header.find("Output Subblock W")),
        call_count(header.find("Global Call Count")),
        count(header.names().size()) {}

  bool is_table() const {
    return id != CsvHeader::kNoColumn && op_code != CsvHeader::kNoColumn &&
           device_time != CsvHeader::kNoColumn;
  }

  std::size_t id, op_code, raw_op_code, device, device_time, gap, cores, available_cores, sub_device;
  std::size_t dram_gb_s, dram_percent, tflops, flops_percent, fidelity, output_type;
  std::size_t input_types[2];
  std::size_t is_dram_sharded, input_memory, block_w, subblock_h, subblock_w, call_count;
  std::size_t count;
};

}  // namespace ttscope::perf
