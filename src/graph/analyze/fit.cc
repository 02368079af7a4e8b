#include "graph/analyze/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "base/chips.h"
#include "base/result.h"
#include "base/text.h"
#include "fit/report.h"
#include "fit/search.h"
#include "graph/analyze/figures.h"
#include "graph/analyze/segment_profile.h"
#include "graph/analyze/trace_utilities.h"
#include "graph/model/graph_trace.h"

namespace ttscope::graph {
namespace {

constexpr std::int64_t kL1Small = 3;
constexpr std::int64_t kTrace = 4;

std::int64_t round_up(std::int64_t value, std::int64_t step) {
  return step <= 1 ? value : (value + step - 1) / step * step;
}

fit::Memory memory_of(const BufferLife& life, const BufferFacts& facts) {
  if (facts.buffer_type == kTrace) return fit::Memory::kTrace;
  if (facts.buffer_type == kL1Small) return fit::Memory::kL1Small;
  return life.in_dram ? fit::Memory::kDram : fit::Memory::kL1;
}

/// The circular buffers of a program on its busiest core.
class ProgramRoom {
 public:
  explicit ProgramRoom(const GraphTrace& trace) : trace_(trace) {}

  void add(std::uint32_t node) {
    const ProgramBufferFacts& facts = trace_.program_buffer_of(node);
    if (facts.borrowed.value_or(false) || facts.size_bytes <= 0 || facts.size_bytes > kMaxMemoryBytes) return;
    const std::vector<CoreRange>& ranges = ranges_of(facts.core_ranges);
    for (const CoreRange& range : ranges) {
      for (std::int64_t y = range.y0; y <= range.y1; ++y) {
        for (std::int64_t x = range.x0; x <= range.x1; ++x) raise({facts.device_id, y, x}, facts.size_bytes);
      }
    }
    if (ranges.empty()) raise({facts.device_id, -1, -1}, facts.size_bytes);
  }
  std::int64_t take() {
    const std::int64_t bytes = fullest_;
    cores_.clear();
    fullest_ = 0;
    return bytes;
  }

 private:
  using Core = std::array<std::int64_t, 3>;  ///< device, y, x

  void raise(const Core& core, std::int64_t bytes) {
    std::int64_t& sum = cores_[core];
    sum = std::min(sum + bytes, kMaxMemoryBytes);
    fullest_ = std::max(fullest_, sum);
  }
  const std::vector<CoreRange>& ranges_of(std::uint32_t text) {
    constexpr std::int64_t kMaxCores = 1 << 14;  // more is damage, not a chip
    const auto [place, is_new] = ranges_.try_emplace(text);
    if (!is_new) return place->second;
    place->second = parse_core_ranges(trace_.text(text)).value_or(std::vector<CoreRange>());
    std::int64_t cores = 0;
    for (const CoreRange& range : place->second)
      cores += (range.x1 - range.x0 + 1) * (range.y1 - range.y0 + 1);
    if (cores > kMaxCores) place->second.clear();
    return place->second;
  }

  const GraphTrace& trace_;
  std::map<Core, std::int64_t> cores_;
  std::int64_t fullest_ = 0;
  std::unordered_map<std::uint32_t, std::vector<CoreRange>> ranges_;
};

class ScriptMaker {
 public:
  explicit ScriptMaker(const Profile& profile) : profile_(profile) {
    fit::Tick start = 1;  // 0: older than all captures
    for (const ProfiledSegment& segment : profile.segments) {
      starts_.push_back(start);
      start += segment.trace->size();
      for (const std::uint32_t facts : segment.trace->event_facts)
        banks_.learn(segment.trace->buffer_facts[facts]);
    }
  }

