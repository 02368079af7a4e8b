#include "graph/analyze/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/chips.h"
#include "graph/analyze/figures.h"
#include "graph/analyze/segment_profile.h"

namespace ttscope::graph {

std::vector<SegmentFigures> Profile::figures() const {
  std::vector<SegmentFigures> all;
  for (const ProfiledSegment& segment : segments) {
    all.push_back({segment.name, segment.profile.dram, segment.profile.l1});
  }
  return all;
}

std::vector<SegmentView> Profile::views() const {
  std::vector<SegmentView> all;
  for (const ProfiledSegment& segment : segments)
    all.push_back({segment.name, segment.trace, &segment.profile});
  return all;
}

std::uint64_t Profile::node_count() const {
  std::uint64_t count = 0;
  for (const ProfiledSegment& segment : segments) count += segment.trace->size();
  return count;
}

Result<void> add_capture(Profile& profile, const std::string& file, GraphCapture capture, Depth depth) {
  const auto number = static_cast<std::uint32_t>(profile.files.size());
  profile.files.push_back(file);
  profile.captures.push_back(std::make_unique<const GraphCapture>(std::move(capture)));
  for (const GraphSegment& segment : profile.captures.back()->segments) {
    Result<SegmentProfile> found = depth == Depth::kFigures ? figures_of_segment(segment.trace, profile.rules)
                                                            : profile_segment(segment.trace, profile.rules);
    if (!found) return failure(bad_input(fmt::format("{}: {}", file, found.error().message)));
    profile.segments.push_back({number, segment.name, &segment.trace, std::move(*found)});
  }
  return {};
}

void finish_profile(Profile& profile, Depth depth) {
  if (depth == Depth::kFigures) return;
  const std::vector<SegmentView> views = profile.views();
  profile.live = join_segments(views);
  std::vector<GraphDevice> devices;
  for (const auto& capture : profile.captures)
    devices.insert(devices.end(), capture->devices.begin(), capture->devices.end());
  profile.findings = find_in(views, profile.live, devices);
}

namespace {

/// The largest core of any chip so far: Blackhole's.
constexpr std::int64_t kMaxCoreBytes = largest_l1_bytes();

/// The smallest core of the devices; nothing where none is described.
std::int64_t core_bytes(const std::vector<GraphDevice>& devices) {
  std::int64_t least = 0;
  for (const GraphDevice& device : devices) {
    if (device.worker_l1_size_bytes <= 0) continue;
    least = least == 0 ? device.worker_l1_size_bytes : std::min(least, device.worker_l1_size_bytes);
  }
  return least;
}

bool has_kind(const GraphTrace& trace, NodeKind kind) {
  return std::find(trace.kinds.begin(), trace.kinds.end(), kind) != trace.kinds.end();
}

std::vector<Lack> lacks_of(const SegmentView& segment, bool device_is_known) {
  std::vector<Lack> lacks;
  const auto add = [&](bool is_lacking, Lack lack) {
    if (is_lacking) lacks.push_back(lack);
  };
  const SegmentProfile& profile = *segment.profile;
  const bool has_programs = profile.l1.peak_cb > 0;
  add(!device_is_known, Lack::kDevice);
  add(has_programs && !has_kind(*segment.trace, NodeKind::kDeallocateAll), Lack::kReleases);
  add(has_programs && !profile.busiest_core.known, Lack::kCoreRanges);
  add(std::any_of(profile.differences.begin(), profile.differences.end(),
                  [](const Difference& one) { return one.kind == DifferenceKind::kBankDerived; }),
      Lack::kBankSizes);
  add(profile.no_dispatch, Lack::kPlacement);
  return lacks;
}

void add_l1(const std::vector<SegmentView>& segments, std::uint32_t number, std::int64_t described_bytes,
            std::vector<Finding>& findings) {
  const SegmentView& segment = segments[number];
  const SegmentProfile& profile = *segment.profile;
  Finding finding;
  finding.segment = number;
  finding.bytes = profile.l1_peak.bytes;
  finding.limit_bytes = described_bytes > 0 ? described_bytes : kMaxCoreBytes;
  if (finding.bytes <= finding.limit_bytes) return;
  if (profile.busiest_core.known) finding.busiest_bytes = profile.busiest_core.peak_total_bytes;
  const bool only_sum = finding.busiest_bytes >= 0 && finding.busiest_bytes <= finding.limit_bytes;
  finding.kind = only_sum ? FindingKind::kL1SumExceedsCore : FindingKind::kL1ExceedsCore;
  finding.lacks = lacks_of(segment, described_bytes > 0);
  findings.push_back(std::move(finding));
}

}  // namespace

std::string_view name_of(FindingKind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"stopped_in_calls", "l1_beyond_core",
                                                      "l1_sum_beyond_core", "tied_by_size"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view name_of(Lack lack) {
  constexpr std::array<std::string_view, 5> kNames = {"device", "releases", "core_ranges", "bank_sizes",
                                                      "placement"};
  return kNames[static_cast<std::size_t>(lack)];
}

std::vector<Finding> find_in(const std::vector<SegmentView>& segments, const LiveSet& live,
                             const std::vector<GraphDevice>& devices) {
  std::vector<Finding> findings;
  const std::int64_t described_bytes = core_bytes(devices);
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    const SegmentProfile& profile = *segments[i].profile;
    if (!profile.unfinished.empty()) {
      Finding finding;
      finding.kind = FindingKind::kStopped;
      finding.segment = i;
      finding.count = profile.unfinished.size();
      finding.call = profile.unfinished.back();
      findings.push_back(std::move(finding));
    }
    add_l1(segments, i, described_bytes, findings);
  }
  const bool is_reported = std::any_of(findings.begin(), findings.end(), [](const Finding& one) {
    return one.kind == FindingKind::kL1ExceedsCore || one.kind == FindingKind::kL1SumExceedsCore;
  });
  const std::int64_t limit_bytes = described_bytes > 0 ? described_bytes : kMaxCoreBytes;
  if (segments.size() > 1 && !is_reported && live.l1.bytes > limit_bytes) {
    Finding finding;
    finding.kind = FindingKind::kL1ExceedsCore;
    finding.bytes = live.l1.bytes;
    finding.limit_bytes = limit_bytes;
    finding.lacks = lacks_of(segments[live.l1.at.segment], described_bytes > 0);
    findings.push_back(std::move(finding));
  }
  if (live.tied_by_size > 0) {
    Finding finding;
    finding.kind = FindingKind::kTiedBySize;
    finding.count = live.tied_by_size;
    findings.push_back(std::move(finding));
  }
  return findings;
}

namespace {

/// What is known of a buffer that can tell it from others.
struct Identity {
  std::int64_t buffer_id = kNotRecorded;
  std::vector<std::int64_t> tensor_ids;
  std::int64_t address = kNotRecorded;
};

bool is_before(const Moment& left, const Moment& right) {
  return std::tie(left.segment, left.node) < std::tie(right.segment, right.node);
}

/// The buffers that are live between two captures, found by what a later one says of them.
class OpenBuffers {
 public:
  explicit OpenBuffers(LiveSet& set) : set_(set) {}

