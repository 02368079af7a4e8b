#include "perf/analyse/executions/counter_formulas.h"

#include <array>

namespace ttscope::perf {
namespace {

constexpr auto kClip = CounterMetric::kClip;
constexpr auto kReferenceUnclipped = CounterMetric::kReferenceUnclipped;
constexpr auto kPlain = CounterMetric::kPlain;
constexpr auto kReferenceUnscaled = CounterMetric::kReferenceUnscaled;
constexpr auto kReferenceDeviceOnly = CounterMetric::kReferenceDeviceOnly;
constexpr auto kOnlyCaptured = CounterMetric::kOnlyCaptured;

constexpr std::array<CounterMetric, 84> kMetrics = {{
    {"SFPU Util", "SFPU_COUNTER / @SFPU_COUNTER", 0},
    {"FPU Util", "FPU_COUNTER / @FPU_COUNTER", 0},
    {"MATH Util", "MATH_COUNTER / @MATH_COUNTER", 0},
    {"Unpacker0 Write Efficiency", "SRCA_WRITE_ACTUAL / UNPACK0_BUSY_THREAD0", 0},
    {"Unpacker1 Write Efficiency", "SRCB_WRITE_NOT_BLOCKED_PORT / UNPACK1_BUSY_THREAD0", 0},
    {"Unpacker Write Efficiency", "", 0},
    {"Packer Efficiency", "PACKER_DEST_READ_AVAILABLE / PACKER_BUSY", 0},
    {"FPU Execution Efficiency", "FPU_COUNTER / FPU_INSTRN_AVAILABLE_1", 0},
    {"Math Pipeline Utilization", "MATH_INSTRN_STARTED / MATH_INSTRN_AVAILABLE", 0},
    {"Math-to-Pack Handoff Efficiency", "AVAILABLE_MATH / PACKER_BUSY", 0},
    {"Unpacker-to-Math Data Flow",
     "SRCA_WRITE_AVAILABLE + SRCB_WRITE_AVAILABLE / UNPACK0_BUSY_THREAD0 + UNPACK1_BUSY_THREAD0", 0},
    {"Thread 0 Stall Rate", "THREAD_STALLS_0 / @THREAD_STALLS_0", 0},
    {"Thread 1 Stall Rate", "THREAD_STALLS_1 / @THREAD_STALLS_1", 0},
    {"Thread 2 Stall Rate", "THREAD_STALLS_2 / @THREAD_STALLS_2", 0},
    {"SrcA Valid Wait", "WAITING_FOR_SRCA_VALID / @WAITING_FOR_SRCA_VALID", 0},
    {"SrcB Valid Wait", "WAITING_FOR_SRCB_VALID / @WAITING_FOR_SRCB_VALID", 0},
    {"SrcA Clear Wait", "WAITING_FOR_SRCA_CLEAR / @WAITING_FOR_SRCA_CLEAR", 0},
    {"SrcB Clear Wait", "WAITING_FOR_SRCB_CLEAR / @WAITING_FOR_SRCB_CLEAR", 0},
    {"Math Idle Wait T1", "WAITING_FOR_MATH_IDLE_1 / @WAITING_FOR_MATH_IDLE_1", 0},
    {"Pack Idle Wait T2", "WAITING_FOR_PACK_IDLE_2 / @WAITING_FOR_PACK_IDLE_2", 0},
    {"Unpack Idle Wait T0", "WAITING_FOR_UNPACK_IDLE_0 / @WAITING_FOR_UNPACK_IDLE_0", 0},
    {"Semaphore Zero Wait T0", "WAITING_FOR_NONZERO_SEM_0 / @WAITING_FOR_NONZERO_SEM_0", 0},
    {"Semaphore Zero Wait T1", "WAITING_FOR_NONZERO_SEM_1 / @WAITING_FOR_NONZERO_SEM_1", 0},
    {"Semaphore Zero Wait T2", "WAITING_FOR_NONZERO_SEM_2 / @WAITING_FOR_NONZERO_SEM_2", 0},
    {"Semaphore Full Wait T0", "WAITING_FOR_NONFULL_SEM_0 / @WAITING_FOR_NONFULL_SEM_0", 0},
    {"Semaphore Full Wait T1", "WAITING_FOR_NONFULL_SEM_1 / @WAITING_FOR_NONFULL_SEM_1", 0},
    {"Semaphore Full Wait T2", "WAITING_FOR_NONFULL_SEM_2 / @WAITING_FOR_NONFULL_SEM_2", 0},
    {"Data Hazard Stall Rate", "MATH_INSTRN_AVAILABLE - DATA_HAZARD_STALLS_MOVD2A / MATH_INSTRN_AVAILABLE",
     kClip},
    {"Fidelity Stall Rate", "MATH_FIDELITY_STALL / MATH_INSTRN_AVAILABLE", 0},
    {"HiFi Fraction",
     "MATH_INSTRN_HF_2_CYCLE + MATH_INSTRN_HF_4_CYCLE / MATH_INSTRN_HF_1_CYCLE + "
     "MATH_INSTRN_HF_2_CYCLE + MATH_INSTRN_HF_4_CYCLE",
     0},
    {"Avg HF Cycles Per Instrn",
     "MATH_INSTRN_HF_1_CYCLE + 2*MATH_INSTRN_HF_2_CYCLE + 4*MATH_INSTRN_HF_4_CYCLE / "
     "MATH_INSTRN_HF_1_CYCLE + MATH_INSTRN_HF_2_CYCLE + MATH_INSTRN_HF_4_CYCLE",
     kPlain},
    {"L1 Unpacker Port Util", "L1_0_UNPACKER_0 / @L1_0_UNPACKER_0", 0},
    {"L1 TDMA Bundle Util",
     "0.5*L1_0_TDMA_BUNDLE_0_RISC + 0.5*L1_0_TDMA_BUNDLE_1_TRISC / @L1_0_TDMA_BUNDLE_0_RISC", 0},
    {"NOC Ring 0 Outgoing Util",
     "0.5*L1_0_NOC_RING0_OUTGOING_0 + 0.5*L1_0_NOC_RING0_OUTGOING_1 / @L1_0_NOC_RING0_OUTGOING_0", 0},
    {"NOC Ring 0 Incoming Util",
     "0.5*L1_0_NOC_RING0_INCOMING_0 + 0.5*L1_0_NOC_RING0_INCOMING_1 / @L1_0_NOC_RING0_INCOMING_0", 0},
    {"NOC Ring 1 Outgoing Util",
     "0.5*L1_1_NOC_RING1_OUTGOING_0 + 0.5*L1_1_NOC_RING1_OUTGOING_1 / @L1_1_NOC_RING1_OUTGOING_0", 0},
    {"NOC Ring 1 Incoming Util",
     "0.5*L1_1_NOC_RING1_INCOMING_0 + 0.5*L1_1_NOC_RING1_INCOMING_1 / @L1_1_NOC_RING1_INCOMING_0", 0},
    {"L1 Packer Port Util", "PORT1 / @PORT1", 0},
    {"NOC Ring 0 Outgoing Backpressure",
     "L1_0_NOC_RING0_OUTGOING_0 - L1_0_NOC_RING0_OUTGOING_0_GRANT + L1_0_NOC_RING0_OUTGOING_1 - "
     "L1_0_NOC_RING0_OUTGOING_1_GRANT / L1_0_NOC_RING0_OUTGOING_0 + L1_0_NOC_RING0_OUTGOING_1",
     kClip},
    {"NOC Ring 0 Incoming Backpressure",
     "L1_0_NOC_RING0_INCOMING_0 - L1_0_NOC_RING0_INCOMING_0_GRANT + L1_0_NOC_RING0_INCOMING_1 - "
     "L1_0_NOC_RING0_INCOMING_1_GRANT / L1_0_NOC_RING0_INCOMING_0 + L1_0_NOC_RING0_INCOMING_1",
     kClip},
    {"NOC Ring 1 Outgoing Backpressure",
     "L1_1_NOC_RING1_OUTGOING_0 - L1_1_NOC_RING1_OUTGOING_0_GRANT + L1_1_NOC_RING1_OUTGOING_1 - "
     "L1_1_NOC_RING1_OUTGOING_1_GRANT / L1_1_NOC_RING1_OUTGOING_0 + L1_1_NOC_RING1_OUTGOING_1",
     kClip},
    {"NOC Ring 1 Incoming Backpressure",
     "L1_1_NOC_RING1_INCOMING_0 - L1_1_NOC_RING1_INCOMING_0_GRANT + L1_1_NOC_RING1_INCOMING_1 - "
     "L1_1_NOC_RING1_INCOMING_1_GRANT / L1_1_NOC_RING1_INCOMING_0 + L1_1_NOC_RING1_INCOMING_1",
     kClip},
    {"L1 Unpacker Backpressure", "L1_0_UNPACKER_0 - L1_0_UNPACKER_0_GRANT / L1_0_UNPACKER_0", kClip},
    {"L1 Packer Port Backpressure", "PORT1 - L1_0_PORT1_GRANT / PORT1", kClip},
    {"SrcA Write Port Blocked Rate", "SRCA_WRITE_AVAILABLE - SRCA_WRITE_ACTUAL / SRCA_WRITE_AVAILABLE",
     kClip},
    {"SrcA Write Overwrite Blocked Rate",
     "SRCA_WRITE_AVAILABLE - SRCA_WRITE_NOT_BLOCKED_OVR / SRCA_WRITE_AVAILABLE", kClip},
    {"SrcB Write Overwrite Blocked Rate", "SRCB_WRITE_AVAILABLE - SRCB_WRITE_ACTUAL / SRCB_WRITE_AVAILABLE",
     kClip},
    {"Dest Read Backpressure",
     "PACKER_DEST_READ_AVAILABLE - DEST_READ_GRANTED_0 / PACKER_DEST_READ_AVAILABLE",
     kClip | kReferenceUnclipped},
    {"Math Dest Write Port Stall Rate",
     "MATH_INSTRN_AVAILABLE - MATH_NOT_STALLED_DEST_WR_PORT / MATH_INSTRN_AVAILABLE",
     kClip | kReferenceUnclipped},
    {"Math Scoreboard Stall Rate", "MATH_INSTRN_AVAILABLE - AVAILABLE_MATH / MATH_INSTRN_AVAILABLE",
     kClip | kReferenceUnclipped},
    {"T0 Instrn Issue Rate", "THREAD_INSTRUCTIONS_0 / @THREAD_INSTRUCTIONS_0", kPlain},
    {"T1 Instrn Issue Rate", "THREAD_INSTRUCTIONS_1 / @THREAD_INSTRUCTIONS_1", kPlain},
    {"T2 Instrn Issue Rate", "THREAD_INSTRUCTIONS_2 / @THREAD_INSTRUCTIONS_2", kPlain},
    {"CFG Instrn Avail Rate T0", "CFG_INSTRN_AVAILABLE_0 / @CFG_INSTRN_AVAILABLE_0", 0},
    {"SYNC Instrn Avail Rate T0", "SYNC_INSTRN_AVAILABLE_0 / @SYNC_INSTRN_AVAILABLE_0", 0},
    {"THCON Instrn Avail Rate T0", "THCON_INSTRN_AVAILABLE_0 / @THCON_INSTRN_AVAILABLE_0", 0},
    {"MOVE Instrn Avail Rate T0", "MOVE_INSTRN_AVAILABLE_0 / @MOVE_INSTRN_AVAILABLE_0", 0},
    {"MATH Instrn Avail Rate T1", "FPU_INSTRN_AVAILABLE_1 / @FPU_INSTRN_AVAILABLE_1", 0},
    {"UNPACK Instrn Avail Rate T0", "UNPACK_INSTRN_AVAILABLE_0 / @UNPACK_INSTRN_AVAILABLE_0", 0},
    {"PACK Instrn Avail Rate T2", "PACK_INSTRN_AVAILABLE_2 / @PACK_INSTRN_AVAILABLE_2", 0},
    {"SrcB Write Port Blocked Rate",
     "SRCB_WRITE_AVAILABLE - SRCB_WRITE_NOT_BLOCKED_PORT / SRCB_WRITE_AVAILABLE", kClip},
    {"SrcA Write Actual Efficiency", "SRCA_WRITE_ACTUAL / SRCA_WRITE_AVAILABLE", 0},
    {"SrcB Write Actual Efficiency", "SRCB_WRITE_NOT_BLOCKED_PORT / SRCB_WRITE_AVAILABLE", 0},
    {"Packer Engine 0 Util", "PACKER_BUSY_0 / @PACKER_BUSY_0", kOnlyCaptured},
    {"Packer Engine 1 Util", "PACKER_BUSY_1 / @PACKER_BUSY_1", kOnlyCaptured},
    {"Packer Engine 2 Util", "PACKER_BUSY_2 / @PACKER_BUSY_2", kOnlyCaptured},
    {"MMIO Idle Wait T0", "WAITING_FOR_MMIO_IDLE_0 / @WAITING_FOR_MMIO_IDLE_0", 0},
    {"SFPU Idle Wait T1", "WAITING_FOR_SFPU_IDLE_1 / @WAITING_FOR_SFPU_IDLE_1", 0},
    {"THCON Idle Wait T0", "WAITING_FOR_THCON_IDLE_0 / @WAITING_FOR_THCON_IDLE_0", 0},
    {"MOVE Idle Wait T0", "WAITING_FOR_MOVE_IDLE_0 / @WAITING_FOR_MOVE_IDLE_0", 0},
    {"RISC Core L1 Util", "L1_1_RISC_CORE / @L1_1_RISC_CORE", 0},
    {"L1 Total Bandwidth Util",
     "L1_0_UNPACKER_0 + PORT1 + L1_0_TDMA_BUNDLE_0_RISC + L1_0_TDMA_BUNDLE_1_TRISC + "
     "L1_0_NOC_RING0_OUTGOING_0 + L1_0_NOC_RING0_OUTGOING_1 + L1_0_NOC_RING0_INCOMING_0 + "
     "L1_0_NOC_RING0_INCOMING_1 / 8*@L1_0_UNPACKER_0",
     0},
    {"L1 Read vs Write Ratio",
     "L1_0_UNPACKER_0 + L1_0_NOC_RING0_OUTGOING_0 + L1_0_NOC_RING0_OUTGOING_1 / L1_0_UNPACKER_0 + "
     "L1_0_NOC_RING0_OUTGOING_0 + L1_0_NOC_RING0_OUTGOING_1 + PORT1 + L1_0_NOC_RING0_INCOMING_0 + "
     "L1_0_NOC_RING0_INCOMING_1",
     0},
    {"NOC Ring 0 Asymmetry",
     "L1_0_NOC_RING0_OUTGOING_0 + L1_0_NOC_RING0_OUTGOING_1 / L1_0_NOC_RING0_OUTGOING_0 + "
     "L1_0_NOC_RING0_OUTGOING_1 + L1_0_NOC_RING0_INCOMING_0 + L1_0_NOC_RING0_INCOMING_1",
     0},
    {"L1 Contention Index", "", 0},
    {"Unpacker L1 Efficiency", "L1_0_UNPACKER_0_GRANT / UNPACK0_BUSY_THREAD0", 0},
    {"Packer L1 Efficiency", "L1_0_PORT1_GRANT / PACKER_BUSY", 0},
    {"NOC vs Compute Balance",
     "L1_0_NOC_RING0_OUTGOING_0 + L1_0_NOC_RING0_OUTGOING_1 + L1_0_NOC_RING0_INCOMING_0 + "
     "L1_0_NOC_RING0_INCOMING_1 / FPU_COUNTER + L1_0_NOC_RING0_OUTGOING_0 + L1_0_NOC_RING0_OUTGOING_1 "
     "+ L1_0_NOC_RING0_INCOMING_0 + L1_0_NOC_RING0_INCOMING_1",
     0},
    {"TDMA vs NOC L1 Share",
     "L1_0_TDMA_BUNDLE_0_RISC + L1_0_TDMA_BUNDLE_1_TRISC / L1_0_TDMA_BUNDLE_0_RISC + "
     "L1_0_TDMA_BUNDLE_1_TRISC + L1_0_NOC_RING0_OUTGOING_0 + L1_0_NOC_RING0_OUTGOING_1 + "
     "L1_0_NOC_RING0_INCOMING_0 + L1_0_NOC_RING0_INCOMING_1",
     0},
    {"Stall Overlap T0",
     "WAITING_FOR_THCON_IDLE_0 + WAITING_FOR_UNPACK_IDLE_0 + WAITING_FOR_PACK_IDLE_0 + "
     "WAITING_FOR_MATH_IDLE_0 + WAITING_FOR_NONZERO_SEM_0 + WAITING_FOR_NONFULL_SEM_0 + "
     "WAITING_FOR_MOVE_IDLE_0 + WAITING_FOR_MMIO_IDLE_0 + WAITING_FOR_SFPU_IDLE_0 / THREAD_STALLS_0",
     kReferenceUnscaled | kReferenceDeviceOnly},
    {"Stall Overlap T1",
     "WAITING_FOR_THCON_IDLE_1 + WAITING_FOR_UNPACK_IDLE_1 + WAITING_FOR_PACK_IDLE_1 + "
     "WAITING_FOR_MATH_IDLE_1 + WAITING_FOR_NONZERO_SEM_1 + WAITING_FOR_NONFULL_SEM_1 + "
     "WAITING_FOR_MOVE_IDLE_1 + WAITING_FOR_MMIO_IDLE_1 + WAITING_FOR_SFPU_IDLE_1 / THREAD_STALLS_1",
     kReferenceUnscaled | kReferenceDeviceOnly},
    {"Stall Overlap T2",
     "WAITING_FOR_THCON_IDLE_2 + WAITING_FOR_UNPACK_IDLE_2 + WAITING_FOR_PACK_IDLE_2 + "
     "WAITING_FOR_MATH_IDLE_2 + WAITING_FOR_NONZERO_SEM_2 + WAITING_FOR_NONFULL_SEM_2 + "
     "WAITING_FOR_MOVE_IDLE_2 + WAITING_FOR_MMIO_IDLE_2 + WAITING_FOR_SFPU_IDLE_2 / THREAD_STALLS_2",
     kReferenceUnscaled | kReferenceDeviceOnly},
    {"Packer Load Imbalance", "", kReferenceDeviceOnly | kOnlyCaptured},
    {"Compute-to-Unpack Ratio", "MATH_COUNTER / UNPACK0_BUSY_THREAD0 + UNPACK1_BUSY_THREAD0",
     kReferenceDeviceOnly},
}};

}  // namespace

const std::vector<CounterMetric>& counter_metrics() {
  static const std::vector<CounterMetric> kAll(kMetrics.begin(), kMetrics.end());
  return kAll;
}

}  // namespace ttscope::perf
