#include "truth.h"

#include <algorithm>
#include <stdexcept>

#include "json_text.h"

namespace ttscope::gen_log {

namespace {

constexpr std::size_t kGrowthRows = 20;

std::string_view memory_name(Memory memory) { return memory == Memory::kDram ? "DRAM" : "L1"; }

std::string integers_json(const std::vector<std::int64_t>& values) {
  return json_array(values, [](std::int64_t value) { return std::to_string(value); });
}

std::string state_json(const MemoryState& state) {
  return integers_json({state.allocated_bytes, state.free_bytes, state.largest_free_bytes});
}

std::string states_json(const States& states) {
  return JsonObject().raw("DRAM", state_json(states[0])).raw("L1", state_json(states[1])).text();
}

std::string deltas_json(const PerMemory& deltas) {
  return JsonObject().number("DRAM", deltas[0]).number("L1", deltas[1]).text();
}

std::string result_json(const std::string& name, const TensorType& type, const Device& device) {
  return JsonObject()
      .string("name", name)
      .raw("shape", integers_json(type.spec.shape))
      .string("dtype", type.dtype)
      .raw("buffer", type.is_device_handle ? "null" : json_string(type.buffer_name()))
      .string("layout", type.sharding_name())
      .number("logical_bytes", type.logical_bytes)
      .number("padded_bytes", type.padded_bytes)
      .number("per_bank_bytes", type.bytes_per_bank(device))
      .text();
}

std::string live_json(const LiveTensor& tensor) {
  return JsonObject()
      .string("name", tensor.name)
      .string("model_name", tensor.model_name)
      .number("instance", tensor.instance)
      .string("kind", tensor.kind)
      .number("bytes_per_bank", tensor.bytes_per_bank)
      .number("logical_bytes", tensor.type->logical_bytes)
      .number("padded_bytes", tensor.type->padded_bytes)
      .raw("shape", integers_json(tensor.type->spec.shape))
      .string("dtype", tensor.type->dtype)
      .text();
}

std::string_view reason_of(const OutOfMemoryRecord& failure) {
  if (!failure.verdict.empty()) return failure.verdict;
  if (failure.requested_per_bank > failure.bank_size) return "never fits";
  return failure.requested_per_bank > failure.state.free_bytes ? "exhausted" : "fragmented";
}

JsonObject failure_json(const OutOfMemoryRecord& failure) {
  return JsonObject()
      .number("op_index", failure.op_index)
      .string("op", failure.op)
      .string("result", failure.result)
      .string("memory", memory_name(failure.memory))
      .number("requested_bytes", failure.requested_bytes)
      .number("requested_per_bank", failure.requested_per_bank)
      .number("bank_size", failure.bank_size)
      .number("allocated", failure.state.allocated_bytes)
      .number("free", failure.state.free_bytes)
      .number("largest", failure.state.largest_free_bytes)
      .string("reason", reason_of(failure));
}

std::string program_json(const ProgramRecord& program) {
  return JsonObject()
      .number("id", program.id)
      .string("name", program.name)
      .number_or_null("start_line", program.start_line, program.start_line != 0)
      .number_or_null("parent", program.parent, program.parent >= 0)
      .number("run", program.run)
      .text();
}

void put(std::FILE* file, const std::string& text) { std::fwrite(text.data(), 1, text.size(), file); }

}  // namespace

Truth::Truth(std::int64_t rank, const Device& device, std::int64_t dram_bytes_per_bank)
    : rank_(rank), device_(device), arena_bytes_{dram_bytes_per_bank, device.l1_bytes_per_bank} {}

std::int64_t Truth::banks(Memory memory) const {
  return memory == Memory::kDram ? device_.dram_banks : device_.l1_banks;
}

Truth::Rows::Rows() : file(std::tmpfile()) {
  if (!file) throw std::runtime_error("cannot make a temporary file");
}

void Truth::Rows::add(const std::string& row) {
  put(file.get(), (any ? ",\n" : "") + row);
  any = true;
}

void Truth::Rows::copy_to(std::FILE* target) {
  std::array<char, 65536> block;
  std::rewind(file.get());
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get())) {
    std::fwrite(block.data(), 1, count, target);
  }
}

