#include "perf/analyze/window.h"

#include "base/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace ttscope::perf {

std::vector<std::uint32_t> last_signposts(const OpsReport& table) {
  std::vector<std::uint32_t> last(table.rows.size());
  std::uint32_t signpost = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (i > 0 && table.rows[i].file != table.rows[i - 1].file) signpost = 0;
    if (table.rows[i].type == OpRowType::kSignpost) signpost = static_cast<std::uint32_t>(i + 1);
    last[i] = signpost;
  }
  return last;
}

namespace {

using Rows = std::vector<std::uint32_t>;

class WindowFinder {
 public:
  WindowFinder(const OpsReport& table, const ShownOptions& options, Rows& rows, std::vector<OpNote>& notes)
      : report_(table), options_(options), rows_(rows), notes_(notes) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (is_signpost(i)) signposts_.push_back(i);
    }
  }

  Result<void> apply();

 private:
  bool is_signpost(std::size_t at) const { return report_.rows[rows_[at]].type == OpRowType::kSignpost; }
  std::string_view name(std::size_t at) const {
    return report_.text(report_.kind_of(report_.rows[rows_[at]]).op_code);
  }
  void add_note(NoteKind kind, std::vector<std::string> names = {}, std::vector<double> figures = {}) {
    notes_.push_back({kind, std::move(names), std::move(figures)});
  }

  /// Positions of signposts of that name.
  std::vector<std::size_t> named(std::string_view wanted) const {
    std::vector<std::size_t> found;
    for (const std::size_t at : signposts_) {
      if (name(at) == wanted) found.push_back(at);
    }
    return found;
  }
  /// Rows in [begin, end), without signposts unless they are wanted.
  void keep(std::size_t begin, std::size_t end) {
    Rows kept;
    for (std::size_t i = begin; i < end; ++i) {
      if (options_.print_signposts || !is_signpost(i)) kept.push_back(rows_[i]);
    }
    rows_ = std::move(kept);
  }
  bool has_ops(std::size_t begin, std::size_t end, bool measured) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (is_signpost(i)) continue;
      if (!measured || report_.rows[rows_[i]].kernel_duration_ns > 0) return true;
    }
    return false;
  }

  Error unknown(std::string_view option, std::string_view wanted) const;
  Result<bool> apply_named();
  Result<void> apply_start(std::size_t& begin, bool& applied);
  Result<void> apply_end(std::size_t& end, bool& applied);
  void apply_last_section();

  const OpsReport& report_;
  const ShownOptions& options_;
  Rows& rows_;
  std::vector<OpNote>& notes_;
  std::vector<std::size_t> signposts_;  ///< positions in rows_
};

Error WindowFinder::unknown(std::string_view option, std::string_view wanted) const {
  std::vector<std::string_view> names;
  for (const std::size_t at : signposts_) {
    if (std::find(names.begin(), names.end(), name(at)) == names.end()) names.push_back(name(at));
  }
  constexpr std::size_t kShown = 20;
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i)
    list += fmt::format("{}{}", i > 0 ? ", " : "", names[i]);
  if (names.size() > kShown) list += ", ...";
  return nothing_found(fmt::format("{} {}: no such signpost; there are: {}", option, wanted, list));
}

Result<void> WindowFinder::apply_start(std::size_t& begin, bool& applied) {
  if (options_.start_signpost.empty()) return {};
  const std::vector<std::size_t> matching = named(options_.start_signpost);
  if (!matching.empty()) {
    add_note(NoteKind::kAfterSignpost, {options_.start_signpost});
    begin = matching.front() + 1;
    applied = true;
  } else {
    return failure(unknown("--start-signpost", options_.start_signpost));
  }
  return {};
}

Result<void> WindowFinder::apply_end(std::size_t& end, bool& applied) {
  if (options_.end_signpost.empty()) return {};
  const std::vector<std::size_t> matching = named(options_.end_signpost);
  if (matching.empty()) return failure(unknown("--end-signpost", options_.end_signpost));
  add_note(NoteKind::kUntilSignpost, {options_.end_signpost});
  const std::size_t index = options_.start_signpost == options_.end_signpost ? 1 : 0;
  if (index == 1 && matching.size() > 2) add_note(NoteKind::kSecondSignpost, {options_.end_signpost});
  if (index < matching.size()) {
    end = matching[index];
    applied = true;
  } else {
    add_note(NoteKind::kTooFewSignposts, {options_.end_signpost});
  }
  return {};
}

Result<bool> WindowFinder::apply_named() {
  std::size_t begin = 0;
  std::size_t end = rows_.size();
  bool applied = false;
  RETURN_IF_ERROR(apply_start(begin, applied));
  RETURN_IF_ERROR(apply_end(end, applied));
  if (applied) keep(begin, std::max(begin, end));
  return applied;
}

