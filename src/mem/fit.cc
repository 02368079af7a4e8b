#include "mem/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/chips.h"
#include "base/result.h"
#include "fit/report.h"
#include "fit/search.h"
#include "mem/analyze/changed_run.h"
#include "mem/analyze/memory_profile.h"
#include "mem/analyze/tensor_origins.h"
#include "mem/write/labels.h"

namespace ttscope::mem {
namespace {

/// A run whose ranks are replayed; ask() answers about one device and one set of changes.
class ProfileFit {
 public:
  explicit ProfileFit(const Profile& profile);

  /// What all ranks print, together. Nothing where no rank printed a state.
  fit::Agreement agreement() const;
  /// The device of the main rank, with a name; a usual one where the input tells none.
  const fit::Device& own_device() const { return own_; }
  bool device_is_assumed() const { return assumed_; }
  /// Whether the message of a failure is all that tells of the device.
  bool device_by_message() const {
    return !replays_.empty() && replays_[profile_.memory.main_rank].device_by_message;
  }
  fit::Reservations reservations() const;
  bool has_anything_to_place() const;
  /// Fails where files that are taken as ranks of one run were printed on different devices.
  Result<void> check_devices() const;
  FitScene main_scene() const { return scene(profile_.memory.main_rank); }

  struct Answer {
    fit::DeviceVerdict verdict;
    std::vector<fit::AppliedChange> applied;
    std::vector<fit::Omission> omissions;
  };
  Result<Answer> ask(const fit::Device& device, const fit::Changes& changes) const;

 private:
  FitScene scene(std::uint32_t rank) const { return {profile_.log, profile_.memory, rank, replays_[rank]}; }
  /// A device that is the run's own stands for that of each rank.
  fit::Device device_for(std::uint32_t rank, const fit::Device& device) const;
  fit::DeviceVerdict verdict_of(std::uint32_t rank, const fit::Device& device, const RankFit& found,
                                const fit::Changes& changes) const;
  fit::Failure failure_of(std::uint32_t rank, const RankFit& found) const;
  void describe_message(std::uint32_t rank, const OutOfMemory& message, fit::Failure& failure) const;
  void describe_held(std::uint32_t rank, const RankFit& found, fit::Failure& failure) const;
  fit::Place place_of_tick(std::uint32_t rank, fit::Tick tick, std::uint32_t op) const;
  std::string label_of(std::uint32_t rank, std::uint32_t life) const;

