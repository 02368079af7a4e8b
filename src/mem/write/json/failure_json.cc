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

void write_failure(JsonWriter& json, MemDocument& document, std::uint32_t rank, const OutOfMemory& failure) {
  const FailedBank bank = examine_failure(document.trace, document.trace.ranks[rank], failure);
  json.begin_object();
  write_rank(json, document, rank);
  json.field("verdict", name_of(bank.verdict));
  json.field("diagnosis", name_of(bank.cause));
  const bool on_host = failure.kind == FailureKind::kHostMemory;
  json.field("memory", on_host ? std::nullopt : std::optional<std::string_view>(name_of(failure.memory)));
  json.field("message_line", failure.line);
  json.field("requested_bytes", known_or_null(failure.requested_bytes));
  json.field("banks", known_or_null(failure.banks));
  json.field("bytes_per_bank", known_or_null(failure.per_bank_bytes));
  json.field("bank_size_bytes", known_or_null(bank.from_message ? failure.bank_size_bytes : bank.size_bytes));
  json.field("allocated_bytes_per_bank", known_or_null(bank.allocated_bytes));
  json.field("free_bytes_per_bank", known_or_null(bank.free_bytes));
  json.field("largest_free_bytes_per_bank", known_or_null(bank.largest_free_bytes));
  json.field("state_from", std::string_view(bank.from_message ? "message" : "memory block"));
  write_place(json, document, rank, failure);
  const ProfileView view{document.trace, document.profile};
  const FailureText text = describe_failure(view, rank, failure);
  json.field("what", text.what);
  json.field("text", text.diagnosis);
  write_culprits(json, view, report_of(document, rank, failure));
  json.end_object();
}

}  // namespace

void write_failures(MemDocument& document) {
  const auto& ranks = document.trace.ranks;
  document.json.key("failure");
  std::uint32_t first = 0;
  while (first < ranks.size() && ranks[first].failures.empty()) ++first;
  if (first == ranks.size()) {
    document.json.value(nullptr);
  } else {
    write_failure(document.json, document, first, ranks[first].failures.front());
  }
  RecordList list(document, "failures");
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    for (const OutOfMemory& failure : ranks[rank].failures) {
      if (list.full()) return;
      JsonWriter json = list.next();
      write_failure(json, document, rank, failure);
    }
  }
}

}  // namespace ttscope::mem
