#include "graph/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fit/search.h"
#include "graph/analyse/bank_guess.h"
#include "graph/analyse/fit/allocation_script.h"
#include "graph/analyse/fit/script_changes.h"
#include "graph/analyse/names.h"

namespace ttscope::graph {
namespace {

using fit::Memory;

class CaptureFit {
 public:
  explicit CaptureFit(const Profile& profile) : profile_(profile), script_(allocation_script(profile)) {}

  Result<fit::Report> answer(const fit::Question& question) {
    fit::Report report;
    report.inputs = profile_.files;
    report.input_kind = "graph capture";
    report.joined = profile_.files.size() > 1 ? fit::Joined::kInOrder : fit::Joined::kSingle;
    if (script_.requests.empty())
      return failure(nothing_found("no buffer is allocated in it: there is nothing to place in a device"));
    if (auto same = check_devices(); !same) return failure(same.error());
    Result<std::vector<fit::AppliedChange>> changed = change(question.changes);
    if (!changed) return failure(changed.error());
    report.changes = std::move(*changed);
    report.omissions = omissions();
    Result<std::vector<fit::Device>> devices = fit::asked_devices(question, reservations());
    if (!devices) return failure(devices.error());
    if (devices->empty()) devices->push_back(own_device(report.omissions));
    for (const fit::Device& device : *devices)
      report.devices.push_back(verdict(device, policy_of(question.changes)));
    return report;
  }

  /// One device and one set of changes, of a search.
  Result<fit::Asked> ask(const fit::Device& device, const fit::Changes& changes) {
    Result<std::vector<fit::AppliedChange>> changed = change(changes);
    if (!changed) return failure(changed.error());
    return fit::Asked{verdict(device, policy_of(changes)), std::move(*changed)};
  }

 private:
  static fit::Policy policy_of(const fit::Changes& changes) {
    return changes.best_fit ? fit::Policy::kBestFit : fit::Policy::kFirstFit;
  }

  Result<std::vector<fit::AppliedChange>> change(const fit::Changes& changes) {
    Result<std::vector<fit::AppliedChange>> changed = change_script(profile_, changes, script_);
    if (!changed) return changed;
    if (changes.best_fit)
      changed->push_back({"--best-fit", "", script_.requests.size(), 0, 0, fit::Basis::kReplayed});
    for (const fit::AppliedChange& one : *changed)
      estimated_ = estimated_ || one.basis == fit::Basis::kEstimated;
    return changed;
  }

  /// Captures that were taken on different devices are not parts of one run.
  Result<void> check_devices() const {
    const std::string* arch = nullptr;
    const std::string* file = nullptr;
    for (std::size_t i = 0; i < profile_.captures.size(); ++i) {
      for (const GraphDevice& device : profile_.captures[i]->devices) {
        if (device.arch.empty()) continue;
        if (arch != nullptr && *arch != device.arch)
          return failure(
              bad_input(fmt::format("{} was captured on {}, {} on {}: they are not parts of one run; "
                                    "ask about each of them by itself",
                                    *file, *arch, profile_.files[i], device.arch)));
        arch = &device.arch;
        file = &profile_.files[i];
      }
    }
    return {};
  }

  /// What the run had set up at least: a capture does not tell the sizes of L1_SMALL and of the trace region.
  fit::Reservations reservations() const {
    fit::Reservations reserved;
    fit::Device endless = fit::device_of(*fit::find_product("n150"));
    for (fit::Region& region : endless.regions) region.bytes_per_bank = kLargestMemoryBytes;
    if (script_.dram_banks && *script_.dram_banks > 0)
      endless.regions[fit::index_of(Memory::kDram)].banks = static_cast<std::uint32_t>(*script_.dram_banks);
    const fit::Placing placing =
        fit::place_all(demands_on(script_, endless), endless, fit::Policy::kFirstFit);
    const auto peak = [&](Memory memory) {
      return placing.memories[fit::index_of(memory)].peak_bytes_per_bank;
    };
    if (!script_.has_small_l1) reserved.l1_small_bytes_per_bank = 0;
    reserved.l1_small_bytes_per_bank = std::max(reserved.l1_small_bytes_per_bank, peak(Memory::kL1Small));
    reserved.trace_bytes = peak(Memory::kTrace) * endless.region(Memory::kDram).banks;
    return reserved;
  }

