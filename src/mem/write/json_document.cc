#include "mem/write/json_document.h"

#include <cmath>
#include <string>

#include "mem/analyze/failures.h"
#include "mem/analyze/modules.h"
#include "mem/tables/tables.h"
#include "mem/write/failure_text.h"
#include "mem/write/verdict_text.h"
#include "table/write.h"

namespace ttscope::mem {

void write_file(JsonWriter& json, const MemDocument& document, std::uint32_t file) {
  if (document.several_files()) json.field("file", file);
}

void write_rank(JsonWriter& json, const MemDocument& document, std::uint32_t rank) {
  const RankLog& log = document.log.ranks[rank];
  json.field("rank", log.number);
  write_file(json, document, log.file);
}

void write_op(JsonWriter& json, MemDocument& document, std::uint32_t rank, std::uint32_t op) {
  const auto& ops = document.log.ranks[rank].ops;
  if (op >= ops.size()) {
    for (const std::string_view name : {"op_index", "line", "op", "loc"}) json.field(name, nullptr);
    return;
  }
  json.field("op_index", op);
  json.field("line", positive_or_null(ops[op].line));
  json.raw_field("op", document.ops.name(ops[op]));
  json.raw_field("loc", document.ops.loc(ops[op]));
}

std::optional<std::string_view> program_name(const MemDocument& document, std::uint32_t rank,
                                             std::uint32_t instance) {
  const auto& programs = document.log.ranks[rank].programs;
  if (instance >= programs.size() || programs[instance].name == kNone) return std::nullopt;
  return document.log.names[programs[instance].name];
}

double rounded(double value, double steps) { return std::round(value * steps) / steps; }

std::optional<double> percent(std::int64_t part, std::int64_t whole) {
  if (whole <= 0) return std::nullopt;
  return rounded(100.0 * static_cast<double>(part) / static_cast<double>(whole), 1000);
}

std::string_view OpJson::name(const ExecutedOp& op) {
  const std::uint32_t written = op.text == kNone ? kNone : log_.op_texts[op.text].name;
  const std::uint32_t id = written == kNone ? op.op_type : written;
  if (id == kNone) return "\"unknown\"";
  return names_.get(id, [&](ui::JsonQuoter& quoter) { return quoter.quoted(log_.names[id]); });
}

std::string_view OpJson::loc(const ExecutedOp& op) {
  constexpr std::string_view kNull = "null";
  std::string_view json = kNull;
  if (op.loc != kNone) {
    json = locs_.get(op.loc, op.loc, [&](std::string& text) {
      text = quoter_.quoted_or_null(display_loc(log_.locs[op.loc]));
    });
  }
  if (json != kNull || op.text == kNone) return json;
  const std::uint32_t callee = log_.op_texts[op.text].callee;
  if (callee == kNone) return json;
  return callees_.get(callee, [&](ui::JsonQuoter& quoter) {
    return quoter.quoted(std::string("@").append(log_.names[callee]));
  });
}

namespace {

constexpr std::size_t kMaxRows = 100;

void write_candidates(JsonWriter& json, const ProfileView& view, const FailureReport* report) {
  json.objects("candidates", report == nullptr ? std::vector<TensorCandidate>() : report->candidates,
               [&](const TensorCandidate& candidate) {
                 json.list("shape", candidate.shape);
                 json.field("dtype", candidate.dtype);
                 json.field("layout", std::string_view(candidate.tiled ? "tile" : "row_major"));
                 json.field("padding_factor", rounded(candidate.padding_factor, 1000));
                 json.field("source_line", positive_or_null(candidate.source_line));
                 json.field("name", text_or_null(candidate.name));
                 json.field("origin", text_or_null(origin_name(view.profile, candidate)));
                 json.field("reason", name_of(candidate.reason));
                 json.field("text", candidate_text(view.profile, candidate));
               });
}

void write_idle(JsonWriter& json, const ProfileView& view, const FailureReport& report,
                const IdleTensor& idle) {
  const auto& ops = view.rank_log(report.rank).ops;
  json.object([&] {
    write_tensor_members(json, view, report.rank, idle.buffer);
    json.field("last_used_line",
               idle.last_op < ops.size() ? positive_or_null(ops[idle.last_op].line) : std::nullopt);
    json.field("idle_ops", idle.idle_ops);
    json.field("proof", name_of(idle.proof));
    json.field("freed_line",
               positive_or_null(idle.freed_by < ops.size() ? ops[idle.freed_by].line : idle.freed_line));
  });
}

void write_freed_late(JsonWriter& json, const ProfileView& view, const FailureReport* report) {
  if (report == nullptr || report->freed_late.tensors.empty()) return json.field("freed_late", nullptr);
  const FreedLate& late = report->freed_late;
  json.object("freed_late", [&] {
    json.field("text", freed_late_text(view, *report));
    json.field("bytes_per_bank", late.bytes_per_bank);
    json.field("tensor_count", late.tensors.size());
    json.array("tensors", [&] {
      for (std::size_t i = 0; i < std::min(kMaxRows, late.tensors.size()); ++i)
        write_idle(json, view, *report, late.tensors[i]);
    });
  });
}

void write_left(JsonWriter& json, const ProfileView& view, const FailureReport& report,
                const LeakedTensors& left) {
  json.object([&] {
    write_tensor_members(json, view, report.rank, left.example);
    json.field("tensors", left.tensors);
    json.field("all_bytes_per_bank", left.bytes_per_bank);
    json.field("producer_line", producer_line(view, report.rank, left.example));
  });
}

void write_grew(JsonWriter& json, const ProfileView& view, const FailureReport* report) {
  if (report == nullptr || report->grew.runs == 0) return json.field("grew", nullptr);
  const RunGrowth& grew = report->grew;
  const auto& programs = view.rank_log(report->rank).programs;
  json.object("grew", [&] {
    json.field("text", run_growth_text(view, *report));
    json.field("graph", graph_label(view, view.rank_profile(report->rank).programs[grew.to_instance].graph));
    json.field("runs", grew.runs);
    json.field("grown_runs", grew.grown_runs);
    json.field("from_line", positive_or_null(programs[grew.from_instance].start_line));
    json.field("to_line", positive_or_null(programs[grew.to_instance].start_line));
    json.field("from_bytes_per_bank", grew.from_bytes_per_bank);
    json.field("to_bytes_per_bank", grew.to_bytes_per_bank);
    json.field("bytes_per_bank", grew.bytes_per_bank());
    json.field("confidence", name_of(grew.confidence));
    json.array("left", [&] {
      for (std::size_t i = 0; i < std::min(kMaxRows, grew.left.size()); ++i)
        write_left(json, view, *report, grew.left[i]);
    });
  });
}

}  // namespace

void write_tensor_members(JsonWriter& json, const ProfileView& view, std::uint32_t rank,
                          std::uint32_t buffer) {
  const RankProfile& profile = view.rank_profile(rank);
  const Buffer& tensor = profile.buffers[buffer];
  const TensorType& type = type_of(view.log, profile, tensor);
  json.field("name", buffer_label(view, rank, tensor));
  json.field("kind", name_of(tensor.kind));
  json.list("shape", type.shape);
  json.field("dtype", type.dtype);
  json.field("bytes_per_bank", tensor.bytes_per_bank);
}

std::optional<std::uint32_t> producer_line(const ProfileView& view, std::uint32_t rank,
                                           std::uint32_t buffer) {
  const auto& ops = view.rank_log(rank).ops;
  const std::uint32_t op = view.rank_profile(rank).buffers[buffer].producer_op;
  return op < ops.size() ? positive_or_null(ops[op].line) : std::nullopt;
}

void write_culprits(JsonWriter& json, const ProfileView& view, const FailureReport* report) {
  write_candidates(json, view, report);
  json.field("held_bytes_per_bank",
             report == nullptr ? std::nullopt : known_or_null(report->held_bytes_per_bank));
  json.objects("holders", report == nullptr ? std::vector<Holder>() : report->holders,
               [&](const Holder& holder) {
                 json.field("kind", name_of(holder.kind));
                 json.field("bytes_per_bank", holder.bytes_per_bank);
                 json.field("tensors", holder.tensors);
               });
  write_freed_late(json, view, report);
  write_grew(json, view, report);
}

namespace {

const FailureReport* report_of(const MemDocument& document, std::uint32_t rank, const OutOfMemory& failure) {
  for (const FailureReport& report : document.profile.failures) {
    if (report.rank == rank && &report.message(document.log) == &failure) return &report;
  }
  return nullptr;
}

void write_place(JsonWriter& json, MemDocument& document, std::uint32_t rank, const OutOfMemory& failure) {
  const auto& ops = document.log.ranks[rank].ops;
  const FailingOp failing_op = find_failing_op(document.log, rank, failure);
  if (!failing_op.is_known()) {
    const bool has_op = failure.last_op < ops.size();
    write_op(json, document, rank, failure.last_op);
    json.field("program",
               has_op ? program_name(document, rank, ops[failure.last_op].instance) : std::nullopt);
    return;
  }
  json.field("op_index", nullptr);
  json.field("line", positive_or_null(failing_op.line));
  json.field("op", failing_op.name);
  json.field("loc", text_or_null(failing_op.loc));
  json.field("program", text_or_null(failing_op.program));
}

/// Rows of the table of failures, with where they were and their words.
class FailureRecords {
 public:
  explicit FailureRecords(MemDocument& document)
      : document_(document),
        figures_(rows({{"verdict"},
                       {"diagnosis"},
                       {"memory"},
                       {"message_line"},
                       {"requested_bytes"},
                       {"banks"},
                       {"bytes_per_bank"}})),
        state_(
            rows({{"allocated_bytes_per_bank"}, {"free_bytes_per_bank"}, {"largest_free_bytes_per_bank"}})) {}