  void add(std::uint32_t buffer, const Identity& identity) {
    if (identity.buffer_id != kNotRecorded) by_id_[identity.buffer_id] = buffer;
    for (const std::int64_t tensor : identity.tensor_ids) by_tensor_[tensor] = buffer;
    if (identity.address > 0) by_address_[place_of(buffer, identity.address)] = buffer;
    by_size_[size_of(buffer)].push_back(buffer);
    is_open_.resize(std::max<std::size_t>(is_open_.size(), buffer + 1));
    is_open_[buffer] = true;
  }
  void close(std::uint32_t buffer) { is_open_[buffer] = false; }

  /// The one that a buffer of a later capture is; kNone: it is older than all of them. The size must agree.
  std::uint32_t find(const JoinedBuffer& like, const Identity& identity) const {
    const auto fits = [&](std::uint32_t found) {
      return is_open_[found] && set_.buffers[found].in_dram == like.in_dram &&
             set_.buffers[found].size_bytes == like.size_bytes;
    };
    if (identity.buffer_id != kNotRecorded) {
      const auto found = by_id_.find(identity.buffer_id);
      return found != by_id_.end() && fits(found->second) ? found->second : kNone;
    }
    for (const std::int64_t tensor : identity.tensor_ids) {
      const auto found = by_tensor_.find(tensor);
      if (found != by_tensor_.end() && fits(found->second)) return found->second;
    }
    if (identity.address <= 0) return kNone;
    const auto found = by_address_.find({like.in_dram, identity.address});
    return found != by_address_.end() && fits(found->second) ? found->second : kNone;
  }

