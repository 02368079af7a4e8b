#include "base/json_writer.h"
#include "mem/write/failure_text.h"
#include "mem/write/json.h"
#include "mem/write/json_document.h"
#include "mem/write/labels.h"
#include "ui/json_text.h"

namespace ttscope::mem {
namespace {

constexpr std::size_t kMaxTensors = 500;

std::string_view file_of(const OomLog& log) {
  const auto& files = log.profile.log.files;
  return files.empty() ? std::string_view("-") : std::string_view(files.front());
}

/// Of the frame that says what was being done; 0 where none does.
std::uint32_t frame_line(const Backtrace& backtrace) {
  return backtrace.op_line != 0 ? backtrace.op_line : backtrace.transfer_line;
}

/// One entry of `failures`: a print of a failure with all that is known of the failure.
class FailureEntry {
 public:
  FailureEntry(JsonWriter& json, const OomLog& log, const FailurePrint& print)
      : json_(json),
        log_(log.profile.log),
        profile_(log.profile.memory),
        report_(log.reports()[print.report]),
        rank_(log_.ranks[report_.rank]),
        print_(print),
        // The first print stands for the failure, whose figures may be completed by later ones.
        message_(print.repeats == kNone ? report_.message(log_) : *print.printed),
        file_(file_of(log)) {}

  void write(std::uint32_t index) {
    json_.object([&] {
      json_.field("index", index);
      json_.field("verdict", name_of(report_.bank.verdict));
      json_.field("diagnosis", name_of(report_.bank.cause));
      write_figures();
      json_.field("file", file_);
      json_.field("rank", rank_.number);
      json_.field("message_line", print_.line);
      json_.field("message", nullptr);
      json_.field("cut", message_.is_cut);
      write_place();
      write_buffers();
      write_holders();
      write_fix_list(json_, {log_, profile_}, report_.fixes);
      json_.field("fingerprint", fingerprint_text(report_.fingerprint));
      json_.field("repeats", id_or_null(print_.repeats));
    });
  }

 private:
  /// Of this print of the failure, where the table of failures has what all prints tell together; of circular
  /// buffers also what they reached and might not exceed.
  void write_figures() {
    const FailedBank& bank = report_.bank;
    const bool beyond_l1 = message_.kind == FailureKind::kBuffersBeyondL1;
    const bool from_block = !bank.from_message;
    json_.field("memory", message_.kind == FailureKind::kHostMemory
                              ? std::nullopt
                              : std::optional(name_of(message_.memory)));
    json_.field("requested_bytes", known_or_null(message_.requested_bytes));
    json_.field("banks", known_or_null(message_.banks));
    json_.field("bytes_per_bank",
                known_or_null(beyond_l1 ? message_.reached_bytes : message_.per_bank_bytes));
    json_.field("bank_size_bytes", known_or_null(beyond_l1    ? message_.limit_bytes
                                                 : from_block ? bank.size_bytes
                                                              : message_.bank_size_bytes));
    json_.field("allocated_bytes_per_bank",
                known_or_null(from_block ? bank.allocated_bytes : message_.allocated_bytes));
    json_.field("free_bytes_per_bank", known_or_null(from_block ? bank.free_bytes : message_.free_bytes));
    json_.field("largest_free_bytes_per_bank",
                known_or_null(from_block ? bank.largest_free_bytes : message_.largest_free_bytes));
    json_.field("state_from", std::string_view(from_block ? "memory block" : "message"));
    json_.field("state_line", positive_or_null(from_block ? bank.block_line : message_.line));
  }

  void write_place() {
    const ProfileView view{log_, profile_};
    const OutOfMemory& failure = report_.message(log_);
    const bool has_line = failure.last_op < rank_.ops.size();
    const FailingOp& failing_op = report_.failing_op;
    const bool during_op = has_line || failing_op.is_known();
    const OpPlace place = has_line
                              ? place_of(view, report_.rank, failure.last_op)
                              : OpPlace{failing_op.name, failing_op.loc, failing_op.program, failing_op.line};
    json_.field("moment", name_of(report_.moment));
    json_.field("op_index", has_line ? id_or_null(failure.last_op) : std::nullopt);
    json_.field("backtrace_line", positive_or_null(frame_line(failure.backtrace)));
    json_.field("line", during_op ? positive_or_null(place.line) : std::nullopt);
    json_.field("op", during_op ? std::optional(std::string_view(place.name)) : std::nullopt);
    json_.field("loc", text_or_null(place.loc));
    const std::string program = during_op ? place.program
                                : report_.moment == FailureMoment::kBeforeFirstOp
                                    ? instance_label(view, report_.rank, failure.instance)
                                    : std::string();
    json_.field("program", text_or_null(program));
    const std::string ended = instance_label(view, report_.rank, report_.ended_instance);
    json_.field("ended_program", text_or_null(ended));
  }