/// What follows the last signpost; where nothing does, because it marks an end, the last stretch between two
/// signposts with ops in it. Stretches whose device data are missing have nothing to show: others go first.
void WindowFinder::apply_last_section() {
  const bool measured = has_ops(signposts_.front(), rows_.size(), true);
  std::size_t end = rows_.size();
  for (std::size_t i = signposts_.size(); i-- > 0;) {
    const std::size_t begin = signposts_[i] + 1;
    if (has_ops(begin, end, measured)) {
      std::vector<std::string> names = {std::string(name(begin - 1))};
      if (end < rows_.size()) names.emplace_back(name(end));
      add_note(NoteKind::kLastStretch, std::move(names),
               {static_cast<double>(report_.rows[rows_[begin - 1]].id),
                has_ops(end, rows_.size(), false) ? 1.0 : 0.0});
      if (!measured && has_ops(0, rows_.size(), true)) add_note(NoteKind::kStretchWithoutTimes);
      keep(begin, end);
      return;
    }
    end = signposts_[i];
  }
  add_note(NoteKind::kNothingAfterSignposts);
  keep(0, end);
}

Result<void> WindowFinder::apply() {
  if (options_.ignore_signposts) {
    add_note(NoteKind::kSignpostsIgnored);
    return {};
  }
  if (signposts_.empty()) {
    const bool is_named = !options_.start_signpost.empty() || !options_.end_signpost.empty();
    if (is_named) {
      return failure(
          nothing_found("the report has no signposts; leave --start-signpost and --end-signpost out"));
    }
    add_note(NoteKind::kNoSignposts);
    return {};
  }
  ASSIGN_OR_RETURN(const bool applied, apply_named());
  if (applied) return {};
  apply_last_section();
  return {};
}

bool only_signposts_have_host_times(const OpsReport& table) {
  return std::none_of(table.rows.begin(), table.rows.end(), [](const OpRow& row) {
    return row.type != OpRowType::kSignpost && has_number(row.host_start_ns);
  });
}

}  // namespace

std::vector<std::uint32_t> order_rows(const OpsReport& table, const ShownOptions& options,
                                      std::vector<OpNote>& notes) {
  std::vector<std::uint32_t> rows(table.rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::uint32_t>(i);
  const bool has_replays = std::any_of(table.rows.begin(), table.rows.end(), [](const OpRow& row) {
    return has_number(static_cast<double>(row.replay_session));
  });
  const bool is_by_device = std::any_of(table.rows.begin(), table.rows.end(), has_cycles);
  if (is_by_device) notes.push_back({NoteKind::kDeviceOrder});
  const bool is_placed = table.has_host_start && only_signposts_have_host_times(table);
  if (is_placed) {
    if (!is_by_device) notes.push_back({NoteKind::kPlacedOrder});
  } else if (table.has_host_start && !options.tracing_mode && !has_replays) {
    if (!is_by_device) notes.push_back({NoteKind::kHostOrder});
    std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
      const double first = table.rows[a].host_start_ns;
      const double second = table.rows[b].host_start_ns;
      if (!has_number(second)) return has_number(first);
      return first < second;
    });
  } else if (is_by_device) {
    return rows;
  } else if (!table.has_host_start) {
    notes.push_back({NoteKind::kNoHostTimes});
  } else {
    notes.push_back({NoteKind::kFileOrder});
  }
  return rows;
}

namespace {

/// What was said of one host is not said again of the next.
void add_new_notes(const std::vector<OpNote>& said, std::vector<OpNote>& notes) {
  for (const OpNote& note : said) {
    const bool is_known = std::any_of(notes.begin(), notes.end(), [&](const OpNote& other) {
      return other.kind == note.kind && other.names == note.names;
    });
    if (!is_known) notes.push_back(note);
  }
}

/// Each host set its own signposts, and their clocks have nothing to do with each other.
Result<void> apply_window_by_host(const OpsReport& table, const ShownOptions& options, Rows& rows,
                                  std::vector<OpNote>& notes) {
  std::vector<bool> is_kept(table.rows.size());
  for (std::size_t host = 0; host < table.hosts.size(); ++host) {
    Rows own;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(own),
                 [&](std::uint32_t row) { return table.rows[row].file == host; });
    std::vector<OpNote> said;
    const Result<void> applied = WindowFinder(table, options, own, said).apply();
    if (!applied) {
      return failure(
          {applied.error().code, fmt::format("{}: {}", table.hosts[host], applied.error().message)});
    }
    for (const std::uint32_t row : own) is_kept[row] = true;
    add_new_notes(said, notes);
  }
  std::erase_if(rows, [&](std::uint32_t row) { return !is_kept[row]; });
  return {};
}

}  // namespace

Result<void> apply_window(const OpsReport& table, const ShownOptions& options,
                          std::vector<std::uint32_t>& rows, std::vector<OpNote>& notes) {
  if (table.hosts.size() > 1) return apply_window_by_host(table, options, rows, notes);
  return WindowFinder(table, options, rows, notes).apply();
}

}  // namespace ttscope::perf