  /// The last one of this size; kNone if there is none.
  std::uint32_t find_by_size(const JoinedBuffer& like) {
    const auto found = by_size_.find({like.in_dram, like.size_bytes});
    if (found == by_size_.end()) return kNone;
    std::vector<std::uint32_t>& candidates = found->second;
    while (!candidates.empty() && !is_open_[candidates.back()]) candidates.pop_back();
    return candidates.empty() ? kNone : candidates.back();
  }

 private:
  using Key = std::pair<bool, std::int64_t>;  ///< memory, address or size
  Key place_of(std::uint32_t buffer, std::int64_t address) const {
    return {set_.buffers[buffer].in_dram, address};
  }
  Key size_of(std::uint32_t buffer) const {
    return {set_.buffers[buffer].in_dram, set_.buffers[buffer].size_bytes};
  }

  LiveSet& set_;
  std::vector<bool> is_open_;
  std::unordered_map<std::int64_t, std::uint32_t> by_id_;
  std::unordered_map<std::int64_t, std::uint32_t> by_tensor_;
  std::map<Key, std::uint32_t> by_address_;
  std::map<Key, std::vector<std::uint32_t>> by_size_;
};

/// The sums of one memory by part.
class PartSums {
 public:
  void add(std::uint32_t part, std::int64_t bytes, std::int64_t buffers = 1) {
    if (part >= sums_.size()) sums_.resize(part + 1);
    sums_[part].bytes = sum_of(sums_[part].bytes, bytes);
    sums_[part].buffers += static_cast<std::uint64_t>(buffers);
  }
  std::vector<PartBytes> largest_first() const {
    std::vector<PartBytes> parts;
    for (std::uint32_t part = 0; part < sums_.size(); ++part) {
      if (sums_[part].buffers > 0) parts.push_back({part, sums_[part].bytes, sums_[part].buffers});
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const PartBytes& left, const PartBytes& right) { return left.bytes > right.bytes; });
    return parts;
  }

 private:
  std::vector<PartBytes> sums_;
};

/// Names of parts in the order in which they are shown.
class Parts {
 public:
  Parts(LiveSet& set, const std::vector<SegmentView>& segments) : set_(set), segments_(segments) {
    const bool has_kinds = std::any_of(segments.begin(), segments.end(), [](const SegmentView& segment) {
      return !segment.trace->buffer_labels.empty();
    });
    set.parts_by = has_kinds ? PartsBy::kKind : PartsBy::kSegment;
    if (!has_kinds) return;
    for (const std::string_view kind : {"weight", "moment", "gradient", "activation", "input", "binary"})
      number_of(kind);
  }

  std::uint32_t of(const JoinedBuffer& buffer) {
    if (buffer.kind == "binary") return number_of("binary");
    if (set_.parts_by == PartsBy::kKind) return number_of(buffer.kind.empty() ? "not told" : buffer.kind);
    const SegmentView& segment = segments_[buffer.segment];
    return number_of(segment.name.empty() ? "tensors" : segment.name);
  }