  /// What circular buffers, a program or a trace reached and might not exceed.
  void write_buffers() {
    const bool both = message_.reached_bytes >= 0 && message_.limit_bytes >= 0;
    json_.field("reached_bytes", known_or_null(message_.reached_bytes));
    json_.field("limit_bytes", known_or_null(message_.limit_bytes));
    json_.field("over_bytes",
                both ? known_or_null(message_.reached_bytes - message_.limit_bytes) : std::nullopt);
    json_.field("core_range", text_or_null(message_.core_range));
  }

  void write_holders() {
    write_culprits(json_, {log_, profile_}, &report_);
    json_.field("live_tensor_count", report_.live.buffers.size());
    json_.array("live_tensors", [&] {
      const std::size_t shown =
          print_.repeats == kNone ? std::min(kMaxTensors, report_.live.buffers.size()) : 0;
      for (std::size_t i = 0; i < shown; ++i) write_tensor(report_.live.buffers[i]);
    });
  }

  void write_tensor(std::uint32_t id) {
    const ProfileView view{log_, profile_};
    json_.object([&] {
      write_tensor_members(json_, view, report_.rank, id);
      json_.field("producer_line", producer_line(view, report_.rank, id));
    });
  }

  JsonWriter& json_;
  const RuntimeLog& log_;
  const MemoryProfile& profile_;
  const FailureReport& report_;
  const RankLog& rank_;
  const FailurePrint& print_;
  const OutOfMemory& message_;
  std::string_view file_;
};

/// A crash has a place and a text, and no figures.
void write_crash(JsonWriter& json, const OomLog& log, std::uint32_t index, const UnexplainedCrash& report) {
  const ProfileView view{log.profile.log, log.profile.memory};
  const RankLog& rank = view.rank_log(report.rank);
  const Crash& crash = rank.crashes[report.crash];
  const bool has_op = crash.last_op < rank.ops.size();
  const OpPlace place = has_op ? place_of(view, report.rank, crash.last_op) : OpPlace();
  json.object([&] {
    json.field("index", index);
    json.field("verdict", name_of(FailureVerdict::kCrashed));
    json.field("diagnosis", name_of(crash.kind));
    for (const std::string_view figure :
         {"memory", "requested_bytes", "banks", "bytes_per_bank", "bank_size_bytes",
          "allocated_bytes_per_bank", "free_bytes_per_bank", "largest_free_bytes_per_bank", "state_from",
          "state_line"}) {
      json.field(figure, nullptr);
    }
    json.field("file", file_of(log));
    json.field("rank", rank.number);
    json.field("message_line", crash.line);
    json.field("message", crash.text);
    json.field("cut", false);
    json.field("moment", name_of(has_op ? FailureMoment::kDuringOp : FailureMoment::kUnknown));
    json.field("op_index", id_or_null(crash.last_op));
    json.field("backtrace_line", nullptr);
    json.field("line", positive_or_null(place.line));
    json.field("op", has_op ? std::optional(std::string_view(place.name)) : std::nullopt);
    json.field("loc", text_or_null(place.loc));
    json.field("program", text_or_null(place.program));
    for (const std::string_view nothing : {"ended_program", "reached_bytes", "limit_bytes", "over_bytes",
                                           "core_range", "fingerprint", "repeats"}) {
      json.field(nothing, nullptr);
    }
    write_culprits(json, view, nullptr);
    for (const std::string_view list : {"live_tensors", "fixes"}) json.list(list, {});
    json.field("live_tensor_count", 0);
  });
}

void write_inputs(JsonWriter& json, const std::vector<OomLog>& logs) {
  json.list("inputs", logs, [&](const OomLog& log) {
    for (std::size_t i = 0; i < log.profile.log.files.size(); ++i)
      json.object([&] {
        json.field("path", log.profile.log.files[i]);
        json.field("lines", log.profile.log.file_lines[i]);
        json.field("failures", log.reports().size());
      });
  });
}

void write_groups(JsonWriter& json, const std::vector<OomLog>& logs,
                  const std::vector<FailurePrint>& prints) {
  json.objects("groups", groups_of(logs, prints), [&](const FailureGroup& group) {
    json.field("fingerprint", fingerprint_text(group.fingerprint));
    json.list("failures", group.prints);
  });
}

}  // namespace

void write_oom_json(const std::vector<OomLog>& logs, Writer& out, std::string_view tool_version) {
  const std::vector<FailurePrint> prints = prints_of(logs);
  JsonWriter json(out, {.indented = true});
  json.object([&] {
    ui::write_document_head(json, "ttscope.oom/1", tool_version);
    write_inputs(json, logs);
    json.array("failures", [&] {
      for (std::uint32_t i = 0; i < prints.size(); ++i) {
        const OomLog& log = logs[prints[i].log];
        if (prints[i].report == kNone) {
          write_crash(json, log, i, log.crashes[prints[i].crash]);
        } else {
          FailureEntry(json, log, prints[i]).write(i);
        }
      }
    });
    write_groups(json, logs, prints);
  });
  out.write('\n');
}

}  // namespace ttscope::mem
