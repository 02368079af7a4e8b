#include "mem/analyse/fit/lives.h"

#include <algorithm>

#include "mem/analyse/failed_tensor.h"

namespace ttscope::mem {
namespace {

/// All of a core's L1, as addresses count it.
std::int64_t l1_bytes_of_core(const fit::Device& device) {
  constexpr std::int64_t kWormhole = 1464 << 10;
  constexpr std::int64_t kBlackhole = 1536 << 10;
  return device.arch == "blackhole" ? kBlackhole : kWormhole;
}

class LifeCollector {
 public:
  LifeCollector(const RuntimeTrace& trace, std::uint32_t rank, const RankProfile& profile,
                const fit::Device& device)
      : trace_(trace), ops_(trace.ranks[rank]), profile_(profile), device_(device) {}

  RankLives collect() {
    out_.life_of_buffer.resize(profile_.buffers.size(), kNone);
    out_.lives.reserve(profile_.buffers.size() + 8);
    for (std::uint32_t b = 0; b < profile_.buffers.size(); ++b) add_record(b);
    if (const OutOfMemory* failure = ending_failure(ops_)) add_failed(*failure);
    if (const OutOfMemory* failure = own_failure(ops_)) out_.failed_tick = tick_of(*failure);
    return std::move(out_);
  }

 private:
  void add_record(std::uint32_t b) {
    const Buffer& buffer = profile_.buffers[b];
    const bool goes_on = buffer.renamed_from < b && out_.life_of_buffer[buffer.renamed_from] != kNone;
    if (goes_on) return extend(out_.life_of_buffer[buffer.renamed_from], b);
    Life life;
    life.born = birth_tick(buffer.born);
    life.bytes_per_bank = buffer.bytes_per_bank;
    life.type = buffer.type;
    life.op = buffer.producer_op;
    life.memory = kTensorMemories[buffer.memory];
    out_.lives.push_back(life);
    extend(static_cast<std::uint32_t>(out_.lives.size() - 1), b);
  }

  /// What was a weight once stays one, whoever takes it later.
  void extend(std::uint32_t index, std::uint32_t b) {
    const Buffer& buffer = profile_.buffers[b];
    Life& life = out_.lives[index];
    out_.life_of_buffer[b] = index;
    life.buffer = b;
    life.died = death_tick(buffer.died);
    const bool is_weight = life.kind == TensorKind::kWeight || life.kind == TensorKind::kConstEval;
    if (!is_weight) life.kind = buffer.kind;
    if (buffer.first_used != kForever)
      life.first_used = std::min(life.first_used, birth_tick(buffer.first_used));
    if (buffer.last_used != 0) life.last_used = std::max(life.last_used, birth_tick(buffer.last_used));
  }

  fit::Tick tick_of(const OutOfMemory& failure) const {
    if (failure.last_op < ops_.ops.size()) return birth_tick(after_op(failure.last_op));
    return state_tick(failure.before_op == 0 ? 0 : after_op(failure.before_op - 1));
  }

  Life failed_life(const OutOfMemory& failure) const {
    Life life;
    life.born = tick_of(failure);
    life.memory = failure.memory;
    life.op = failure.last_op;
    life.kind = kind_of_request(profile_, failure);
    return life;
  }

  void add_failed(const OutOfMemory& failure) {
    if (failure.kind == FailureKind::kBuffersBeyondL1 || failure.kind == FailureKind::kBuffersClash)
      return add_circular_buffers(failure);
    const OpText* op =
        failure.last_op < ops_.ops.size() ? trace_.text_of(ops_.ops[failure.last_op]) : nullptr;
    std::vector<Life> results;
    std::uint32_t asked = kNone;
    for (const std::uint32_t type :
         op == nullptr ? std::span<const std::uint32_t>{} : trace_.ids(op->result_types)) {
      const TensorType& tensor = trace_.types[type];
      const bool placed = tensor.buffer == BufferType::kDram || tensor.buffer == BufferType::kL1;
      if (!placed || op->role != OpRole::kCompute) continue;
      Life life = failed_life(failure);
      life.source = LifeSource::kFailedTensor;
      life.memory = tensor.buffer == BufferType::kDram ? Memory::kDram : Memory::kL1;
      life.type = type;
      life.bytes_per_bank = bytes_per_bank(tensor, profile_.device);
      if (asked == kNone && takes_asked_room(tensor, profile_, failure))
        asked = static_cast<std::uint32_t>(results.size());
      results.push_back(life);
    }
    if (asked == kNone) add_request(failure);
    if (asked != kNone) out_.failed_life = static_cast<std::uint32_t>(out_.lives.size()) + asked;
    out_.lives.insert(out_.lives.end(), results.begin(), results.end());
  }