  AllocationScript run() {
    for (std::uint32_t i = 0; i < profile_.live.buffers.size(); ++i) add_buffer(i);
    for (std::uint32_t i = 0; i < profile_.segments.size(); ++i) add_programs(i);
    std::stable_sort(script_.requests.begin(), script_.requests.end(),
                     [](const ScriptRequest& left, const ScriptRequest& right) {
                       return left.demand.born < right.demand.born;
                     });
    script_.dram_banks = banks_.banks(true);
    script_.l1_banks = banks_.banks(false);
    for (const auto& capture : profile_.captures) {
      for (const GraphDevice& device : capture->devices) {
        if (device.num_dram_channels > 0) script_.dram_banks = device.num_dram_channels;
        if (device.l1_num_banks > 0) script_.l1_banks = device.l1_num_banks;
      }
    }
    return std::move(script_);
  }

 private:
  fit::Tick tick_of(const Moment& moment) const { return starts_[moment.segment] + moment.node; }

  void add_buffer(std::uint32_t number) {
    const JoinedBuffer& joined = profile_.live.buffers[number];
    const ProfiledSegment& segment = profile_.segments[joined.segment];
    const BufferLife& life = segment.profile.buffers[joined.buffer];
    const BufferFacts& facts = segment.trace->buffer_facts[life.facts];
    if (life.per_bank_bytes > kMaxMemoryBytes || life.size_bytes > kMaxMemoryBytes) return;
    if (life.per_bank_bytes <= 0) {
      script_.has_unknown_older = script_.has_unknown_older || life.size_bytes > 0;
      return;
    }
    ScriptRequest request;
    request.buffer = number;
    request.at = joined.allocated;
    request.size_bytes = life.size_bytes;
    request.cores = std::max<std::int64_t>(facts.num_cores, 0);
    request.page_bytes = std::clamp<std::int64_t>(facts.page_size_bytes, 0, kMaxMemoryBytes);
    if (request.page_bytes == 0 && life.tensor != kNone)
      request.page_bytes = page_bytes_of(*segment.trace, segment.trace->tensor_facts_of(life.tensor));
    request.demand.memory = memory_of(life, facts);
    request.demand.born = joined.allocated.is_known() ? tick_of(joined.allocated) : 0;
    if (joined.freed.is_known()) request.demand.died = tick_of(joined.freed);
    request.demand.bytes_per_bank = life.per_bank_bytes;
    if (joined.kind == "binary") {
      request.demand.direction = fit::Direction::kTopDown;
      script_.has_binaries = true;
    }
    script_.has_small_l1 = script_.has_small_l1 || request.demand.memory == fit::Memory::kL1Small;
    script_.requests.push_back(request);
  }

  /// What a program needs below the lowest L1 buffer, from its last circular buffer to the next program.
  void add_programs(std::uint32_t number) {
    const GraphTrace& trace = *profile_.segments[number].trace;
    ProgramRoom room(trace);
    std::uint32_t last = kNone;
    const auto close = [&](std::uint32_t node) {
      const std::int64_t bytes = room.take();
      if (bytes > 0 && last != kNone) {
        ScriptRequest request;
        request.at = {number, last};
        request.demand.memory = fit::Memory::kL1;
        request.demand.kind = fit::DemandKind::kRoomAtBottom;
        request.demand.born = tick_of({number, last});
        request.demand.died = tick_of({number, node});
        request.demand.bytes_per_bank = bytes;
        request.size_bytes = bytes;
        script_.requests.push_back(request);
        script_.has_circular_buffers = true;
      }
      last = kNone;
    };
    for (std::uint32_t node = 0; node < trace.size(); ++node) {
      const NodeKind kind = trace.kinds[node];
      if (kind == NodeKind::kDeallocateAll) close(node);
      if (kind != NodeKind::kCircularBufferAllocate && kind != NodeKind::kDataflowBufferAllocate &&
          kind != NodeKind::kScratchpadAllocate)
        continue;
      room.add(node);
      last = node;
    }
    close(trace.size());
  }