OpRecord& Truth::pending_op(std::int64_t index) {
  return ops_[static_cast<std::size_t>(index - first_pending_op_)];
}

void Truth::set_line(std::int64_t mark, std::int64_t line) {
  const std::int64_t id = mark / 2;
  if (mark % 2 == 0) {
    pending_op(id).line = line;
  } else {
    for (ProgramRecord& program : programs_) {
      if (program.id == id) program.start_line = line;
    }
  }
  flush(false);
}

void Truth::begin_program(ProgramRecord program) {
  ++program_count_;
  programs_.push_back(std::move(program));
}

void Truth::boundary(std::string_view event, std::int64_t instance, const PerMemory& delta) {
  if (delta == PerMemory{}) return;
  boundary_rows_.add(JsonObject()
                         .number("before_op", op_count_)
                         .string("event", event)
                         .number("instance", instance)
                         .raw("delta", deltas_json(delta))
                         .text());
}

void Truth::begin_op(OpRecord record) {
  for (std::size_t m = 0; m < kMemoryCount; ++m) {
    Peak& peak = peaks_[m];
    if (record.before[m].allocated_bytes > peak.before_bytes) {
      peak.before_bytes = record.before[m].allocated_bytes;
      peak.before_op = record.index;
    }
  }
  op_count_ = record.index + 1;
  ops_.push_back(std::move(record));
}

void Truth::finish_op(std::int64_t index, const PerMemory& own_growth, const States& after) {
  OpRecord& record = pending_op(index);
  record.own_growth = own_growth;
  record.after = after;
  record.finished = true;
  for (std::size_t m = 0; m < kMemoryCount; ++m) {
    Peak& peak = peaks_[m];
    if (after[m].allocated_bytes <= peak.after_bytes) continue;
    peak.after_bytes = after[m].allocated_bytes;
    peak.after_op = index;
    peak.gone.clear();
    peak.last_id = peak.live.empty() ? -1 : peak.live.rbegin()->first;
  }
  note_growth(record);
  flush(false);
}

void Truth::fail_op(const OutOfMemoryRecord& failure) {
  pending_op(failure.op_index).failed = true;
  failure_ = std::make_unique<OutOfMemoryRecord>(failure);
}

void Truth::allocated(Memory memory, std::int64_t id, LiveTensor tensor) {
  peaks_[index_of(memory)].live.emplace(id, std::move(tensor));
}

void Truth::released(Memory memory, std::int64_t id) {
  Peak& peak = peaks_[index_of(memory)];
  auto node = peak.live.extract(id);
  if (!node.empty() && id <= peak.last_id) peak.gone.insert(std::move(node));
}

void Truth::note_growth(const OpRecord& record) {
  const std::int64_t bytes = record.own_growth[index_of(Memory::kDram)];
  if (bytes <= 0 || (growth_.size() == kGrowthRows && growth_.back().bytes >= bytes)) return;
  const auto smaller = [](const Growth& row, std::int64_t value) { return row.bytes >= value; };
  const auto place = std::lower_bound(growth_.begin(), growth_.end(), bytes, smaller);
  growth_.insert(place, {bytes, record.index, record.op});
  if (growth_.size() > kGrowthRows) growth_.pop_back();
}

void Truth::flush(bool all) {
  while (!ops_.empty() && (all || (ops_.front().line != 0 && ops_.front().finished))) {
    op_rows_.add(op_json(ops_.front()));
    ops_.pop_front();
    ++first_pending_op_;
  }
  while (!programs_.empty() && (all || programs_.front().start_line != 0)) {
    program_rows_.add(program_json(programs_.front()));
    programs_.pop_front();
  }
}