  std::vector<fit::Omission> omissions() const {
    std::vector<fit::Omission> all;
    if (!script_.has_circular_buffers) all.push_back(fit::Omission::kCircularBuffers);
    if (!script_.has_binaries) all.push_back(fit::Omission::kKernels);
    if (script_.has_unknown_older) all.push_back(fit::Omission::kUnexplained);
    const bool stopped = std::any_of(profile_.findings.begin(), profile_.findings.end(),
                                     [](const Finding& one) { return one.kind == FindingKind::kStopped; });
    if (stopped) all.push_back(fit::Omission::kAfterFailure);
    if (estimated_) all.push_back(fit::Omission::kDimensionsGuessed);
    all.push_back(fit::Omission::kSameSchedule);
    all.push_back(fit::Omission::kNoStates);
    return all;
  }

  /// The product with the banks that the capture shows.
  fit::Device own_device(std::vector<fit::Omission>& omissions) const {
    const fit::Product* found = nullptr;
    for (const std::string_view name : fit::product_names()) {
      const fit::Product* const product = fit::find_product(name);
      const bool same_dram = script_.dram_banks && *script_.dram_banks == product->dram_banks;
      const bool same_l1 = !script_.l1_banks || *script_.l1_banks == product->l1_banks;
      if (found == nullptr && same_dram && same_l1) found = product;
    }
    const bool assumed = found == nullptr;
    if (assumed) omissions.push_back(fit::Omission::kDeviceAssumed);
    fit::Device device = fit::device_of(assumed ? *fit::find_product("n150") : *found, reservations());
    device.is_own = true;
    device.is_assumed = assumed;
    return device;
  }

  fit::DeviceVerdict verdict(const fit::Device& device, fit::Policy policy) const {
    const std::vector<fit::Demand> demands = demands_on(script_, device);
    const fit::Placing placing = fit::place_all(demands, device, policy);
    fit::DeviceVerdict verdict;
    verdict.device = device;
    verdict.basis = estimated_ ? fit::Basis::kEstimated : fit::Basis::kReplayed;
    for (const Memory memory : fit::kMemories) {
      const fit::PlacedMemory& placed = placing.memories[fit::index_of(memory)];
      fit::MemoryUse use = fit::use_of_placed(placed, device, memory);
      use.basis = verdict.basis;
      if (placed.peak_demand < script_.requests.size())
        use.peak_place = place_of(script_.requests[placed.peak_demand]);
      verdict.memories.push_back(use);
    }
    verdict.fits = !placing.failure;
    if (placing.failure) verdict.failure = failure_of(demands, *placing.failure);
    return verdict;
  }

  fit::Place place_of(const ScriptRequest& request) const {
    fit::Place place;
    if (!request.at.is_known()) {
      place.phase = "before the capture";
      return place;
    }
    const ProfiledSegment& segment = profile_.segments[request.at.segment];
    place.phase = segment.name;
    const std::uint32_t call = call_at(segment, request);
    if (call == kNone) return place;
    place.loc = call_path(*segment.trace, segment.profile, call);
    place.op = place.loc.substr(0, place.loc.find(" > "));
    place.op_index = call;
    return place;
  }

  /// The innermost call that made a request.
  std::uint32_t call_at(const ProfiledSegment& segment, const ScriptRequest& request) const {
    if (request.buffer != kNone)
      return segment.profile.buffers[profile_.live.buffers[request.buffer].buffer].call;
    std::uint32_t found = kNone;
    for (std::uint32_t i = 0; i < segment.profile.calls.size(); ++i) {
      const GraphCall& call = segment.profile.calls[i];
      if (call.start > request.at.node) break;
      if (call.end == kNone || call.end > request.at.node) found = i;
    }
    return found;
  }

  std::string title_of(const ScriptRequest& request) const {
    if (request.buffer == kNone) return "circular buffers";
    const JoinedBuffer& joined = profile_.live.buffers[request.buffer];
    const ProfiledSegment& segment = profile_.segments[joined.segment];
    return buffer_title(*segment.trace, segment.profile.buffers[joined.buffer]);
  }