  const Profile& profile_;
  std::vector<fit::Tick> starts_;
  BankGuess banks_;
  AllocationScript script_;
};

}  // namespace

AllocationScript allocation_script(const Profile& profile) { return ScriptMaker(profile).run(); }

std::vector<fit::Demand> demands_on(const AllocationScript& script, const fit::Device& device) {
  std::vector<fit::Demand> demands;
  demands.reserve(script.requests.size());
  for (const ScriptRequest& request : script.requests) {
    fit::Demand demand = request.demand;
    const bool in_dram = demand.memory == fit::Memory::kDram || demand.memory == fit::Memory::kTrace;
    const std::int64_t banks = device.region(in_dram ? fit::Memory::kDram : fit::Memory::kL1).banks;
    if (demand.kind == fit::DemandKind::kBuffer && request.cores == 0 && request.page_bytes > 0 &&
        banks > 0) {
      const std::int64_t pages = (request.size_bytes + request.page_bytes - 1) / request.page_bytes;
      const std::int64_t page =
          round_up(request.page_bytes, in_dram ? device.alignment_bytes : device.l1_alignment_bytes);
      demand.bytes_per_bank = (pages + banks - 1) / banks * page;
    }
    demands.push_back(demand);
  }
  return demands;
}

namespace {

constexpr std::int64_t kTile = 32;

using Shape = std::vector<std::int64_t>;

std::int64_t tiles_along(std::int64_t length) { return (length + kTile - 1) / kTile; }

/// Pages of a tensor of this shape, 0 where the numbers are damage.
std::int64_t pages_of(const Shape& shape, bool tiled) {
  const std::size_t inner = tiled ? 2 : 1;
  std::int64_t pages = 1;
  const auto take = [&](std::int64_t count) {
    pages = count < 1 || pages > kMaxMemoryBytes / count ? 0 : pages * count;
  };
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool is_outer = i + inner < shape.size();
    if (is_outer) take(shape[i]);
    if (!is_outer && tiled) take(tiles_along(shape[i]));
  }
  return pages;
}

/// The tensor of a request: nothing where the capture does not tell it.
struct RequestTensor {
  const GraphTrace* trace = nullptr;
  const TensorFacts* facts = nullptr;
  std::uint32_t node = kNone;
  std::int64_t id = kNotRecorded;
  std::string_view dtype{};  ///< `BFLOAT16`
  bool tiled = false;
  Shape shape{};
};

class ScriptChanger {
 public:
  ScriptChanger(const Profile& profile, const fit::Changes& changes, AllocationScript& script)
      : profile_(profile), changes_(changes), script_(script) {
    for (const ScriptRequest& request : script.requests) has_kinds_ |= !kind_of(request).empty();
  }

  Result<std::vector<fit::AppliedChange>> change() {
    RETURN_IF_ERROR(refuse());
    for (const auto& step :
         {&ScriptChanger::change_weights, &ScriptChanger::change_rows, &ScriptChanger::free_early,
          &ScriptChanger::scale_batch, &ScriptChanger::scale_sequence}) {
      RETURN_IF_ERROR((this->*step)());
    }
    return std::move(applied_);
  }

 private:
  /// What no capture tells.
  Result<void> refuse() const {
    const auto no = [](std::string_view option, std::string_view why) {
      return failure(bad_input(fmt::format("{}: {}", option, why)));
    };
    if (changes_.free_originals || changes_.originals_on_host)
      return no(changes_.free_originals ? "--free-originals" : "--originals-on-host",
                "a capture does not tell what was made from which weight; a log or a module does");
    if (changes_.tensor_parallel > 1)
      return no("--tp",
                "a capture does not tell how its calls would be split over chips; a log, a module or a "
                "training config does");
    if (changes_.recompute || !changes_.optimizer.empty())
      return no(changes_.recompute ? "--recompute" : "--optimizer",
                "a capture is of one run, which cannot be made again; a training config can");
    return {};
  }