std::string Truth::op_json(const OpRecord& record) const {
  JsonObject row;
  row.number("index", record.index)
      .number("line", record.line)
      .number("instance", record.instance)
      .string("op", record.op)
      .string("loc", record.loc)
      .raw("own_growth", deltas_json(record.own_growth))
      .raw("before", states_json(record.before))
      .raw("after", record.finished ? states_json(record.after) : "null")
      .raw("results", json_array(record.results, [this](const auto& result) {
             return result_json(result.first, *result.second, device_);
           }));
  if (record.view) row.boolean("view", true);
  if (record.failed) row.boolean("failed", true);
  return row.text();
}

std::string Truth::peak_json(Memory memory) const {
  const Peak& peak = peaks_[index_of(memory)];
  std::vector<const LiveTensor*> live;
  for (const auto& [id, tensor] : peak.gone) live.push_back(&tensor);
  for (const auto& [id, tensor] : peak.live) {
    if (id <= peak.last_id) live.push_back(&tensor);
  }
  std::stable_sort(live.begin(), live.end(), [](const LiveTensor* a, const LiveTensor* b) {
    return a->bytes_per_bank > b->bytes_per_bank;
  });
  std::map<std::string_view, std::int64_t> by_kind;
  std::int64_t padding = 0;
  std::int64_t lockstep = 0;
  for (const LiveTensor* tensor : live) {
    by_kind[tensor->kind] += tensor->bytes_per_bank;
    padding += tensor->type->padded_bytes - tensor->type->logical_bytes;
    lockstep += tensor->bytes_per_bank * banks(memory) - tensor->type->padded_bytes;
  }
  JsonObject kinds;
  for (const auto& [kind, bytes] : by_kind) kinds.number(kind, bytes);
  return JsonObject()
      .number("banks", banks(memory))
      .number("total_per_bank", arena_bytes_[index_of(memory)])
      .number("after_op_bytes_per_bank", peak.after_bytes)
      .number("after_op_index", peak.after_op)
      .number("before_op_bytes_per_bank", peak.before_bytes)
      .number("before_op_index", peak.before_op)
      .raw("live_bytes_by_kind", kinds.text())
      .number("padding_waste_bytes", padding)
      .number("lockstep_waste_bytes", lockstep)
      .raw("live", json_array(live, [](const LiveTensor* tensor) { return live_json(*tensor); }))
      .text();
}

std::string Truth::failure_and_live() const {
  JsonObject failure = failure_json(*failure_);
  if (live_at_failure_) {
    const auto& live = peaks_[index_of(failure_->memory)].live;
    failure.raw("live", json_array(live, [](const auto& entry) { return live_json(entry.second); }));
  }
  return failure.text();
}

std::string Truth::summary_json() const {
  const std::string growth = json_array(growth_, [](const Growth& row) {
    return JsonObject()
        .number("bytes_per_bank", row.bytes)
        .number("op_index", row.op_index)
        .string("op", row.op)
        .text();
  });
  JsonObject peaks;
  peaks.raw("DRAM", peak_json(Memory::kDram)).raw("L1", peak_json(Memory::kL1));
  return JsonObject()
      .number("ops", op_count_)
      .number("program_instances", program_count_)
      .number("guessed_argument_kinds", 0)
      .raw("peak", peaks.text())
      .raw("oom", failure_ ? failure_and_live() : "null")
      .raw("top_own_growth_dram", growth)
      .text();
}

void Truth::write(std::FILE* file) {
  flush(true);
  put(file,
      "{\"rank\": " + std::to_string(rank_) + ", \"summary\": " + summary_json() + ",\n\"programs\": [\n");
  program_rows_.copy_to(file);
  put(file, "],\n\"boundaries\": [\n");
  boundary_rows_.copy_to(file);
  put(file, "],\n\"ops\": [\n");
  op_rows_.copy_to(file);
  put(file, "]}");
}

}  // namespace ttscope::gen_log