 private:
  std::uint32_t number_of(std::string_view name) {
    const auto found = numbers_.find(std::string(name));
    if (found != numbers_.end()) return found->second;
    const auto number = static_cast<std::uint32_t>(set_.parts.size());
    set_.parts.emplace_back(name);
    numbers_.emplace(name, number);
    return number;
  }

  LiveSet& set_;
  const std::vector<SegmentView>& segments_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

class Join {
 public:
  explicit Join(const std::vector<SegmentView>& segments)
      : segments_(segments), parts_(set_, segments), open_(set_), older_(set_) {}

  LiveSet run() {
    for (std::uint32_t segment = 0; segment < segments_.size(); ++segment) take(segment);
    finish();
    return std::move(set_);
  }

 private:
  /// Sums of one memory at the start of a segment.
  struct Memory {
    std::int64_t current = 0;
    std::int64_t older_freed = 0;  ///< in earlier segments
    PartSums open;
  };

  Identity identity_of(const SegmentView& segment, const BufferLife& life) const {
    Identity identity;
    identity.address = life.address;
    if (life.buffer == kNone) return identity;
    const GraphTrace& trace = *segment.trace;
    if (const BufferLabel* label = trace.label_of(life.buffer)) identity.buffer_id = label->buffer_id;
    for (const std::uint32_t counter : trace.connections_of(life.buffer)) {
      const std::uint32_t node = trace.node_at(counter);
      if (node == kNone || trace.kinds[node] != NodeKind::kTensor) continue;
      const TensorNode tensor = trace.tensor_of(node);
      if (tensor.tensor_id != kNotRecorded) identity.tensor_ids.push_back(tensor.tensor_id);
    }
    std::sort(identity.tensor_ids.begin(), identity.tensor_ids.end());
    identity.tensor_ids.erase(std::unique(identity.tensor_ids.begin(), identity.tensor_ids.end()),
                              identity.tensor_ids.end());
    return identity;
  }

  JoinedBuffer seen_first(std::uint32_t segment, std::uint32_t number) const {
    const SegmentView& view = segments_[segment];
    const BufferLife& life = view.profile->buffers[number];
    JoinedBuffer buffer;
    buffer.segment = segment;
    buffer.buffer = number;
    if (life.allocated != kNone) buffer.allocated = {segment, life.allocated};
    buffer.in_dram = life.in_dram;
    buffer.size_bytes = life.size_bytes;
    buffer.bytes = life.in_dram ? life.size_bytes : life.per_bank_bytes;
    buffer.kind = buffer_kind(*view.trace, *view.profile, life);
    buffer.owner = buffer_owner(*view.trace, life);
    return buffer;
  }

  void take(std::uint32_t segment) {
    const SegmentView& view = segments_[segment];
    const std::vector<BufferLife>& lives = view.profile->buffers;
    std::vector<std::uint32_t>& joined = set_.joined.emplace_back(lives.size(), kNone);
    // What the segment only sees (its kinds and owners may be told better there) and what it frees.
    std::vector<std::uint32_t> closed;  ///< buffers of earlier segments that this one frees
    for (std::uint32_t i = 0; i < lives.size(); ++i) {
      if (lives[i].allocated != kNone) continue;
      joined[i] = earlier(segment, i);
      if (lives[i].freed != kNone && set_.buffers[joined[i]].allocated.is_known())
        closed.push_back(joined[i]);
    }
    for (std::uint32_t i = 0; i < lives.size(); ++i) {
      if (lives[i].allocated == kNone) continue;
      joined[i] = add(seen_first(segment, i));
      if (lives[i].freed != kNone) set_.buffers[joined[i]].freed = {segment, lives[i].freed};
    }
    note_peak(segment, true, closed);
    note_peak(segment, false, closed);
    carry_over(segment, closed);
  }

  std::uint32_t add(JoinedBuffer buffer) {
    buffer.part = parts_.of(buffer);
    set_.buffers.push_back(std::move(buffer));
    return static_cast<std::uint32_t>(set_.buffers.size() - 1);
  }