  const JoinedBuffer* buffer_of(const ScriptRequest& request) const {
    return request.buffer == kNone ? nullptr : &profile_.live.buffers[request.buffer];
  }
  std::string_view kind_of(const ScriptRequest& request) const {
    const JoinedBuffer* buffer = buffer_of(request);
    return buffer == nullptr || buffer->kind == "binary" ? std::string_view() : buffer->kind;
  }

  RequestTensor tensor_of(const ScriptRequest& request) const {
    RequestTensor tensor;
    const JoinedBuffer* buffer = buffer_of(request);
    if (buffer == nullptr) return tensor;
    const ProfiledSegment& segment = profile_.segments[buffer->segment];
    const BufferLife& life = segment.profile.buffers[buffer->buffer];
    if (life.tensor == kNone) return tensor;
    tensor.trace = segment.trace;
    tensor.node = life.tensor;
    tensor.id = segment.trace->tensor_of(life.tensor).tensor_id;
    tensor.facts = &segment.trace->tensor_facts_of(life.tensor);
    const std::string_view dtype = segment.trace->text(tensor.facts->dtype);
    tensor.dtype = dtype.substr(dtype.rfind(':') + 1);
    tensor.tiled =
        !in_rows_.contains(&request) && segment.trace->text(tensor.facts->layout).ends_with("TILE");
    tensor.shape = shape_numbers(segment.trace->text(tensor.facts->shape));
    return tensor;
  }

  /// The request with so many pages of another size; a shard takes its part of it.
  static bool resize(ScriptRequest& request, std::int64_t pages, std::int64_t page_bytes) {
    if (pages <= 0 || page_bytes <= 0 || request.size_bytes <= 0 || pages > kMaxMemoryBytes / page_bytes)
      return false;
    const std::int64_t size = pages * page_bytes;
    if (size == request.size_bytes && page_bytes == request.page_bytes) return false;
    const double ratio = static_cast<double>(size) / static_cast<double>(request.size_bytes);
    request.demand.bytes_per_bank =
        static_cast<std::int64_t>(static_cast<double>(request.demand.bytes_per_bank) * ratio + 0.999999);
    request.size_bytes = size;
    request.page_bytes = page_bytes;
    return true;
  }

  void note(std::string_view option, std::string value, std::uint64_t tensors,
            const fit::Scaling& scaling = {}) {
    const fit::Basis basis = scaling.to > 0 ? fit::Basis::kEstimated : fit::Basis::kReplayed;
    applied_.push_back({std::string(option), std::move(value), tensors, scaling.from, scaling.to, basis});
  }

  Result<void> change_weights() {
    if (changes_.weights == fit::WeightFormat::kAsRecorded) return {};
    const bool to_bfp8 = changes_.weights == fit::WeightFormat::kBfp8;
    const std::int64_t tile_bytes = to_bfp8 ? 1088 : 576;
    std::uint64_t changed = 0;
    for (ScriptRequest& request : script_.requests) {
      if (kind_of(request) != "weight") continue;
      const RequestTensor tensor = tensor_of(request);
      const bool is_float =
          tensor.dtype == "BFLOAT16" || tensor.dtype == "FLOAT32" || tensor.dtype == "BFLOAT8_B";
      const bool is_matrix = tensor.shape.size() >= 2 && *(tensor.shape.end() - 2) >= kTile;
      if (!tensor.tiled || !is_float || !is_matrix || request.page_bytes <= tile_bytes) continue;
      changed += resize(request, request.size_bytes / request.page_bytes, tile_bytes) ? 1 : 0;
    }
    if (changed == 0)
      return failure(
          bad_input("--weights: the capture names no weights that are float matrices in tiles; captures "
                    "of ttscope's trackers name them"));
    note("--weights", to_bfp8 ? "bfp8" : "bfp4", changed);
    return {};
  }

