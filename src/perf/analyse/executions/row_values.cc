#include "perf/analyse/executions/row_values.h"
#include "perf/model/ops_report.h"

namespace ttscope::perf {

void RowValues::go_to(const ReportRow& row) {
  const bool is_op = row.kind == ReportRowKind::kOp || row.kind == ReportRowKind::kReplay;
  row_ = &row;
  op_ = is_op ? &part_.host->ops[row.host] : nullptr;
  info_ = op_ == nullptr ? nullptr : &part_.host->infos[op_->info];
  execution_ = row.execution == kNone ? nullptr : &part_.report->executions[row.execution];
}

/// The two cells of a signpost, as the reference cuts them: the part after the last ": " of the message, its
/// first line and its second. Otherwise the text after `TT_SIGNPOST: `, header and the whole message.
std::pair<std::string_view, std::string_view> RowValues::signpost_cells() const {
  constexpr std::string_view kMark = ": ";
  std::string_view text = part_.host->signposts[row_->host].text;
  const std::size_t at = form_.rules->keeps_whole_signposts ? text.find(kMark) : text.rfind(kMark);
  if (at != std::string_view::npos) text.remove_prefix(at + kMark.size());
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos) return {text, {}};
  std::string_view rest = text.substr(line + 1);
  if (!form_.rules->keeps_whole_signposts) rest = rest.substr(0, rest.find('\n'));
  return {text.substr(0, line), rest};
}

std::string_view RowValues::op_code() const {
  if (is_signpost()) return signpost_cells().first;
  if (row_->kind == ReportRowKind::kTraceReplay) return kTraceReplayOp;
  return info_ == nullptr ? std::string_view() : info_->op_code;
}

std::string_view RowValues::op_type() const {
  if (is_signpost()) return "signpost";
  if (row_->kind == ReportRowKind::kTraceReplay) return kTraceReplayType;
  if (row_->kind == ReportRowKind::kDeviceOnly) return kDeviceOpType;
  return info_ == nullptr ? std::string_view() : info_->op_type;
}

std::string_view RowValues::attributes() const {
  if (is_signpost()) return signpost_cells().second;
  return info_ == nullptr ? std::string_view() : info_->attributes;
}

std::string_view RowValues::location() const {
  if (op_ == nullptr || !form_.rules->adds_own_columns) return {};
  return part_.host->locations[op_->location];
}

/// The architecture is a column of the runtime's report; the reference has none from a device log.
std::string_view RowValues::arch() const {
  if (execution_ == nullptr || (!form_.rules->shows_arch_of_logs && execution_->run_count > 0)) return {};
  return execution_->arch;
}

std::optional<std::uint64_t> RowValues::call_count() const {
  if (op_ != nullptr) return op_->id;
  if (execution_ != nullptr) return execution_->key.op_id;
  return std::nullopt;
}

std::int64_t RowValues::device() const {
  if (op_ != nullptr) return op_->device >= 0 ? op_->device + part_.device_offset : kNoFigure;
  if (execution_ != nullptr) return execution_->key.device + part_.device_offset;
  return kNoFigure;
}

std::int64_t RowValues::host_start_ns() const {
  if (is_signpost()) return part_.host->signposts[row_->host].time_ns;
  if (op_ == nullptr) return kNoFigure;
  return is_message_only() && op_->around_ns != kNoFigure ? op_->around_start_ns : op_->zone_start_ns;
}

std::int64_t RowValues::host_end_ns() const {
  if (op_ == nullptr) return kNoFigure;
  if (is_message_only()) {
    return op_->around_ns == kNoFigure ? kNoFigure : op_->around_start_ns + op_->around_ns;
  }
  return op_->zone_start_ns == kNoFigure ? kNoFigure : op_->zone_start_ns + op_->zone_ns;
}

std::int64_t RowValues::host_duration_ns() const {
  if (op_ == nullptr) return kNoFigure;
  return is_message_only() ? op_->around_ns : op_->zone_ns;
}

std::int64_t RowValues::trace() const {
  return row_->kind != ReportRowKind::kOp && row_->trace >= 0 ? row_->trace : kNoFigure;
}

std::int64_t RowValues::replay_session() const {
  return row_->kind != ReportRowKind::kOp && row_->session >= 0 ? row_->session : kNoFigure;
}

/// The runtime's flag is false in practice; that the program was there before is what makes a hit.
std::optional<bool> RowValues::cache_hit() const {
  if (op_ == nullptr) return std::nullopt;
  if (!op_->has_cache_flag && (!form_.rules->finds_cache_hits || info_->program_hash.empty()))
    return std::nullopt;
  if (!form_.rules->finds_cache_hits) return op_->cache_hit_said;
  return op_->cache_hit_said || op_->hash_seen_before || row_->kind == ReportRowKind::kReplay;
}

}  // namespace ttscope::perf