  /// A buffer inside of the op, gone before its results come.
  void add_request(const OutOfMemory& failure) {
    if (failure.per_bank_bytes <= 0) return;
    Life life = failed_life(failure);
    life.source = LifeSource::kFailedRequest;
    life.bytes_per_bank = failure.per_bank_bytes;
    life.died = life.born + 1;
    out_.failed_life = static_cast<std::uint32_t>(out_.lives.size());
    out_.lives.push_back(life);
  }

  /// Their message has addresses: the room that they need begins where L1 for tensors does, which the lowest
  /// tensor's address tells once the tensors are placed. Without one the end of L1 does.
  void add_circular_buffers(const OutOfMemory& failure) {
    const std::int64_t bank = device_.region(Memory::kL1).bytes_per_bank;
    if (failure.reached_bytes < 0 || failure.limit_bytes < 0) return;
    Life life = failed_life(failure);
    life.source = LifeSource::kCircularBuffers;
    life.memory = Memory::kL1;
    std::int64_t held = 0;
    for (const Life& other : out_.lives) {
      if (other.memory == Memory::kL1 && other.born <= life.born && life.born < other.died)
        held = saturating_add(held, other.bytes_per_bank);
    }
    const bool clash = failure.kind == FailureKind::kBuffersClash;
    if (clash && held == 0) held = add_told_tensors(failure, life.born);
    const std::int64_t room = clash ? std::max<std::int64_t>(bank - held, 0) : bank;
    life.bytes_per_bank = saturating_add(room, failure.reached_bytes - failure.limit_bytes);
    life.died = life.born + 1;
    out_.failed_life = static_cast<std::uint32_t>(out_.lives.size());
    out_.lives.push_back(life);
  }

  /// Where nothing else tells what lies in L1, the message does: tensors, from the address that it names up.
  std::int64_t add_told_tensors(const OutOfMemory& failure, fit::Tick clash) {
    const std::int64_t small = device_.region(Memory::kL1Small).bytes_per_bank;
    const std::int64_t top = l1_bytes_of_core(device_) - small;
    const std::int64_t bank = device_.region(Memory::kL1).bytes_per_bank;
    const std::int64_t bytes = top - failure.limit_bytes;
    if (bytes <= 0 || bytes > bank) return 0;
    Life tensors;
    tensors.born = clash == 0 ? 0 : clash - 1;
    tensors.bytes_per_bank = bytes;
    tensors.memory = Memory::kL1;
    tensors.source = LifeSource::kToldByMessage;
    out_.lives.push_back(tensors);
    return bytes;
  }

