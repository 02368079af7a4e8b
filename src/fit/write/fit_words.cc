#include "fit/write/fit_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/number_text.h"

namespace ttscope::fit {
namespace {

using report::count_text;
using report::counted;
using report::size_text;

/// Two sizes that differ only by bytes read alike otherwise.
std::string exact_text(std::int64_t size_bytes) {
  return fmt::format("{} B", count_text(static_cast<std::uint64_t>(std::max<std::int64_t>(size_bytes, 0))));
}

/// Whether what was asked for and what was there read alike in rounded units.
bool reads_alike(const Failure& failure) {
  return size_text(failure.bytes_per_bank) == size_text(failure.largest_free_bytes_per_bank) ||
         size_text(failure.bytes_per_bank) == size_text(failure.free_bytes_per_bank);
}

std::string size_in(const Failure& failure, std::int64_t size_bytes) {
  return reads_alike(failure) ? exact_text(size_bytes) : size_text(size_bytes);
}

/// What a message says of circular buffers, in addresses of a core's L1.
std::string reached_text(const Failure& failure) {
  return fmt::format("circular buffers reach {}, {} are allowed", exact_text(failure.reached_bytes),
                     exact_text(failure.limit_bytes));
}

std::string asked_text(const Failure& failure) {
  if (failure.bytes_per_bank < 0) return "more than there was";
  return fmt::format("{} of each bank", size_in(failure, failure.bytes_per_bank));
}

std::string room_text(const Failure& failure) {
  if (failure.free_bytes_per_bank < 0 && failure.memory) return "the input does not say how much was free";
  switch (failure.shortage) {
    case Shortage::kFragmented:
      return fmt::format("{} are free, but the largest block has {}",
                         size_in(failure, failure.free_bytes_per_bank),
                         size_in(failure, failure.largest_free_bytes_per_bank));
    case Shortage::kExhausted:
      return fmt::format("{} are free", size_in(failure, failure.free_bytes_per_bank));
    case Shortage::kLargerThanBank:
      return "more than a whole bank";
    case Shortage::kRegionMissing:
      return "the device has no such region, or a smaller one";
    case Shortage::kCircularBuffers:
      return "which reaches into the tensors in L1, or beyond L1";
    default:
      return {};
  }
}

}  // namespace

std::string device_label(const Device& device) {
  if (!device.is_own) return device.name;
  return fmt::format(
      "{}, {}", device.name,
      device.is_assumed ? "assumed: the input does not tell its device" : "the input's own device");
}

std::string place_text(const Place& place) {
  if (place.op.empty() && place.phase.empty() && place.line == 0) return {};
  std::string text = place.op.empty() ? std::string() : place.op;
  if (!place.loc.empty()) text += fmt::format("{}{}", text.empty() ? "" : " ", place.loc);
  if (place.line != 0) text += fmt::format("{}line {}", text.empty() ? "" : ", ", count_text(place.line));
  if (place.phase.empty()) return text;
  if (text.empty()) return place.phase;
  if (place.phase == kProgramStart) return fmt::format("{}, before {}", place.phase, text);
  if (place.phase == kAfterOp) return fmt::format("after {}", text);
  if (place.phase == kBetweenPrograms) return fmt::format("{}, {}", place.phase, text);
  return fmt::format("{} in {}", text, place.phase);
}

std::string_view basis_text(Basis basis) {
  return basis == Basis::kMeasured ? "measured, to the byte by the replay" : name_of(basis);
}

bool counts_request(const MemoryUse& use, const DeviceVerdict& verdict) {
  return verdict.failure && verdict.failure->memory == use.memory && use.headroom_bytes_per_bank < 0;
}

std::string joined_sentence(const Report& report) {
  const std::string files = counted(report.inputs.size(), "file");
  if (report.joined == Joined::kInOrder)
    return fmt::format("{} placed one after the other, as parts of one run", files);
  if (report.ranks < 2) return {};
  const std::string taken =
      report.joined == Joined::kRanks ? fmt::format("{} taken as ranks of one run; ", files) : std::string();
  if (report.devices.size() != 1) return fmt::format("{}figures are of the rank with the least room", taken);
  const DeviceVerdict& verdict = report.devices.front();
  return fmt::format("{}figures are of rank {} of {}, {}{}", taken, verdict.rank, report.ranks,
                     verdict.fits ? "which has the least room" : "the first that does not fit",
                     report.joined == Joined::kRanks ? fmt::format(": {}", verdict.file) : "");
}

std::string_view fits_word(const Report& report) { return report.cut_by() ? "FITS SO FAR" : "FITS"; }

std::string verdict_sentence(const DeviceVerdict& verdict) {
  const MemoryUse* dram = verdict.use_of(Memory::kDram);
  std::string device = device_label(verdict.device);
  if (dram == nullptr) return device;
  if (verdict.fits && !dram->is_told)
    return fmt::format("{}: what the input tells finds room; it does not tell what DRAM held", device);
  const std::string peak = fmt::format("{} of {} of each DRAM bank", size_text(dram->peak_bytes_per_bank),
                                       size_text(dram->region.bytes_per_bank));
  if (verdict.fits)
    return fmt::format("{}: {} at the peak, {} left ({})", device, peak,
                       size_text(dram->headroom_bytes_per_bank), name_of(dram->basis));
  const std::string why = verdict.failure ? failure_sentence(*verdict.failure) : std::string();
  return fmt::format("{}: {}", device, why);
}

std::string failure_sentence(const Failure& failure) {
  if (failure.shortage == Shortage::kTooFewChips)
    return fmt::format("the run uses {}, this has fewer",
                       counted(static_cast<std::uint64_t>(failure.needed), "chip"));
  const std::string where = place_text(failure.place);
  const std::string who = failure.tensor.empty() ? std::string("a buffer") : failure.tensor;
  if (failure.shortage == Shortage::kTooFewCores)
    return fmt::format("{} is sharded over {}, this has fewer{}", who,
                       counted(static_cast<std::uint64_t>(failure.needed), "core"),
                       where.empty() ? "" : fmt::format("; {}", where));
  if (failure.shortage == Shortage::kProgramTooLarge)
    return fmt::format("a program is larger than what is kept for programs{}",
                       where.empty() ? "" : fmt::format("; {}", where));
  if (failure.reached_bytes >= 0 && failure.limit_bytes >= 0)
    return fmt::format("L1 has no room: {}{}", reached_text(failure),
                       where.empty() ? "" : fmt::format("; {}", where));
  const std::string memory = failure.memory ? std::string(name_of(*failure.memory)) : std::string("memory");
  const std::string_view state = failure.shortage == Shortage::kExhausted    ? "is exhausted"
                                 : failure.shortage == Shortage::kFragmented ? "is fragmented"
                                                                             : "has no room";
  const std::string room = room_text(failure);
  return fmt::format("{} {}: {} asked for {}{}{}", memory, state, who, asked_text(failure),
                     room.empty() ? "" : ", " + room, where.empty() ? "" : fmt::format("; {}", where));
}

std::string agreement_sentence(const Agreement& agreement) {
  if (agreement.states == 0) return "the input prints no memory states: the replay is not checked";
  const auto share = [&](std::uint64_t part) {
    return fmt::format(
        "{} ({})", count_text(part),
        report::percent_text(static_cast<double>(part) / static_cast<double>(agreement.states)));
  };
  return fmt::format("of {} printed: allocated as replayed in {}, largest free blocks in {}",
                     counted(agreement.states, "state"), share(agreement.allocated_equal),
                     share(agreement.largest_free_equal));
}

std::string correction_sentence(const Agreement& agreement) {
  if (agreement.corrections == 0) return {};
  if (agreement.states == 0)
    return fmt::format("{} placed because a request failed that finds room beside what op lines tell",
                       counted(agreement.corrections, "block"));
  return fmt::format(
      "{} placed or freed because the states show it and no op line says so, {} of a DRAM bank at most",
      counted(agreement.corrections, "block"), size_text(agreement.unexplained_bytes_per_bank));
}

std::string miss_text(const ReplayMiss& miss) {
  return fmt::format("line {}: {} {}: printed {}, replayed {}", count_text(miss.line), name_of(miss.memory),
                     miss.of_largest_free ? "largest free block" : "allocated",
                     report::mb_text(miss.printed_bytes_per_bank, 3) + " MB",
                     report::mb_text(miss.replayed_bytes_per_bank, 3) + " MB");
}

std::string omission_sentence(Omission omission) {
  switch (omission) {
    case Omission::kCircularBuffers:
      return "circular buffers of programs, which share L1 with tensors";
    case Omission::kKernels:
      return "binaries of kernels in DRAM";
    case Omission::kTemporaries:
      return "temporary buffers inside of an op";
    case Omission::kAfterFailure:
      return "what the run would have needed after the failure that ended it";
    case Omission::kAfterCut:
      return "what the run would have needed after the end of the log";
    case Omission::kUnexplained:
      return "what unexplained blocks would be elsewhere: they are kept, spread over the banks of other "
             "devices";
    case Omission::kActivationsNotSplit:
      return "activations that tensor parallelism would split: weights and caches alone are";
    case Omission::kDimensionsGuessed:
      return "shapes that depend on batch or sequence in another way: dimensions that equal them are scaled";
    case Omission::kSameSchedule:
      return "what the compiler would do otherwise for another device: order, layouts and shards are the "
             "recorded ones";
    case Omission::kDeviceAssumed:
      return "the device itself, which the input does not tell: a usual one is assumed";
    case Omission::kDeviceByMessage:
      return "which product it was: the message tells the banks of the memory that failed; the rest is as "
             "usual";
    case Omission::kHeldAssumed:
      return "what was held, which the message does not tell: the least that makes the request fail is "
             "assumed";
    case Omission::kHolesAssumed:
      return "where it was held: the message tells how much, how much was free and the largest free block; "
             "holes of that size are assumed, spread over the bank";
    case Omission::kCachesKept:
      return "shorter caches: their length is a setting of its own, they are as long as recorded";
    case Omission::kSequenceIsWidth:
      return "which dimension is the sequence where a weight, a head or a cache is as long: tensors that "
             "have "
             "both were decided by their form, and may be off by that dimension";
    case Omission::kDimensionsNotTold:
      return "another batch or sequence, which the search did not try: the capture does not tell what they "
             "were; say so, as in --batch 2:2 or --sequence 256:256";
    case Omission::kNoStates:
      return "a check against the run: no memory states are printed";
    case Omission::kNoDeallocations:
      return "when tensors are freed: the input does not tell it";
    case Omission::kModelledTraining:
      return "a measurement: what operations make, keep and free is modelled after tt-train; sizes of "
             "kernels and "
             "circular buffers are those of their kind";
    case Omission::kVocabularyAssumed:
      return "the vocabulary, which the data tell: 96 characters are assumed";
    case Omission::kBatchAssumed:
      return "the batch, which a model configuration alone does not tell: 1 is assumed (--batch N)";
    case Omission::kUnreadTypes:
      return "tensors whose types could not be read, which count as nothing (`ttscope mem` names their "
             "lines)";
  }
  return {};
}

std::string phase_state_text(PhaseUse::State state) {
  if (state == PhaseUse::State::kDone) return {};
  return state == PhaseUse::State::kFailed ? "fails" : "not reached; would need this";
}

std::string change_text(const AppliedChange& change) {
  std::string text = change.option;
  if (!change.value.empty()) text += " " + change.value;
  if (change.from > 0) text += fmt::format(" instead of {}", change.from);
  if (change.option == "--best-fit" || change.whole_model) return text;
  return fmt::format("{} ({})", text, counted(change.tensors, "tensor"));
}

std::string changes_text(const std::vector<AppliedChange>& changes) {
  std::string text;
  for (const AppliedChange& change : changes) text += (text.empty() ? "" : ", ") + change_text(change);
  return text;
}

namespace {

/// What follows the end of a run that ended early was not recorded, and may need more.
std::string_view up_to_its_end(const Report& report) {
  return report.cut_by() ? ", up to where the run ended" : "";
}

}  // namespace

std::string search_sentence(const Report& report) {
  const Search& search = *report.search;
  if (search.fits_unchanged)
    return fmt::format("it fits on {} as it is{}", search.device, up_to_its_end(report));
  if (search.attempts.empty())
    return fmt::format("nothing that can be tried makes it fit on {}", search.device);
  if (!search.answer)
    return fmt::format("none of {} makes it fit on {}", counted(search.attempts.size(), "change"),
                       search.device);
  const Attempt& answer = search.attempts[*search.answer];
  return fmt::format("{} makes it fit on {}{}: {} of a DRAM bank at the peak, {} left ({})",
                     changes_text(answer.changes), search.device, up_to_its_end(report),
                     size_text(answer.peak_bytes_per_bank), size_text(answer.headroom_bytes_per_bank),
                     name_of(answer.basis));
}

std::string maximum_sentence(const Report& report) {
  const Maximum& maximum = *report.maximum;
  if (!maximum.largest)
    return fmt::format("not even a {} of 1 fits on {}; recorded: {}", name_of(maximum.growth), maximum.device,
                       maximum.recorded);
  return fmt::format("a {} of {}{} fits on {}{}, {} of a DRAM bank left; recorded: {} (estimated)",
                     name_of(maximum.growth), maximum.at_limit ? "at least " : "",
                     count_text(static_cast<std::uint64_t>(*maximum.largest)), maximum.device,
                     up_to_its_end(report), size_text(maximum.headroom_bytes_per_bank), maximum.recorded);
}

std::vector<std::string> device_columns() {
  return {"device",  "fits",     "DRAM peak", "of a bank", "headroom", "largest block left",
          "L1 peak", "of a core"};
}

std::vector<std::string> device_row(const Report& report, const DeviceVerdict& verdict) {
  const std::string_view fits = !verdict.fits ? "no" : report.cut_by() ? "so far" : "yes";
  std::vector<std::string> row = {verdict.device.name, std::string(fits)};
  for (const Memory memory : {Memory::kDram, Memory::kL1}) {
    const MemoryUse* use = verdict.use_of(memory);
    if (use == nullptr) continue;
    row.push_back(use->is_told ? size_text(use->peak_bytes_per_bank) : std::string(kNotTold));
    row.push_back(size_text(use->region.bytes_per_bank));
    if (memory != Memory::kDram) continue;
    if (!use->is_told) {
      row.insert(row.end(), 2, "-");
      continue;
    }
    const bool missing = use->headroom_bytes_per_bank < 0;
    row.push_back(missing ? "-" + size_text(-use->headroom_bytes_per_bank)
                          : size_text(use->headroom_bytes_per_bank));
    row.push_back(size_text(use->smallest_largest_free_bytes_per_bank));
  }
  return row;
}

}  // namespace ttscope::fit
