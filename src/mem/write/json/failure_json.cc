// A section of mem/write/json/document.h: out-of-memory messages.
#include "mem/analyse/failure.h"
#include "mem/analyse/told_op.h"
#include "mem/write/json/document.h"
#include "mem/write/json/tensor_json.h"
#include "mem/write/words/failure_text.h"

namespace ttscope::mem {
namespace {

const FailureReport* report_of(const MemDocument& document, std::uint32_t rank, const OutOfMemory& failure) {
  for (const FailureReport& report : document.profile.failures) {
    if (report.rank == rank && &report.message(document.trace) == &failure) return &report;
  }
  return nullptr;
}

void write_place(JsonWriter& json, MemDocument& document, std::uint32_t rank, const OutOfMemory& failure) {
  const auto& ops = document.trace.ranks[rank].ops;
  const ToldOp told = told_op(document.trace, rank, failure);
  if (!told.is_told()) {
    const bool has_op = failure.last_op < ops.size();
    write_op(json, document, rank, failure.last_op);
    json.field("program",
               has_op ? program_name(document, rank, ops[failure.last_op].instance) : std::nullopt);
    return;
  }
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
  };
  json.field("op_index", nullptr);
  json.field("line", line_or_null(told.line));
  json.field("op", told.name);
  json.field("loc", text_or_null(told.loc));
  json.field("program", text_or_null(told.program));
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
    const OutOfMemory& failure = document_.trace.ranks[at.rank].failures[at.index];
    const FailedBank bank = examine_failure(document_.trace, document_.trace.ranks[at.rank], failure);
    json.begin_object();
    write_rank(json, document_, at.rank);
    figures_.write_row(json, row);
    // As the message has it; the table also has what follows from its other figures.
    json.field("bank_size_bytes",
               known_or_null(bank.from_message ? failure.bank_size_bytes : bank.size_bytes));
    state_.write_row(json, row);
    json.field("state_from", std::string_view(bank.from_message ? "message" : "memory block"));
    write_place(json, document_, at.rank, failure);
    const ProfileView view{document_.trace, document_.profile};
    const FailureText text = describe_failure(view, at.rank, failure);
    json.field("what", text.what);
    json.field("text", text.diagnosis);
    write_culprits(json, view, report_of(document_, at.rank, failure));
    json.end_object();
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
  if (failures == 0) {
    document.json.value(nullptr);
  } else {
    records.write(document.json, 0);
  }
  RecordList list(document, "failures");
  for (std::size_t row = 0; row < failures && !list.full(); ++row) {
    JsonWriter json = list.next();
    records.write(json, row);
  }
}

}  // namespace ttscope::mem
