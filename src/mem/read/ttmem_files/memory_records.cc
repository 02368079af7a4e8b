// One of the four files of mem/read/ttmem_files/records.h: NAME_memory.json.
#include <cmath>

#include "mem/read/ttmem_files/records.h"

namespace ttscope::mem {
namespace {

using simdjson::error_code;
using simdjson::SUCCESS;

/// MB with three decimals, as the log prints them.
bool take_figure(json::value value, MilliMib& to) {
  constexpr double kMost = 4.0e6;  // MB: still a 32-bit number of thousandths
  const auto number = number_in(value);
  if (!number || *number < 0 || *number > kMost) return false;
  to = static_cast<MilliMib>(std::llround(*number * 1000));
  return true;
}

error_code read_memory_view(json::value value, std::size_t m, RecordedState& state) {
  bool has_allocated = false;
  bool has_largest = false;
  const error_code broken = for_each_field(value, [&](std::string_view key, json::value inner) {
    if (key == "numBanks") {
      const auto banks = integer_in(inner);
      if (banks && *banks > 0 && *banks < 0x7fffffff)
        state.geometry.banks[m] = static_cast<std::uint32_t>(*banks);
    } else if (key == "totalBytesPerBank_MB") {
      take_figure(inner, state.geometry.total[m]);
    } else if (key == "totalBytesAllocatedPerBank_MB") {
      has_allocated = take_figure(inner, state.allocated[m]);
    } else if (key == "totalBytesFreePerBank_MB") {
      take_figure(inner, state.free[m]);
    } else if (key == "largestContiguousBytesFreePerBank_MB") {
      has_largest = take_figure(inner, state.largest_free[m]);
    }
    return SUCCESS;
  });
  if (!has_largest) state.largest_free[m] = state.free[m];
  if (has_allocated) state.present = static_cast<std::uint8_t>(state.present | 1u << m);
  return broken;
}

error_code read_state(json::value value, RecordedState& state) {
  return for_each_field(value, [&](std::string_view key, json::value inner) {
    for (const Memory memory : kMemories) {
      if (key == name_of(memory)) return read_memory_view(inner, index_of(memory), state);
    }
    return SUCCESS;
  });
}

error_code read_totals(json::value value, MemoryRecord& record) {
  return for_each_field(value, [&](std::string_view key, json::value inner) {
    for (const Memory memory : kTensorMemories) {
      if (key != name_of(memory)) continue;
      RecordedTotals& totals = record.totals[index_of(memory)];
      record.has_totals = true;
      return for_each_field(inner, [&](std::string_view name, json::value figure) {
        const bool wanted = name == "unpadded_bytes" || name == "padded_bytes" || name == "num_tensors";
        const auto number = wanted ? integer_in(figure) : std::nullopt;
        if (!number || *number < 0) return SUCCESS;
        if (name == "unpadded_bytes") totals.logical_bytes = *number;
        if (name == "padded_bytes") totals.padded_bytes = *number;
        if (name == "num_tensors" && *number < 0x7fffffff)
          totals.tensors = static_cast<std::uint32_t>(*number);
        return SUCCESS;
      });
    }
    return SUCCESS;
  });
}

error_code read_growth(json::value value, MemoryRecord& record) {
  return for_each_field(value, [&](std::string_view key, json::value inner) {
    for (const Memory memory : kTensorMemories) {
      if (key != name_of(memory)) continue;
      const auto bytes = integer_in(inner);
      constexpr std::int64_t kMost = std::int64_t{1} << 50;
      if (!bytes || *bytes > kMost || *bytes < -kMost) continue;
      record.op_facts.own_growth[index_of(memory)] = *bytes;
      record.op_facts.has_own_growth = true;
    }
    return SUCCESS;
  });
}

void take_text(json::value value, std::string_view& to) { to = text_in(value).value_or(std::string_view()); }

void take_integer(json::value value, std::int64_t& to) { to = integer_in(value).value_or(to); }

/// Fields that only ttscope writes.
error_code read_own_field(std::string_view key, json::value value, MemoryRecord& record) {
  if (key == "memory_after") return read_state(value, record.after);
  if (key == "own_growth") return read_growth(value, record);
  if (key == "memory_source") {
    const std::string_view source = text_in(value).value_or(std::string_view());
    record.is_own = true;
    if (source == "repeated") record.source = MemoryRecord::Source::kRepeated;
    if (source == "modelled") record.source = MemoryRecord::Source::kModelled;
  } else if (key == "memory_after_confidence") {
    record.after_measured = text_in(value) == "measured";
  } else if (key == "own_growth_confidence") {
    record.op_facts.own_growth_measured = text_in(value) == "measured";
  } else if (key == "line") {
    take_integer(value, record.line);
  } else if (key == "rank") {
    take_integer(value, record.rank);
  } else if (key == "file") {
    take_integer(value, record.file);
  } else if (key == "program") {
    record.has_program_field = true;
    take_text(value, record.program);
  } else if (key == "program_instance") {
    take_integer(value, record.instance);
  }
  return SUCCESS;
}

error_code read_field(std::string_view key, json::value value, MemoryRecord& record) {
  if (key == "memory") return read_state(value, record.before);
  if (key == "unpadded_memory") return read_totals(value, record);
  if (key == "op_type") {
    take_text(value, record.op_type);
  } else if (key == "mlir_op") {
    record.has_op = true;
    take_text(value, record.op);
  } else if (key == "loc") {
    take_text(value, record.loc);
  } else if (key == "index") {
    take_integer(value, record.index);
  } else if (key == "const_eval_graph") {
    take_text(value, record.const_eval_graph);
  } else if (key == "const_eval_cache_miss") {
    record.cache_miss = truth_in(value);
  } else if (key == "is_weight_op") {
    record.op_facts.is_weight_op = truth_in(value);
  } else {
    return read_own_field(key, value, record);
  }
  return SUCCESS;
}

/// The records; `complaint` gets what is wrong with one that can be read but does not fit.
error_code read_records(json::value list, RunBuilder& builder, std::string& complaint) {
  return for_each_element(list, [&](json::value element) {
    MemoryRecord record;
    const error_code broken = for_each_field(
        element, [&](std::string_view key, json::value value) { return read_field(key, value, record); });
    if (broken != SUCCESS) return broken;
    complaint = builder.add_memory(record);
    return complaint.empty() ? SUCCESS : simdjson::UNEXPECTED_ERROR;
  });
}

}  // namespace

Result<void> read_memory(JsonDocument& file, RunBuilder& builder) {
  constexpr std::string_view kNoRecords =
      "has no list of operations; expected {\"metadata\": ..., \"operations\": [...]} or, as older tools "
      "wrote it, "
      "the array alone";
  json::value whole;
  if (const auto error = file.document.get_value().get(whole)) return failure(bad_file(file, error));
  json::json_type type{};
  if (const auto error = whole.type().get(type)) return failure(bad_file(file, error));
  std::string complaint;
  bool found = type == json::json_type::array;
  error_code broken = SUCCESS;
  if (found) {
    broken = read_records(whole, builder, complaint);
  } else {
    broken = for_each_field(whole, [&](std::string_view key, json::value value) {
      if (key != "operations" || found) return SUCCESS;
      found = true;
      return read_records(value, builder, complaint);
    });
  }
  if (!complaint.empty()) return failure(bad_file(file, complaint));
  if (broken != SUCCESS) return failure(bad_file(file, broken));
  if (!found) return failure(bad_file(file, kNoRecords));
  return check_end(file);
}

}  // namespace ttscope::mem