  const RuntimeTrace& trace_;
  const RankTrace& ops_;
  const RankProfile& profile_;
  const fit::Device& device_;
  RankLives out_;
};

/// The compiler's description of a device has one L1, of which the runtime takes L1_SMALL.
void leave_room_for_small(fit::Device& device) {
  fit::Region& l1 = device.regions[index_of(Memory::kL1)];
  if (l1.bytes_per_bank <= fit::kUsualL1SmallBytes || device.region(Memory::kL1Small).bytes_per_bank > 0)
    return;
  l1.bytes_per_bank -= fit::kUsualL1SmallBytes;
}

/// Where no state is printed, the message of a failure may tell the size of its bank.
void take_sizes_of_failures(const RankTrace& rank, fit::Device& device) {
  constexpr std::int64_t kLargestWormholeBank = std::int64_t{2} << 30;
  for (const OutOfMemory& failure : rank.failures) {
    if (failure.kind != FailureKind::kAllocation || failure.bank_size_bytes <= 0) continue;
    fit::Region& region = device.regions[index_of(failure.memory)];
    region.bytes_per_bank = failure.bank_size_bytes;
    const bool interleaved = failure.memory == Memory::kDram && failure.banks > 0 && failure.banks <= 64;
    if (!interleaved || !rank.ops.empty()) continue;
    region.banks = static_cast<std::uint32_t>(failure.banks);
    const bool blackhole = failure.bank_size_bytes > kLargestWormholeBank;
    device.arch = blackhole ? "blackhole" : "wormhole";
    device.alignment_bytes = blackhole ? 64 : 32;
  }
}

}  // namespace

RankLives lives_of(const RuntimeTrace& trace, std::uint32_t rank, const RankProfile& profile,
                   const fit::Device& device) {
  return LifeCollector(trace, rank, profile, device).collect();
}

fit::Device own_device(const RankTrace& rank, const RankProfile& profile, bool& assumed) {
  fit::Device device;
  const DeviceFacts& facts = profile.device;
  device.arch = facts.arch;
  device.chips = facts.chips;
  device.alignment_bytes = facts.dram_alignment_bytes;
  device.l1_alignment_bytes = facts.l1_alignment_bytes;
  device.is_own = true;
  for (const Memory memory : kMemories) {
    const std::size_t m = index_of(memory);
    device.regions[m] = {facts.banks[m], facts.capacity_bytes_per_bank[m]};
  }
  if (!rank.blocks.empty()) return device;
  leave_room_for_small(device);
  take_sizes_of_failures(rank, device);
  assumed = device.region(Memory::kDram).bytes_per_bank == 0;
  const fit::Device usual = fit::device_of(*fit::find_product(device.arch == "blackhole" ? "p150" : "n150"));
  for (const Memory memory : kMemories) {
    fit::Region& region = device.regions[index_of(memory)];
    if (region.bytes_per_bank == 0) region.bytes_per_bank = usual.region(memory).bytes_per_bank;
  }
  return device;
}

bool is_told_by_message(const RankTrace& rank, const RankProfile& profile, bool assumed) {
  return rank.blocks.empty() && profile.device.source == FactSource::kFailureMessage && !assumed;
}

fit::Demand demand_of(const Life& life) {
  fit::Demand demand{life.born, life.died, life.bytes_per_bank, life.memory, fit::DemandKind::kBuffer, {}};
  if (life.source == LifeSource::kHole) demand.kind = fit::DemandKind::kHole;
  if (life.top_down) demand.direction = fit::Direction::kTopDown;
  return demand;
}

std::vector<fit::Demand> demands_of(const RankLives& lives) {
  std::vector<fit::Demand> demands;
  demands.reserve(lives.lives.size());
  for (const Life& life : lives.lives) demands.push_back(demand_of(life));
  return demands;
}

const OutOfMemory* ending_failure(const RankTrace& rank) {
  for (const OutOfMemory& failure : rank.failures) {
    const std::uint32_t op = failure.last_op;
    const bool goes_on = op < rank.ops.size() && op + 1 < rank.ops.size() &&
                         rank.ops[op + 1].instance == rank.ops[op].instance;
    const bool of_device =
        failure.kind == FailureKind::kAllocation || failure.kind == FailureKind::kBuffersBeyondL1 ||
        failure.kind == FailureKind::kBuffersClash || failure.kind == FailureKind::kTraceRegion;
    if (of_device && !goes_on) return &failure;
  }
  return nullptr;
}

const OutOfMemory* own_failure(const RankTrace& rank) {
  if (const OutOfMemory* ending = ending_failure(rank)) return ending;
  const auto found = std::find_if(rank.failures.begin(), rank.failures.end(), [](const OutOfMemory& failure) {
    return failure.kind != FailureKind::kHostMemory;
  });
  return found == rank.failures.end() ? nullptr : &*found;
}

}  // namespace ttscope::mem