  bool is_called(const ScriptRequest& request, std::string_view name) const {
    const JoinedBuffer* buffer = buffer_of(request);
    if (buffer == nullptr) return false;
    if (buffer->owner == name) return true;
    const RequestTensor tensor = tensor_of(request);
    return tensor.id != kNotRecorded && name == fmt::format("tensor {}", tensor.id);
  }

  /// The requests of a name, given to `change`, which says whether it changed something.
  Result<std::uint64_t> for_each_named(std::string_view option, const std::string& name,
                                       const std::function<bool(ScriptRequest&)>& change) {
    std::uint64_t found = 0;
    std::uint64_t changed = 0;
    for (ScriptRequest& request : script_.requests) {
      if (!is_called(request, name)) continue;
      ++found;
      changed += change(request) ? 1 : 0;
    }
    if (found == 0)
      return failure(
          bad_input(fmt::format("{}: no buffer of the capture is called {}; names are those of `ttscope "
                                "graph`: an owner, or \"tensor 12\"",
                                option, terminal_safe(name))));
    return changed;
  }

  Result<void> change_rows() {
    for (const std::string& name : changes_.row_major) {
      const auto changed = for_each_named("--row-major", name, [&](ScriptRequest& request) {
        const RequestTensor tensor = tensor_of(request);
        const std::int64_t element_bytes = request.page_bytes / (kTile * kTile);
        // Weights that were made block floats by another change have tiles with exponents.
        const bool is_block_float = tensor.dtype.ends_with("_B") || request.page_bytes % (kTile * kTile) != 0;
        if (!tensor.tiled || request.cores != 0 || is_block_float || tensor.shape.empty()) return false;
        if (!resize(request, pages_of(tensor.shape, false), tensor.shape.back() * element_bytes))
          return false;
        in_rows_.insert(&request);
        return true;
      });
      if (!changed) return failure(changed.error());
      if (*changed == 0)
        return failure(bad_input(fmt::format(
            "--row-major {}: it is not stored in tiles, or in a form that only tiles and shards have",
            terminal_safe(name))));
      note("--row-major", name, *changed);
    }
    return {};
  }

  /// The tick behind the last call that takes the tensor; its birth where none does.
  fit::Tick last_use(const ScriptRequest& request, std::int64_t id) const {
    fit::Tick last = request.demand.born;
    fit::Tick start = 1;
    for (const ProfiledSegment& segment : profile_.segments) {
      for (const GraphCall& call : segment.profile.calls) {
        for (const std::uint32_t input : segment.trace->inputs_of(segment.trace->function_of(call.start))) {
          const std::uint32_t node = segment.trace->node_at(input);
          if (node == kNone || segment.trace->kinds[node] != NodeKind::kTensor) continue;
          if (segment.trace->tensor_of(node).tensor_id != id) continue;
          last = std::max(last, start + (call.end == kNone ? segment.trace->size() : call.end));
        }
      }
      start += segment.trace->size();
    }
    return last;
  }

  Result<void> free_early() {
    for (const std::string& name : changes_.free_early) {
      const auto changed = for_each_named("--free-early", name, [&](ScriptRequest& request) {
        const std::int64_t id = tensor_of(request).id;
        if (id == kNotRecorded) return false;
        const fit::Tick until = last_use(request, id) + 1;
        if (until >= request.demand.died) return false;
        request.demand.died = until;
        return true;
      });
      if (!changed) return failure(changed.error());
      note("--free-early", name, *changed);
    }
    return {};
  }

  /// Data are what is no parameter, no state of an optimizer and no binary, as far as the capture tells.
  bool is_data(const ScriptRequest& request) const {
    const std::string_view kind = kind_of(request);
    return buffer_of(request) != nullptr && kind != "weight" && kind != "gradient" && kind != "moment" &&
           (has_kinds_ ? !kind.empty() : true);
  }

