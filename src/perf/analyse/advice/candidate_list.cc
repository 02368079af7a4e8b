#include "perf/analyse/advice/candidate_list.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "perf/analyse/advice/distinct_name.h"

namespace ttscope::perf {

void AdviceCandidate::add_row(std::uint32_t place, double measured_us, double target_us) {
  advice.measured_us += measured_us;
  advice.target_us += target_us;
  most_us += std::max(0.0, measured_us - target_us);
  if (advice.row_count++ < OpAdvice::kRowsKept) advice.rows.push_back(place);
}

bool CandidateList::Key::operator<(const Key& other) const {
  return std::tie(cause, name, device) < std::tie(other.cause, other.name, other.device);
}

bool CandidateList::is_timed(std::uint32_t place) const {
  const ShownOp& row = in_.ops.rows[place];
  return !row.is_signpost && !row.is_host && row.device_us > 0;
}

const ReportKind& CandidateList::kind_of(std::uint32_t place) const {
  return in_.table.kind_of(in_.table.rows[in_.ops.rows[place].row]);
}

std::uint32_t CandidateList::kind_number(std::uint32_t place) const {
  return in_.table.rows[in_.ops.rows[place].row].kind;
}

const KindFacts& CandidateList::facts_of(std::uint32_t place) const {
  return in_.ops.facts[kind_number(place)];
}

std::string_view CandidateList::name_of_op(std::uint32_t place) const {
  return in_.table.text(kind_of(place).op_code);
}

const std::string& CandidateList::distinct_name_of(std::uint32_t kind) {
  std::string& name = names_[kind];
  if (name.empty()) name = distinct_name(in_.table, in_.ops.facts[kind], in_.table.kinds[kind]);
  return name;
}

AdviceCandidate& CandidateList::candidate(AdviceCause cause, GainBasis basis, std::uint32_t kind,
                                          std::int32_t device) {
  AdviceCandidate& found = found_[{cause, kind == kNone ? std::string() : distinct_name_of(kind), device}];
  if (found.advice.row_count == 0) {
    found.advice.cause = cause;
    found.advice.basis = basis;
    found.advice.kind = kind;
    found.advice.device = device;
  }
  return found;
}

void CandidateList::add_times(AdviceCandidate& to, std::uint32_t place, double target_us) const {
  for_each_member(in_.table, in_.ops, in_.ops.rows[place], [&](std::uint32_t row) {
    if (in_.table.rows[row].kernel_duration_ns / 1000 > target_us)
      to.ops.push_back({row, static_cast<float>(target_us)});
  });
}

void CandidateList::make_uneven(const std::string& name, std::int32_t device) {
  const auto slow = found_.extract({AdviceCause::kSlowDevice, name, device});
  slow.mapped().advice.cause = AdviceCause::kUnevenDevices;
  const auto [all, is_new] = found_.try_emplace({AdviceCause::kUnevenDevices, name, -1}, slow.mapped());
  if (!is_new) join_devices(slow.mapped(), all->second);
}

std::vector<AdviceCandidate> CandidateList::take() {
  std::vector<AdviceCandidate> all;
  all.reserve(found_.size());
  for (auto& [key, candidate] : found_) all.push_back(std::move(candidate));
  return all;
}

void join_devices(const AdviceCandidate& from, AdviceCandidate& to) {
  to.ops.insert(to.ops.end(), from.ops.begin(), from.ops.end());
  to.most_us += from.most_us;
  to.advice.more_devices.push_back(from.advice.device);
  to.advice.measured_us += from.advice.measured_us;
  to.advice.target_us += from.advice.target_us;
  std::vector<std::uint32_t> rows;
  std::set_union(to.advice.rows.begin(), to.advice.rows.end(), from.advice.rows.begin(),
                 from.advice.rows.end(), std::back_inserter(rows));
  to.advice.row_count = std::max({to.advice.row_count, from.advice.row_count, std::uint64_t{rows.size()}});
  if (rows.size() > OpAdvice::kRowsKept) rows.resize(OpAdvice::kRowsKept);
  to.advice.rows = std::move(rows);
}

}  // namespace ttscope::perf