  static fit::Shortage shortage_of(const fit::Demand& demand, const fit::FreeListStats& stats) {
    const auto wanted = static_cast<std::uint64_t>(demand.bytes_per_bank);
    if (stats.total_bytes == 0) return fit::Shortage::kRegionMissing;
    if (demand.kind == fit::DemandKind::kRoomAtBottom) return fit::Shortage::kCircularBuffers;
    if (wanted > stats.total_bytes) return fit::Shortage::kLargerThanBank;
    return wanted <= stats.free_bytes ? fit::Shortage::kFragmented : fit::Shortage::kExhausted;
  }

  fit::Failure failure_of(const std::vector<fit::Demand>& demands, const fit::Unplaced& unplaced) const {
    const ScriptRequest& request = script_.requests[unplaced.demand];
    const fit::Demand& demand = demands[unplaced.demand];
    fit::Failure failure;
    failure.shortage = shortage_of(demand, unplaced.stats);
    failure.memory = demand.memory;
    failure.place = place_of(request);
    failure.tensor = title_of(request);
    failure.bytes_per_bank = demand.bytes_per_bank;
    failure.free_bytes_per_bank = static_cast<std::int64_t>(unplaced.stats.free_bytes);
    failure.largest_free_bytes_per_bank = static_cast<std::int64_t>(unplaced.stats.largest_free_bytes);
    add_live(demands, unplaced, failure);
    return failure;
  }

  /// What the memory holds at the failure.
  void add_live(const std::vector<fit::Demand>& demands, const fit::Unplaced& unplaced,
                fit::Failure& failure) const {
    std::map<std::string, fit::KindBytes> held;
    std::vector<std::size_t> live;
    for (std::size_t i = 0; i < unplaced.demand; ++i) {
      const fit::Demand& demand = demands[i];
      if (demand.kind != fit::DemandKind::kBuffer || demand.memory != *failure.memory) continue;
      if (demand.died <= unplaced.tick) continue;
      live.push_back(i);
      const std::string& kind = profile_.live.buffers[script_.requests[i].buffer].kind;
      fit::KindBytes& sum = held[kind.empty() ? "tensor" : kind];
      sum.kind = kind.empty() ? "tensor" : kind;
      sum.bytes_per_bank += demand.bytes_per_bank;
      ++sum.tensors;
    }
    for (const auto& [kind, sum] : held) failure.held.push_back(sum);
    std::stable_sort(failure.held.begin(), failure.held.end(), [](const auto& left, const auto& right) {
      return left.bytes_per_bank > right.bytes_per_bank;
    });
    std::stable_sort(live.begin(), live.end(), [&](std::size_t left, std::size_t right) {
      return demands[left].bytes_per_bank > demands[right].bytes_per_bank;
    });
    failure.live_tensors = live.size();
    for (std::size_t i = 0; i < std::min(live.size(), fit::kMostLiveTensors); ++i)
      failure.live.push_back(live_tensor(live[i], demands[live[i]].bytes_per_bank));
  }

  fit::LiveTensor live_tensor(std::size_t request, std::int64_t bytes_per_bank) const {
    const JoinedBuffer& joined = profile_.live.buffers[script_.requests[request].buffer];
    const ProfiledSegment& segment = profile_.segments[joined.segment];
    const BufferLife& life = segment.profile.buffers[joined.buffer];
    fit::LiveTensor tensor;
    const std::int64_t id =
        life.tensor == kNone ? kNotRecorded : segment.trace->tensor_of(life.tensor).tensor_id;
    const bool has_id_alone = joined.owner.empty() && id != kNotRecorded;
    tensor.name = has_id_alone           ? fmt::format("tensor {}", id)
                  : joined.owner.empty() ? title_of(script_.requests[request])
                                         : joined.owner;
    tensor.kind = joined.kind;
    tensor.bytes_per_bank = bytes_per_bank;
    if (life.tensor == kNone) return tensor;
    const TensorFacts& facts = segment.trace->tensor_facts_of(life.tensor);
    const std::string_view shape = segment.trace->text(facts.shape);
    const std::string_view dtype = segment.trace->text(facts.dtype);
    const std::size_t open = std::min(shape.find('['), shape.size());
    tensor.shape = shape.substr(open, shape.find(']', open) - open + 1);
    tensor.dtype = dtype.substr(dtype.rfind(':') + 1);
    return tensor;
  }