  Result<void> scale(std::string_view option, const fit::Scaling& scaling,
                     const std::function<bool(Shape&)>& change) {
    if (scaling.to == 0) return {};
    if (scaling.from == 0)
      return failure(bad_input(fmt::format(
          "{0} {1}: a capture does not tell what it was; give it, as in {0} 2:{1}", option, scaling.to)));
    std::uint64_t changed = 0;
    std::uint64_t found = 0;
    for (ScriptRequest& request : script_.requests) {
      if (!is_data(request)) continue;
      RequestTensor tensor = tensor_of(request);
      const std::int64_t was = pages_of(tensor.shape, tensor.tiled);
      if (was == 0 || request.page_bytes == 0 || !change(tensor.shape)) continue;
      ++found;
      const bool row_grows = !tensor.tiled && was == pages_of(tensor.shape, false);
      const std::int64_t page =
          row_grows ? request.page_bytes / std::max<std::int64_t>(scaling.from, 1) * scaling.to
                    : request.page_bytes;
      changed += resize(request, pages_of(tensor.shape, tensor.tiled), page) ? 1 : 0;
    }
    if (found == 0)
      return failure(bad_input(fmt::format("{} {}:{}: no tensor of the capture has such a dimension", option,
                                           scaling.from, scaling.to)));
    // `2:2` tells what it was, for a search, and changes nothing.
    if (scaling.from != scaling.to) note(option, std::to_string(scaling.to), changed, scaling);
    return {};
  }

  Result<void> scale_batch() {
    const fit::Scaling& batch = changes_.batch;
    if (batch.to > 0 && batch.from == 1 && !has_kinds_)
      return failure(
          bad_input("--batch: the capture does not tell data from weights, and every tensor could have a "
                    "batch of 1; a log, a module or a training config tells"));
    return scale("--batch", batch, [&](Shape& shape) {
      if (shape.size() < 2 || shape[0] < 1 || shape[0] % batch.from != 0) return false;
      shape[0] = shape[0] / batch.from * batch.to;
      return true;
    });
  }

  Result<void> scale_sequence() {
    const fit::Scaling& sequence = changes_.sequence;
    return scale("--sequence", sequence, [&](Shape& shape) {
      const auto end = shape.size() < 3 ? shape.end() : shape.end() - (shape.size() == 3 ? 1 : 0);
      const bool any = std::find(shape.begin(), end, sequence.from) != end;
      std::replace(shape.begin(), end, sequence.from, sequence.to);
      return any;
    });
  }

  const Profile& profile_;
  const fit::Changes& changes_;
  AllocationScript& script_;
  bool has_kinds_ = false;
  std::set<const ScriptRequest*> in_rows_;  ///< by a change, whatever the capture says of them
  std::vector<fit::AppliedChange> applied_;
};

/// Changes the requests of a script as asked: weights in a block format and tensors in rows, where the
/// capture has their shapes, buffers freed after the last call that takes them, and, as estimates, data of
/// another batch or sequence. Best fit is the allocator's and stays with the caller. Fails where the captures
/// cannot tell what a change needs, or have nothing that it would change; the message names the option.
Result<std::vector<fit::AppliedChange>> change_script(const Profile& profile, const fit::Changes& changes,
                                                      AllocationScript& script) {
  return ScriptChanger(profile, changes, script).change();
}

using fit::Memory;

class CaptureFit {
 public:
  explicit CaptureFit(const Profile& profile) : profile_(profile), script_(allocation_script(profile)) {}

  Result<fit::Report> answer(const fit::FitQuery& question) {
    fit::Report report;
    report.inputs = profile_.files;
    report.input_kind = "graph capture";
    report.joined = profile_.files.size() > 1 ? fit::Joined::kInOrder : fit::Joined::kSingle;
    if (script_.requests.empty())
      return failure(nothing_found("no buffer is allocated in it: there is nothing to place in a device"));
    RETURN_IF_ERROR(check_devices());
    ASSIGN_OR_RETURN(std::vector<fit::AppliedChange> changed, change(question.changes));
    report.changes = std::move(changed);
    report.omissions = omissions();
    ASSIGN_OR_RETURN(std::vector<fit::Device> devices, fit::requested_devices(question, reservations()));
    if (devices.empty()) devices.push_back(own_device(report.omissions));
    for (const fit::Device& device : devices)
      report.devices.push_back(verdict(device, policy_of(question.changes)));
    return report;
  }