  /// The buffer that a segment sees or frees without having allocated it.
  std::uint32_t earlier(std::uint32_t segment, std::uint32_t number) {
    const BufferLife& life = segments_[segment].profile->buffers[number];
    const Identity identity = identity_of(segments_[segment], life);
    JoinedBuffer buffer = seen_first(segment, number);
    std::uint32_t found = open_.find(buffer, identity);
    if (found == kNone) found = older_.find(buffer, identity);
    const bool has_identity =
        identity.buffer_id != kNotRecorded || !identity.tensor_ids.empty() || identity.address > 0;
    if (found == kNone && life.freed != kNone && !has_identity) {
      found = open_.find_by_size(buffer);
      if (found != kNone) ++set_.tied_by_size;
    }
    if (found == kNone) {
      found = add(std::move(buffer));
      older_.add(found, identity);
    } else if (set_.buffers[found].owner.empty() && !buffer.owner.empty()) {
      set_.buffers[found].owner = std::move(buffer.owner);
    }
    if (life.freed == kNone) return found;
    set_.buffers[found].freed = {segment, life.freed};
    (set_.buffers[found].allocated.is_known() ? open_ : older_).close(found);
    return found;
  }

  Memory& memory(bool in_dram) { return in_dram ? dram_ : l1_; }

  /// The highest sum of a memory in a segment, on top of what earlier ones left.
  void note_peak(std::uint32_t segment, bool in_dram, const std::vector<std::uint32_t>& closed) {
    const SegmentProfile& profile = *segments_[segment].profile;
    const GraphPeak& own = in_dram ? profile.dram_peak : profile.l1_peak;
    Memory& sums = memory(in_dram);
    JoinedPeak peak;
    peak.bytes = sum_of(sums.current, own.bytes);
    if (own.node != kNone) peak.at = {segment, own.node};
    peak.call = own.call;
    peak.programs_bytes = own.programs_bytes;
    peak.older_freed_bytes = sums.older_freed;
    PartSums parts = sums.open;
    for (const std::uint32_t buffer : closed) {
      const JoinedBuffer& freed = set_.buffers[buffer];
      if (freed.in_dram == in_dram && own.node != kNone && freed.freed.node < own.node)
        parts.add(freed.part, -freed.bytes, -1);
    }
    for (const std::uint32_t live : own.live) {
      const JoinedBuffer& buffer = set_.buffers[set_.joined[segment][live]];
      parts.add(buffer.part, buffer.bytes);
    }
    for (std::size_t i = 0; i < profile.buffers.size(); ++i) {
      const JoinedBuffer& buffer = set_.buffers[set_.joined[segment][i]];
      if (buffer.in_dram == in_dram && is_older_free(profile.buffers[i], buffer) && own.node != kNone &&
          profile.buffers[i].freed < own.node)
        peak.older_freed_bytes = sum_of(peak.older_freed_bytes, buffer.bytes);
    }
    peak.parts = parts.largest_first();
    JoinedPeak& highest = in_dram ? set_.dram : set_.l1;
    if (peak.at.is_known() && peak.bytes > highest.bytes) highest = peak;
    (in_dram ? set_.segment_dram : set_.segment_l1).push_back(std::move(peak));
  }

  static bool is_older_free(const BufferLife& life, const JoinedBuffer& buffer) {
    return life.allocated == kNone && life.freed != kNone && !buffer.allocated.is_known();
  }