  const Profile& profile_;
  AllocationScript script_;
  bool estimated_ = false;  ///< a change decided sizes by a rule
};

/// What a capture can be asked again with other changes: its allocations are made anew each time.
fit::Ask asking(const Profile& profile) {
  return [&profile](const fit::Device& device, const fit::Changes& changes) {
    return CaptureFit(profile).ask(device, changes);
  };
}

constexpr std::size_t kTensorsTried = 5;
constexpr std::int64_t kShortestTried = 32;

/// What keeps the results first, then precision, then less data where it is told what it was; best fit last.
std::vector<fit::SearchStep> steps_for(const fit::DeviceVerdict& unchanged, const fit::Changes& given) {
  using fit::Changes;
  std::vector<fit::SearchStep> steps;
  const std::size_t tensors = unchanged.failure ? std::min(unchanged.failure->live.size(), kTensorsTried) : 0;
  for (std::size_t i = 0; i < tensors; ++i) {
    const std::string& name = unchanged.failure->live[i].name;
    steps.push_back({[name](Changes& c) { c.free_early.push_back(name); }, false});
    steps.push_back({[name](Changes& c) { c.row_major.push_back(name); }, false});
  }
  steps.push_back({[](Changes& c) { c.weights = fit::WeightFormat::kBfp8; }});
  steps.push_back({[](Changes& c) { c.weights = fit::WeightFormat::kBfp4; }});
  const auto now = [](const fit::Scaling& scaling) {
    return fit::Scaling{scaling.from, scaling.from == 0 ? 0 : scaling.to};
  };
  fit::add_halves(steps, fit::Growth::kBatch, now(given.batch), 1);
  fit::add_halves(steps, fit::Growth::kSequence, now(given.sequence), kShortestTried);
  steps.push_back({[](Changes& c) { c.best_fit = true; }, false});
  return steps;
}

Result<void> search_capture(const Profile& profile, const fit::Question& question, fit::Report& report) {
  const fit::Device& device = report.devices.front().device;
  Result<fit::Search> search = fit::search_changes(
      asking(profile), device, question,
      [&](const fit::DeviceVerdict& unchanged) { return steps_for(unchanged, question.changes); });
  if (!search) return failure(search.error());
  const bool tells_data = question.changes.batch.from > 0 && question.changes.sequence.from > 0;
  if (!tells_data && !search->fits_unchanged) report.omissions.push_back(fit::Omission::kDimensionsNotTold);
  report.search = std::move(*search);
  return {};
}

Result<void> find_capture_maximum(const Profile& profile, const fit::Question& question,
                                  fit::Report& report) {
  fit::Maximum recorded;
  recorded.growth = *question.maximum;
  const bool of_batch = recorded.growth == fit::Growth::kBatch;
  recorded.recorded = of_batch ? question.changes.batch.from : question.changes.sequence.from;
  if (recorded.recorded < 1)
    return failure(
        bad_input(fmt::format("--max {0}: a capture does not tell what it was; give it, as in --{0} {1}",
                              name_of(recorded.growth), of_batch ? "2:2" : "256:256")));
  report.maximum =
      fit::find_maximum(asking(profile), report.devices.front().device, question.changes, recorded);
  return {};
}

}  // namespace

Result<fit::Report> fit_profile(const Profile& profile, const fit::Question& question) {
  Result<fit::Report> report = CaptureFit(profile).answer(question);
  if (!report) return report;
  if (question.search) {
    if (auto done = search_capture(profile, question, *report); !done) return failure(done.error());
  }
  if (question.maximum) {
    if (auto done = find_capture_maximum(profile, question, *report); !done) return failure(done.error());
  }
  return report;
}

}  // namespace ttscope::graph