  void write(JsonWriter& json, std::size_t row) {
    const RankRows::Place at = document_.tables->failures.at(row);
    const OutOfMemory& failure = document_.log.ranks[at.rank].failures[at.index];
    const FailedBank bank = examine_failure(document_.log, document_.log.ranks[at.rank], failure);
    json.object([&] {
      write_rank(json, document_, at.rank);
      figures_.write_row(json, row);
      // As the message has it; the table also has what follows from its other figures.
      json.field("bank_size_bytes",
                 known_or_null(bank.from_message ? failure.bank_size_bytes : bank.size_bytes));
      state_.write_row(json, row);
      json.field("state_from", std::string_view(bank.from_message ? "message" : "memory block"));
      write_place(json, document_, at.rank, failure);
      const ProfileView view{document_.log, document_.profile};
      const FailureText text = describe_failure(view, at.rank, failure);
      json.field("what", text.what);
      json.field("text", text.diagnosis);
      write_culprits(json, view, report_of(document_, at.rank, failure));
    });
  }

 private:
  table::JsonRows rows(const std::vector<table::JsonField>& fields) const {
    return document_.rows_of(failures_spec(), document_.tables->failures.total(), fields);
  }

  MemDocument& document_;
  table::JsonRows figures_;
  table::JsonRows state_;
};

}  // namespace

void write_failures(MemDocument& document) {
  const std::size_t failures = document.tables->failures.total();
  FailureRecords records(document);
  document.json.key("failure");
  if (failures == 0) document.json.value(nullptr);
  if (failures > 0) records.write(document.json, 0);
  RecordList list(document, "failures");
  for (std::size_t row = 0; row < failures && !list.full(); ++row) {
    JsonWriter json = list.next();
    records.write(json, row);
  }
}

namespace {

void write_evidence(JsonWriter& json, const ProfileView& view, const Fix& fix) {
  json.object("evidence", [&] {
    json.field("tensors", fix.tensors);
    json.field("tensor_bytes_per_bank", fix.tensor_bytes_per_bank);
    json.objects("largest", fix.largest, [&](const std::uint32_t id) {
      write_tensor_members(json, view, fix.rank, id);
      json.field("line", producer_line(view, fix.rank, id));
    });
  });
}

}  // namespace

void write_fix_list(JsonWriter& json, const ProfileView& view, const std::vector<Fix>& fixes) {
  const auto list = std::make_shared<const FixList>(FixList{view.log, fixes});
  table::JsonRows rows(table::make_table(fix_list_spec(), list, fixes.size()), table::AllExcept{});
  json.objects("fixes", fixes, [&](const Fix& fix) {
    const FixText text = fix_text(view, fix);
    rows.write_next(json);
    json.field("what", text.what);
    json.field("effect", text.effect);
    if (view.log.files.size() > 1) json.field("file", view.log.ranks[fix.rank].file);
    write_evidence(json, view, fix);
  });
}

void write_fixes(MemDocument& document) {
  write_fix_list(document.json, {document.log, document.profile}, document.profile.fixes);
}

}  // namespace ttscope::mem