  /// One device and one set of changes, of a search.
  Result<fit::Evaluation> ask(const fit::Device& device, const fit::Changes& changes) {
    ASSIGN_OR_RETURN(std::vector<fit::AppliedChange> changed, change(changes));
    return fit::Evaluation{verdict(device, policy_of(changes)), std::move(changed)};
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
    fit::Device endless = fit::device_of(usual_product(kWormhole));
    for (fit::Region& region : endless.regions) region.bytes_per_bank = kMaxMemoryBytes;
    if (script_.dram_banks && *script_.dram_banks > 0)
      endless.regions[fit::index_of(Memory::kDram)].banks = static_cast<std::uint32_t>(*script_.dram_banks);
    const fit::PlacementResult placing =
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
    const Product* found = nullptr;
    for (const Product& product : kProducts) {
      const bool same_dram = script_.dram_banks && *script_.dram_banks == product.dram_banks;
      const bool same_l1 = !script_.l1_banks || *script_.l1_banks == product.l1_banks;
      if (found == nullptr && same_dram && same_l1) found = &product;
    }
    const bool assumed = found == nullptr;
    if (assumed) omissions.push_back(fit::Omission::kDeviceAssumed);
    fit::Device device = fit::device_of(assumed ? usual_product(kWormhole) : *found, reservations());
    device.is_own = true;
    device.is_assumed = assumed;
    return device;
  }

  fit::DeviceVerdict verdict(const fit::Device& device, fit::Policy policy) const {
    const std::vector<fit::Demand> demands = demands_on(script_, device);
    const fit::PlacementResult placing = fit::place_all(demands, device, policy);
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
    for (std::size_t i = 0; i < std::min(live.size(), fit::kMaxLiveTensors); ++i)
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
fit::Evaluate asking(const Profile& profile) {
  return [&profile](const fit::Device& device, const fit::Changes& changes) {
    return CaptureFit(profile).ask(device, changes);
  };
}

constexpr std::size_t kTensorsTried = 5;
constexpr std::int64_t kMinTriedSequence = 32;

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
  fit::add_halves(steps, fit::Growth::kSequence, now(given.sequence), kMinTriedSequence);
  steps.push_back({[](Changes& c) { c.best_fit = true; }, false});
  return steps;
}

Result<void> search_capture(const Profile& profile, const fit::FitQuery& question, fit::Report& report) {
  const fit::Device& device = report.devices.front().device;
  Result<fit::Search> search = fit::search_changes(
      asking(profile), device, question,
      [&](const fit::DeviceVerdict& unchanged) { return steps_for(unchanged, question.changes); });
  if (!search) return failure(search.error());
  const bool has_dimensions = question.changes.batch.from > 0 && question.changes.sequence.from > 0;
  if (!has_dimensions && !search->fits_unchanged)
    report.omissions.push_back(fit::Omission::kDimensionsUnknown);
  report.search = std::move(*search);
  return {};
}

Result<void> find_capture_maximum(const Profile& profile, const fit::FitQuery& question,
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

Result<fit::Report> fit_profile(const Profile& profile, const fit::FitQuery& question) {
  Result<fit::Report> report = CaptureFit(profile).answer(question);
  if (!report) return report;
  if (question.search) {
    RETURN_IF_ERROR(search_capture(profile, question, *report));
  }
  if (question.maximum) {
    RETURN_IF_ERROR(find_capture_maximum(profile, question, *report));
  }
  return report;
}

}  // namespace ttscope::graph