  /// What is live at the end of a segment is so at the start of the next one.
  void carry_over(std::uint32_t segment, const std::vector<std::uint32_t>& closed) {
    const SegmentView& view = segments_[segment];
    const std::vector<BufferLife>& lives = view.profile->buffers;
    for (std::uint32_t i = 0; i < lives.size(); ++i) {
      const std::uint32_t number = set_.joined[segment][i];
      const JoinedBuffer& buffer = set_.buffers[number];
      Memory& sums = memory(buffer.in_dram);
      if (is_older_free(lives[i], buffer)) {
        sums.older_freed = sum_of(sums.older_freed, buffer.bytes);
        sums.current = sum_of(sums.current, -buffer.bytes);
      }
      if (lives[i].allocated == kNone || lives[i].freed != kNone) continue;
      sums.open.add(buffer.part, buffer.bytes);
      sums.current = sum_of(sums.current, buffer.bytes);
      open_.add(number, identity_of(view, lives[i]));
    }
    for (const std::uint32_t number : closed) {
      const JoinedBuffer& buffer = set_.buffers[number];
      memory(buffer.in_dram).open.add(buffer.part, -buffer.bytes, -1);
      memory(buffer.in_dram).current = sum_of(memory(buffer.in_dram).current, -buffer.bytes);
    }
  }

  void finish() {
    if (set_.dram.at.is_known()) set_.live_at_dram_peak = live_at(set_, true, set_.dram.at);
    if (set_.l1.at.is_known()) set_.live_at_l1_peak = live_at(set_, false, set_.l1.at);
  }

  LiveSet set_;
  const std::vector<SegmentView>& segments_;
  Parts parts_;
  OpenBuffers open_;
  OpenBuffers older_;  ///< than the first capture
  Memory dram_;
  Memory l1_;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

LiveSet join_segments(const std::vector<SegmentView>& segments) { return Join(segments).run(); }

std::vector<std::uint32_t> live_at(const LiveSet& set, bool in_dram, const Moment& moment) {
  std::vector<std::uint32_t> live;
  for (std::uint32_t i = 0; i < set.buffers.size(); ++i) {
    const JoinedBuffer& buffer = set.buffers[i];
    if (buffer.in_dram != in_dram || !buffer.allocated.is_known()) continue;
    if (is_before(moment, buffer.allocated)) continue;
    if (buffer.freed.is_known() && is_before(buffer.freed, moment)) continue;
    live.push_back(i);
  }
  std::stable_sort(live.begin(), live.end(), [&](std::uint32_t left, std::uint32_t right) {
    return set.buffers[left].bytes > set.buffers[right].bytes;
  });
  return live;
}

std::string owner_group(std::string_view owner) {
  std::string group;
  for (std::size_t at = 0; at < owner.size();) {
    const bool starts_word = at == 0 || owner[at - 1] == '.' || owner[at - 1] == '/' || owner[at - 1] == '_';
    std::size_t end = at;
    while (end < owner.size() && is_digit(owner[end])) ++end;
    const bool ends_word = end == owner.size() || owner[end] == '.' || owner[end] == '/' || owner[end] == '_';
    if (starts_word && ends_word && end > at) {
      group += '*';
      at = end;
    } else {
      group += owner[at++];
    }
  }
  return group;
}

std::vector<OwnerGroup> owner_groups(const LiveSet& set, const std::vector<SegmentView>& segments,
                                     const std::vector<std::uint32_t>& live) {
  std::map<std::pair<std::string, std::string>, OwnerGroup> groups;
  for (const std::uint32_t number : live) {
    const JoinedBuffer& buffer = set.buffers[number];
    const SegmentView& segment = segments[buffer.segment];
    std::string owner = buffer.owner.empty()
                            ? buffer_form(*segment.trace, segment.profile->buffers[buffer.buffer])
                            : owner_group(buffer.owner);
    OwnerGroup& group = groups[{buffer.kind, owner}];
    group.kind = buffer.kind;
    group.owner = std::move(owner);
    ++group.buffers;
    group.bytes = sum_of(group.bytes, buffer.bytes);
  }
  std::vector<OwnerGroup> sorted;
  sorted.reserve(groups.size());
  for (auto& [key, group] : groups) sorted.push_back(std::move(group));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const OwnerGroup& left, const OwnerGroup& right) { return left.bytes > right.bytes; });
  return sorted;
}

}  // namespace ttscope::graph