  const Profile& profile_;
  std::vector<OwnReplay> replays_;
  fit::Device own_;
  bool assumed_ = false;
};

/// Runtimes of several ages reserve more or less of a bank, and traces some; never most of it.
bool is_bank_of(const Product& product, const fit::Region& region) {
  const std::int64_t usual = product.architecture->dram_bytes_for_buffers();
  return region.banks == product.dram_banks && region.bytes_per_bank > usual / 10 * 9 &&
         region.bytes_per_bank < usual / 10 * 11;
}

/// `n150` where banks, cores and chips are those of one product, else the architecture.
std::string name_of_own(const fit::Device& device) {
  for (const Product& product : kProducts) {
    const bool same =
        product.architecture->name == device.arch && is_bank_of(product, device.region(Memory::kDram)) &&
        product.l1_banks == device.region(Memory::kL1).banks && product.chips == std::max(device.chips, 1U);
    if (same) return std::string(product.name);
  }
  return device.arch.empty() ? "the input's own" : device.arch;
}

std::string kind_name(const Life& life) {
  if (life.source == LifeSource::kUnexplained) return "unexplained";
  if (life.source == LifeSource::kFromFailureMessage) return "told by the message";
  if (life.source == LifeSource::kAssumedHeld) return "assumed";
  return std::string(name_of(life.kind));
}

bool is_alive(const fit::Demand& demand, std::size_t index, const RankShortage& shortage) {
  if (demand.kind != fit::DemandKind::kBuffer || demand.died <= shortage.tick) return false;
  return demand.born < shortage.tick || (demand.born == shortage.tick && index < shortage.life);
}

/// Of several ranks the first that does not fit is shown, else the one with the least room.
bool is_worse(const fit::DeviceVerdict& a, const fit::DeviceVerdict& b) {
  if (a.fits != b.fits) return !a.fits;
  return a.fits && a.memories.front().headroom_bytes_per_bank < b.memories.front().headroom_bytes_per_bank;
}

/// Ops and printed states tell of every memory, the message of a failure of its own alone.
bool has_figures_of(const RankLog& rank, const RankLives& lives, Memory memory) {
  if (!rank.ops.empty() || !rank.blocks.empty()) return true;
  return std::any_of(lives.lives.begin(), lives.lives.end(), [&](const Life& life) {
    return life.memory == memory && life.source != LifeSource::kCircularBuffers;
  });
}

void add_once(std::vector<fit::Omission>& to, fit::Omission omission) {
  if (std::find(to.begin(), to.end(), omission) == to.end()) to.push_back(omission);
}

ProfileFit::ProfileFit(const Profile& profile) : profile_(profile) {
  for (std::uint32_t r = 0; r < profile.log.ranks.size(); ++r)
    replays_.push_back(replay_rank(profile.log, r, profile.memory.ranks[r]));
  if (replays_.empty()) return;
  const OwnReplay& main = replays_[profile.memory.main_rank];
  own_ = main.device;
  assumed_ = main.device_is_assumed;
  own_.is_own = true;
  own_.is_assumed = assumed_;
  // Several products have the banks that a message names.
  own_.name = main.device_by_message ? own_.arch : name_of_own(own_);
}

fit::Agreement ProfileFit::agreement() const {
  fit::Agreement all;
  for (const OwnReplay& replay : replays_) {
    const fit::Agreement& one = replay.agreement;
    all.states += one.states;
    all.allocated_equal += one.allocated_equal;
    all.largest_free_equal += one.largest_free_equal;
    all.corrections += one.corrections;
    all.unexplained_bytes_per_bank = std::max(all.unexplained_bytes_per_bank, one.unexplained_bytes_per_bank);
    all.misses += one.misses;
    for (const fit::ReplayMiss& miss : one.first_misses) {
      if (all.first_misses.size() < fit::kMaxMisses) all.first_misses.push_back(miss);
    }
  }
  return all;
}

bool ProfileFit::has_anything_to_place() const {
  return std::any_of(replays_.begin(), replays_.end(), [](const OwnReplay& replay) {
    return replay.agreement.states > 0 ||
           std::any_of(replay.lives.lives.begin(), replay.lives.lives.end(),
                       [](const Life& life) { return life.bytes_per_bank > 0; });
  });
}

Result<void> ProfileFit::check_devices() const {
  const auto file_of = [&](std::size_t r) { return profile_.log.files[profile_.log.ranks[r].file]; };
  const auto words = [](const fit::Device& device) {
    const fit::Region& dram = device.region(Memory::kDram);
    return fmt::format("{}{} of {} DRAM banks of {} MB", device.arch.empty() ? "" : device.arch + ", ",
                       device.chips == 1 ? "1 chip" : fmt::format("{} chips", device.chips), dram.banks,
                       dram.bytes_per_bank >> 20);
  };
  for (std::size_t r = 1; r < replays_.size(); ++r) {
    const fit::Device& first = replays_[0].device;
    const fit::Device& other = replays_[r].device;
    const bool are_known = !replays_[0].device_is_assumed && !replays_[r].device_is_assumed;
    const bool same = words(first) == words(other);
    if (same || !are_known || profile_.log.ranks[0].file == profile_.log.ranks[r].file) continue;
    return failure(
        bad_input(fmt::format("{} ran on {}, {} on {}: they are not ranks of one run; ask about each of "
                              "them by itself",
                              file_of(0), words(first), file_of(r), words(other))));
  }
  return {};
}

fit::Reservations ProfileFit::reservations() const {
  fit::Reservations reserved;
  const fit::Region& small = own_.region(Memory::kL1Small);
  const fit::Region& log = own_.region(Memory::kTrace);
  const bool printed = !replays_.empty() && profile_.memory.ranks[profile_.memory.main_rank].measured;
  if (printed) reserved.l1_small_bytes_per_bank = small.bytes_per_bank;
  if (printed) reserved.trace_bytes = saturating_multiply(log.bytes_per_bank, log.banks);
  return reserved;
}

fit::Device ProfileFit::device_for(std::uint32_t rank, const fit::Device& device) const {
  if (!device.is_own) return device;
  fit::Device own = replays_[rank].device;
  own.name = device.name;
  own.is_assumed = device.is_assumed;
  return own;
}

Result<ProfileFit::Answer> ProfileFit::ask(const fit::Device& device, const fit::Changes& changes) const {
  Answer answer;
  for (std::uint32_t r = 0; r < replays_.size(); ++r) {
    const fit::Device asked = device_for(r, device);
    ASSIGN_OR_RETURN(const RankFit found, fit_rank(scene(r), asked, changes));
    fit::DeviceVerdict verdict = verdict_of(r, asked, found, changes);
    for (const fit::Omission omission : found.run.omissions) add_once(answer.omissions, omission);
    if (found.past_failure) add_once(answer.omissions, fit::Omission::kAfterFailure);
    if (r > 0 && !is_worse(verdict, answer.verdict)) continue;
    answer.verdict = std::move(verdict);
    answer.applied = found.run.applied;
  }
  return answer;
}

fit::DeviceVerdict ProfileFit::verdict_of(std::uint32_t rank, const fit::Device& device, const RankFit& found,
                                          const fit::Changes& changes) const {
  fit::DeviceVerdict verdict;
  verdict.device = device;
  verdict.rank = profile_.log.ranks[rank].number;
  if (replays_.size() > 1 && profile_.log.ranks[rank].file < profile_.log.files.size())
    verdict.file = profile_.log.files[profile_.log.ranks[rank].file];
  verdict.basis = found.run.estimated ? fit::Basis::kEstimated : fit::Basis::kReplayed;
  const RankProfile& measured = profile_.memory.ranks[rank];
  for (const Memory memory : kMemories) {
    const fit::PlacedMemory& placed = found.placing.memories[index_of(memory)];
    fit::MemoryUse use = fit::use_of_placed(placed, device, memory);
    use.is_known = has_figures_of(profile_.log.ranks[rank], replays_[rank].lives, memory);
    use.basis = verdict.basis;
    const bool printed =
        measured.measured && device.is_own && !changes.any() &&
        is_rounding(measured.peaks[index_of(memory)].bytes_per_bank - use.peak_bytes_per_bank);
    if (printed) use.basis = fit::Basis::kMeasured;
    if (placed.peak_demand < replays_[rank].lives.lives.size())
      use.peak_place =
          place_of_tick(rank, placed.peak_tick, replays_[rank].lives.lives[placed.peak_demand].op);
    verdict.memories.push_back(std::move(use));
  }
  verdict.fits = !found.shortage;
  if (found.shortage) verdict.failure = failure_of(rank, found);
  return verdict;
}

fit::Failure ProfileFit::failure_of(std::uint32_t rank, const RankFit& found) const {
  const RankShortage& shortage = *found.shortage;
  const RankLives& lives = replays_[rank].lives;
  fit::Failure failure;
  failure.shortage = shortage.shortage;
  failure.memory = shortage.memory;
  failure.bytes_per_bank = shortage.bytes_per_bank;
  failure.free_bytes_per_bank = shortage.free_bytes_per_bank;
  failure.largest_free_bytes_per_bank = shortage.largest_free_bytes_per_bank;
  failure.needed = shortage.needed;
  failure.basis = shortage.measured != nullptr ? fit::Basis::kMeasured
                  : found.run.estimated        ? fit::Basis::kEstimated
                                               : fit::Basis::kReplayed;
  if (shortage.shortage == fit::Shortage::kTooFewChips) return failure;
  const std::uint32_t op = shortage.measured != nullptr         ? shortage.measured->last_op
                           : shortage.life < lives.lives.size() ? lives.lives[shortage.life].op
                                                                : kNone;
  failure.place = place_of_tick(rank, shortage.tick, op);
  if (shortage.measured != nullptr) describe_message(rank, *shortage.measured, failure);
  const bool is_message_alone = profile_.log.ranks[rank].ops.empty() && shortage.life == lives.failed_life;
  if (const OutOfMemory* own = is_message_alone ? deciding_failure(profile_.log.ranks[rank]) : nullptr)
    failure.place.line = own->line;
  if (shortage.life < lives.lives.size()) failure.tensor = label_of(rank, shortage.life);
  describe_held(rank, found, failure);
  return failure;
}

/// What the run's own message tells beyond its op. Between programs no op is to blame.
void ProfileFit::describe_message(std::uint32_t rank, const OutOfMemory& message,
                                  fit::Failure& failure) const {
  if (failure.shortage == fit::Shortage::kCircularBuffers) {
    failure.reached_bytes = message.reached_bytes;
    failure.limit_bytes = message.limit_bytes;
  }
  const RankLog& ops = profile_.log.ranks[rank];
  if (message.last_op < ops.ops.size()) return;
  const bool has_ended = message.before_op > 0 && message.instance >= ops.programs.size();
  if (has_ended || ops.ops.empty()) failure.place = {};
  if (has_ended) failure.place.phase = fit::kBetweenPrograms;
  failure.place.line = message.line;
}

void ProfileFit::describe_held(std::uint32_t rank, const RankFit& found, fit::Failure& failure) const {
  const RankLives& lives = replays_[rank].lives;
  const RankShortage& shortage = *found.shortage;
  std::vector<std::uint32_t> alive;
  std::map<std::string, fit::KindBytes> held;
  for (std::uint32_t i = 0; i < found.run.demands.size(); ++i) {
    const fit::Demand& demand = found.run.demands[i];
    if (demand.memory != shortage.memory || !is_alive(demand, i, shortage)) continue;
    alive.push_back(i);
    fit::KindBytes& kind = held[kind_name(lives.lives[i])];
    kind.kind = kind_name(lives.lives[i]);
    kind.bytes_per_bank = saturating_add(kind.bytes_per_bank, demand.bytes_per_bank);
    ++kind.tensors;
  }
  for (auto& [name, kind] : held) failure.held.push_back(std::move(kind));
  std::stable_sort(
      failure.held.begin(), failure.held.end(),
      [](const fit::KindBytes& a, const fit::KindBytes& b) { return a.bytes_per_bank > b.bytes_per_bank; });
  failure.live_tensors = alive.size();
  const std::size_t shown = std::min(alive.size(), fit::kMaxLiveTensors);
  const auto larger = [&](std::uint32_t a, std::uint32_t b) {
    const std::int64_t left = found.run.demands[a].bytes_per_bank;
    const std::int64_t right = found.run.demands[b].bytes_per_bank;
    return left != right ? left > right : a < b;
  };
  std::partial_sort(alive.begin(), alive.begin() + static_cast<std::ptrdiff_t>(shown), alive.end(), larger);
  for (std::size_t i = 0; i < shown; ++i) {
    const Life& life = lives.lives[alive[i]];
    fit::LiveTensor tensor;
    tensor.name = label_of(rank, alive[i]);
    tensor.kind = kind_name(life);
    tensor.bytes_per_bank = found.run.demands[alive[i]].bytes_per_bank;
    if (life.buffer != kNone) {
      const RankProfile& profile = profile_.memory.ranks[rank];
      const TensorType& type = type_of(profile_.log, profile, profile.buffers[life.buffer]);
      tensor.shape = shape_text(type.shape);
      tensor.dtype = type.dtype;
    }
    failure.live.push_back(std::move(tensor));
  }
}

fit::Place ProfileFit::place_of_tick(std::uint32_t rank, fit::Tick tick, std::uint32_t op) const {
  const RankLog& ops = profile_.log.ranks[rank];
  fit::Place place;
  const Moment moment = moment_of_tick(tick);
  const bool between = op == kNone;
  if (between) op = moment / 2;
  if (op >= ops.ops.size()) return place;
  if (between) place.phase = moment % 2 == 0 ? fit::kProgramStart : fit::kAfterOp;
  const OpPlace named = place_of({profile_.log, profile_.memory}, rank, op);
  place.op = named.name;
  place.loc = named.loc;
  place.op_index = op;
  place.line = named.line;
  return place;
}

std::string ProfileFit::label_of(std::uint32_t rank, std::uint32_t index) const {
  const RankLives& lives = replays_[rank].lives;
  const Life& life = lives.lives[index];
  const RankProfile& profile = profile_.memory.ranks[rank];
  if (life.buffer != kNone)
    return buffer_label({profile_.log, profile_.memory}, rank, profile.buffers[life.buffer]);
  if (life.source == LifeSource::kUnexplained) return "not explained by an op line";
  if (life.source == LifeSource::kFromFailureMessage)
    return life.memory == Memory::kL1 && lives.failed_life != kNone &&
                   lives.lives[lives.failed_life].source == LifeSource::kCircularBuffers
               ? "tensors, from the address that the message names"
               : "a part of what the message says was held";
  if (life.source == LifeSource::kAssumedHeld) return "the least that makes the request fail";
  if (life.source == LifeSource::kCircularBuffers) return "circular buffers";
  if (life.type == kNone) return life.op == kNone ? "a buffer" : "a buffer inside of the op";
  const std::uint32_t origin = OriginFinder(profile_.log, profile_.memory, rank).find(life.op);
  return fmt::format("result {}{}", tensor_text(profile_.log.types[life.type]),
                     origin < profile_.memory.arguments.size()
                         ? fmt::format(" (made of {})", profile_.memory.arguments[origin].name)
                         : std::string());
}

constexpr std::size_t kTensorsTried = 5;
constexpr std::int64_t kMinTriedSequence = 32;

fit::Evaluate asking(const ProfileFit& run) {
  return [&run](const fit::Device& device, const fit::Changes& changes) -> Result<fit::Evaluation> {
    ASSIGN_OR_RETURN(ProfileFit::Answer answer, run.ask(device, changes));
    return fit::Evaluation{std::move(answer.verdict), std::move(answer.applied)};
  };
}

/// What changes nothing of the model's results comes first, then what costs precision, then what asks for
/// less, then more devices. Another policy of the allocator is nothing that a user can set: it comes last.
std::vector<fit::SearchStep> steps_for(const fit::DeviceVerdict& unchanged, const DataDimensions& now) {
  using fit::Changes;
  std::vector<fit::SearchStep> steps;
  steps.push_back({[](Changes& c) { c.free_originals = true; }});
  steps.push_back({[](Changes& c) { c.originals_on_host = true; }});
  const std::size_t tensors = unchanged.failure ? std::min(unchanged.failure->live.size(), kTensorsTried) : 0;
  for (std::size_t i = 0; i < tensors; ++i) {
    const fit::LiveTensor& tensor = unchanged.failure->live[i];
    if (tensor.kind == "activation")
      steps.push_back({[name = tensor.name](Changes& c) { c.free_early.push_back(name); }, false});
  }
  for (std::size_t i = 0; i < tensors; ++i) {
    const std::string& name = unchanged.failure->live[i].name;
    steps.push_back({[name](Changes& c) { c.row_major.push_back(name); }, false});
  }
  steps.push_back({[](Changes& c) { c.weights = fit::WeightFormat::kBfp8; }});
  steps.push_back({[](Changes& c) { c.weights = fit::WeightFormat::kBfp4; }});
  fit::add_halves(steps, fit::Growth::kBatch, {now.batch, now.batch}, 1);
  fit::add_halves(steps, fit::Growth::kSequence, {now.sequence, now.sequence}, kMinTriedSequence);
  for (const std::uint32_t ways : {2U, 4U, 8U})
    steps.push_back({[ways](Changes& c) { c.tensor_parallel = ways; }, ways == 2});
  steps.push_back({[](Changes& c) { c.best_fit = true; }, false});
  return steps;
}

/// Tries changes from the smallest on, first alone, then in pairs, until one fits.
Result<fit::Search> search_changes(const ProfileFit& run, const fit::Device& device,
                                   const fit::FitQuery& question) {
  return fit::search_changes(asking(run), device, question, [&](const fit::DeviceVerdict& unchanged) {
    return steps_for(unchanged, dimensions_of(run.main_scene(), question.changes));
  });
}

/// The largest batch or sequence that fits, beside the changes that are given.
Result<fit::Maximum> find_maximum(const ProfileFit& run, const fit::Device& device, const fit::Changes& given,
                                  fit::Growth growth) {
  const DataDimensions now = dimensions_of(run.main_scene(), given);
  fit::Maximum recorded;
  recorded.growth = growth;
  recorded.recorded = growth == fit::Growth::kBatch ? now.batch : now.sequence;
  if (recorded.recorded < 1)
    return failure(bad_input(
        fmt::format("--max {}: the inputs of the log do not tell it; give what it was, as in --{} 1:1",
                    name_of(growth), name_of(growth))));
  return fit::find_maximum(asking(run), device, given, recorded);
}

using fit::Omission;

/// What no replay of a log can know, and what this log does not tell.
std::vector<Omission> general_omissions(const Profile& profile, const fit::Agreement& agreement) {
  std::vector<Omission> omissions = {Omission::kCircularBuffers, Omission::kTemporaries};
  if (agreement.states == 0) omissions.push_back(Omission::kKernels);
  if (agreement.states == 0) omissions.push_back(Omission::kNoStates);
  if (agreement.unexplained_bytes_per_bank > 0) omissions.push_back(Omission::kUnexplained);
  if (profile.log.problems.count(LogProblem::kTypeUnparsed) > 0) omissions.push_back(Omission::kUnreadTypes);
  const Outcome outcome = profile.memory.verdict.outcome;
  const bool is_cut_module =
      profile.log.problems.count(LogProblem::kModuleCut) > 0 && profile.log.source == LogSource::kModule;
  if (outcome == Outcome::kCut || outcome == Outcome::kRunning || outcome == Outcome::kCrashed ||
      is_cut_module)
    omissions.push_back(Omission::kAfterCut);
  return omissions;
}

void add_missing(std::vector<Omission>& to, const std::vector<Omission>& from) {
  for (const Omission omission : from) {
    if (std::find(to.begin(), to.end(), omission) == to.end()) to.push_back(omission);
  }
}

bool ended_at_failure(const Profile& profile) {
  const auto& ranks = profile.log.ranks;
  return std::any_of(ranks.begin(), ranks.end(),
                     [](const RankLog& rank) { return deciding_failure(rank) != nullptr; });
}

/// What is wrong with an input that gives nothing to place; nothing where it gives something.
Result<void> check_content(const Profile& profile, const ProfileFit& run) {
  if (ended_at_failure(profile) || run.has_anything_to_place()) return {};
  if (profile.log.problems.count(LogProblem::kTypeUnparsed) > 0)
    return failure(
        bad_input("the types of its tensors cannot be read (were lines cut?): `ttscope mem` names "
                  "their lines; nothing can be placed"));
  return failure(nothing_found(
      "no tensor on a device, no memory line and no failed allocation: there is nothing to place"));
}

/// Whether so many of its states could not be read that no replay could be checked or trusted. One that was
/// cut behind its figures of DRAM is read.
bool has_hardly_a_state(const Profile& profile, std::uint64_t unread) {
  std::uint64_t read = 0;
  for (const RankLog& rank : profile.log.ranks) {
    read += static_cast<std::uint64_t>(
        std::count_if(rank.blocks.begin(), rank.blocks.end(),
                      [](const MemoryBlock& block) { return block.has(Memory::kDram); }));
  }
  return unread > read;
}

}  // namespace

Result<fit::Report> fit_profile(const Profile& profile, const fit::FitQuery& question) {
  if (profile.recorded)
    return failure(bad_input(
        "the files of a report do not tell when tensors are freed: give the log that it was made from"));
  const LogProblems& problems = profile.log.problems;
  const std::uint64_t unread =
      problems.count(LogProblem::kBadMemoryNumber) + problems.count(LogProblem::kBlockIncomplete);
  if (has_hardly_a_state(profile, unread))
    return failure(
        bad_input("its memory lines cannot be read (were lines broken or cut?): `ttscope mem` names them; "
                  "nothing can be placed"));
  const ProfileFit run(profile);
  RETURN_IF_ERROR(check_content(profile, run));
  fit::Report report;
  report.inputs = profile.log.files;
  report.ranks = profile.log.ranks.size();
  report.joined = report.inputs.size() > 1 && report.ranks > 1 ? fit::Joined::kRanks : fit::Joined::kSingle;
  RETURN_IF_ERROR(run.check_devices());
  const bool is_module = profile.log.source == LogSource::kModule;
  report.input_kind = is_module ? "module" : "runtime log";
  const fit::Agreement agreement = run.agreement();
  report.omissions = general_omissions(profile, agreement);
  if (!is_module) report.replay = agreement;
  Result<std::vector<fit::Device>> devices = fit::requested_devices(question, run.reservations());
  if (!devices) return failure(bad_input("--device " + devices.error().message));
  if (devices->empty() || question.own_too) devices->insert(devices->begin(), run.own_device());
  if (devices->front().is_assumed) report.omissions.push_back(Omission::kDeviceAssumed);
  if (devices->front().is_own && run.device_by_message())
    report.omissions.push_back(Omission::kDeviceByMessage);
  for (const fit::Device& device : *devices) {
    ASSIGN_OR_RETURN(ProfileFit::Answer answer, run.ask(device, question.changes));
    report.changes = answer.applied;
    add_missing(report.omissions, answer.omissions);
    report.devices.push_back(std::move(answer.verdict));
  }
  if (question.search) {
    ASSIGN_OR_RETURN(fit::Search search, search_changes(run, devices->front(), question));
    report.search = std::move(search);
  }
  if (question.maximum) {
    ASSIGN_OR_RETURN(fit::Maximum maximum,
                     find_maximum(run, devices->front(), question.changes, *question.maximum));
    report.maximum = maximum;
  }
  // What is found there lets the run pass its failure; what it would have needed then is not recorded.
  const bool found = (report.search && report.search->answer) || (report.maximum && report.maximum->largest);
  if (found && ended_at_failure(profile)) add_missing(report.omissions, {Omission::kAfterFailure});
  return report;
}

std::shared_ptr<const fit::Report> fit_for_page(const Profile& profile) {
  fit::FitQuery question;
  question.devices = {"all"};
  question.own_too = true;
  Result<fit::Report> report = fit_profile(profile, question);
  return report ? std::make_shared<const fit::Report>(std::move(*report)) : nullptr;
}

}  // namespace ttscope::mem
