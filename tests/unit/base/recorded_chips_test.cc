// The table of chips against devices that were recorded: logs, compiled modules, captures, ops reports.

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/chips.h"
#include "base/csv.h"
#include "base/text.h"
#include "io/open_input.h"

namespace ttscope {
namespace {

namespace fs = std::filesystem;

/// The number that follows a marker.
std::optional<double> number_after(std::string_view text, std::string_view marker) {
  const std::size_t at = text.find(marker);
  if (at == kNoPlace) return std::nullopt;
  text.remove_prefix(at + marker.size());
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() ? std::optional<double>(value) : std::nullopt;
}

/// Every place of the marker, up to the end of its line or so many characters.
void for_each(std::string_view text, std::string_view marker,
              const std::function<void(std::string_view)>& take) {
  constexpr std::size_t kMax = 1200;
  for (std::size_t at = text.find(marker); at != kNoPlace; at = text.find(marker, at + marker.size()))
    take(text.substr(at, std::min(kMax, text.find('\n', at) - at)));
}

/// As the runtime prints it: MiB with three decimals.
bool prints_as(std::int64_t bytes, double mib) {
  return std::abs(static_cast<double>(bytes) / 1048576 - mib) <= 0.00051;
}

/// Wormhole or Blackhole, by banks of DRAM.
const Architecture& by_dram_banks(double banks) {
  return banks == kWormhole.dram_banks ? kWormhole : kBlackhole;
}

class RecordedChips : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("TTSCOPE_SHARED_DIR");
    if (folder == nullptr || !fs::is_directory(fs::path(folder) / "data"))
      GTEST_SKIP() << "skipped: TTSCOPE_SHARED_DIR is not set, no recorded devices here";
    data_ = fs::path(folder) / "data";
  }

  /// The texts of all files of a folder whose name has that part, unpacked.
  void for_files(std::string_view folder, std::string_view part,
                 const std::function<void(std::string_view)>& take) const {
    for (const auto& entry : fs::recursive_directory_iterator(data_ / folder)) {
      if (!entry.is_regular_file() || !contains(entry.path().filename().string(), part)) continue;
      const Result<io::WholeText> text = io::open_whole_text(entry.path().string());
      ASSERT_TRUE(text) << entry.path();
      SCOPED_TRACE(entry.path().string());
      take(text->bytes());
    }
  }

 private:
  fs::path data_;
};

TEST_F(RecordedChips, MemoryLinesShowTheBanksThatTheTableLeavesToBuffers) {
  std::set<const Architecture*> dram_of_today;
  std::set<const Architecture*> l1_of_today;
  const auto check = [&](std::string_view text) {
    const Architecture* chip = nullptr;
    for_each(text, "Device DRAM memory state: MemoryView{", [&](std::string_view line) {
      chip = &by_dram_banks(number_after(line, "numBanks: ").value());
      const double mib = number_after(line, "totalBytesPerBank: ").value();
      if (prints_as(chip->dram_bytes_for_buffers(), mib)) dram_of_today.insert(chip);
      const auto& others = chip->other_dram_bytes_for_buffers;
      EXPECT_TRUE(prints_as(chip->dram_bytes_for_buffers(), mib) || prints_as(others[0], mib) ||
                  prints_as(others[1], mib))
          << line;
    });
    for_each(text, "Device L1 memory state: MemoryView{", [&](std::string_view line) {
      const double banks = number_after(line, "numBanks: ").value();
      const double mib = number_after(line, "totalBytesPerBank: ").value();
      const bool known = std::any_of(kProducts.begin(), kProducts.end(), [&](const Product& product) {
        return product.architecture == chip && product.l1_banks == banks;
      });
      EXPECT_TRUE(known) << line;
      if (prints_as(chip->l1_bytes_for_buffers(), mib)) l1_of_today.insert(chip);
      // Versions differ in what firmware takes, by less than 16 KiB.
      const double base = static_cast<double>(chip->l1_bytes - kDefaultL1SmallBytes) - mib * 1048576;
      EXPECT_LT(std::abs(base - static_cast<double>(chip->l1_base_address)), 16384) << line;
    });
  };
  for (const std::string_view folder : {"oom", "runtime-logs", "field-2026/runtime-logs"})
    for_files(folder, "", check);
  EXPECT_TRUE(dram_of_today.contains(&kWormhole));
  EXPECT_EQ(l1_of_today, (std::set<const Architecture*>{&kWormhole, &kBlackhole}));
}

TEST_F(RecordedChips, MessagesOfFailuresTellSizesOfTheTable) {
  std::set<std::int64_t> sizes;
  for (const std::string_view folder : {"oom", "runtime-logs", "field-2026/runtime-logs", "field-2026/oom"}) {
    for_files(folder, "", [&](std::string_view text) {
      for_each(text, " B DRAM buffer across ", [&](std::string_view line) {
        const double banks = number_after(line, "across ").value();
        std::optional<double> bank = number_after(line, "bank size is ");
        if (!bank) bank = number_after(line, "bank size is only ");
        if (!bank || (banks != 12 && banks != 8 && banks != 7)) return;
        const Architecture& chip = by_dram_banks(banks);
        EXPECT_LE(*bank, static_cast<double>(chip.dram_bank_bytes - chip.dram_alignment_bytes)) << line;
        EXPECT_EQ(is_bank_of_blackhole(static_cast<std::int64_t>(*bank)), &chip == &kBlackhole) << line;
        sizes.insert(static_cast<std::int64_t>(*bank));
      });
    });
  }
  EXPECT_TRUE(sizes.contains(kWormhole.dram_bytes_for_buffers()));
  for (const std::int64_t size : kWormhole.other_dram_bytes_for_buffers)
    EXPECT_TRUE(sizes.contains(size)) << size;
  EXPECT_TRUE(sizes.contains(kBlackhole.other_dram_bytes_for_buffers[0]));
}

TEST_F(RecordedChips, SystemDescriptionsOfModulesHaveTheSizesAndAlignments) {
  int descriptions = 0;
  const auto check = [&](std::string_view text) {
    for_each(text, "arch = <", [&](std::string_view line) {
      if (!contains(line, "l1_size = ")) return;
      const std::string_view name = line.substr(8, line.find('>') - 8);
      const Architecture* chip = find_architecture(name);
      ASSERT_NE(chip, nullptr) << name;
      ++descriptions;
      EXPECT_EQ(number_after(line, "l1_size = "), chip->l1_bytes);
      EXPECT_EQ(number_after(line, "num_dram_channels = "), chip->dram_banks);
      EXPECT_EQ(number_after(line, "dram_channel_size = "), chip->dram_bank_bytes);
      EXPECT_EQ(number_after(line, "noc_l1_address_align_bytes = "), chip->l1_alignment_bytes);
      EXPECT_EQ(number_after(line, "noc_dram_address_align_bytes = "), chip->dram_alignment_bytes);
      const std::size_t grid = line.find("grid = ");
      ASSERT_NE(grid, kNoPlace);
      const double rows = number_after(line, "grid = ").value();
      const double columns = number_after(line.substr(grid, 12), "x").value();
      EXPECT_LE(rows * columns, chip->tensix_cores()) << line.substr(0, 60);
      EXPECT_GE(rows * columns, chip->worker_cores()) << line.substr(0, 60);
    });
  };
  for (const std::string_view folder : {"ttnn-mlir", "runtime-logs", "oom"}) for_files(folder, "", check);
  EXPECT_GT(descriptions, 300);
}

TEST_F(RecordedChips, GraphReportsDescribeTheSimulatedDevice) {
  int devices = 0;
  for_files("graph-traces", "report.json", [&](std::string_view text) {
    for_each(text, "\"worker_l1_size\": ", [&](std::string_view rest) {
      EXPECT_EQ(number_after(rest, ": "), kWormhole.l1_bytes);
      ++devices;
    });
    for_each(text, "\"num_dram_channels\": ", [&](std::string_view rest) {
      EXPECT_EQ(number_after(rest, ": "), kWormhole.dram_banks);
    });
    for_each(text, "\"l1_num_banks\": ", [&](std::string_view rest) {
      EXPECT_EQ(number_after(rest, ": "), find_product("n150")->l1_banks);
    });
    for_each(text, "\"address_at_first_l1_cb_buffer\": ", [&](std::string_view rest) {
      EXPECT_EQ(number_after(rest, ": "), kWormhole.l1_base_address_of_captures);
    });
    for_each(text, "\"cb_limit\": ", [&](std::string_view rest) {
      EXPECT_EQ(number_after(rest, ": "), kWormhole.other_l1_bytes_for_buffers[0]);
    });
  });
  EXPECT_GT(devices, 0);
  // On a p150b the first circular buffer lies where L1 begins.
  std::set<double> places;
  for_files("graph-traces/blackhole_p150b", ".json", [&](std::string_view text) {
    constexpr std::string_view kNode = "\"circular_buffer_allocate\"";
    for (std::size_t at = text.find(kNode); at != kNoPlace; at = text.find(kNode, at + kNode.size())) {
      const std::string_view node = text.substr(at, 300);
      std::optional<double> address = number_after(node, "\"address\": \"");
      if (!address) address = number_after(node, "\"address\": ");
      if (address.value_or(0) > 0) places.insert(*address);  // 0: nothing was allocated
    }
  });
  ASSERT_FALSE(places.empty());
  EXPECT_EQ(*places.begin(), static_cast<double>(kBlackhole.l1_base_address_of_captures));
}

TEST_F(RecordedChips, OpsReportsCountCoresOfTheGrid) {
  std::map<const Architecture*, std::map<double, int>> reports;
  const auto check = [&](std::string_view text) {
    CsvScanner rows(text);
    if (!rows.next()) return;
    const std::vector<std::string_view> names = rows.cells();
    const auto place_of = [&](std::string_view name) {
      return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    const std::size_t arch = place_of("DEVICE ARCH");
    const std::size_t cores = place_of("AVAILABLE WORKER CORE COUNT");
    if (arch == names.size() || cores == names.size()) return;
    std::map<const Architecture*, double> most;
    while (rows.next()) {
      const Architecture* chip = find_architecture(rows.cell(arch));
      const std::optional<double> count = number_after(rows.cell(cores), "");
      if (chip != nullptr && count) most[chip] = std::max(most[chip], *count);
    }
    for (const auto& [chip, count] : most) {
      EXPECT_LE(count, chip->tensix_cores());
      ++reports[chip][count];
    }
  };
  for (const std::string_view folder : {"perf-history", "perf-pairs", "field-2026/ops-reports"})
    for_files(folder, ".csv", check);
  for (const Architecture* chip : {&kWormhole, &kBlackhole}) {
    const std::map<double, int>& counts = reports[chip];
    ASSERT_FALSE(counts.empty()) << chip->name;
    const auto usual = std::max_element(counts.begin(), counts.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    EXPECT_EQ(usual->first, chip->worker_cores()) << chip->name;
  }
}

TEST_F(RecordedChips, DeviceLogsHaveTheNominalClock) {
  int logs = 0;
  for (const std::string_view folder : {"perf", "field-2026"}) {
    for_files(folder, "profile_log_device", [&](std::string_view text) {
      if (!text.starts_with("ARCH: ")) return;
      const std::string_view line = text.substr(0, text.find('\n'));
      const Architecture* chip = find_architecture(line.substr(6, line.find(',') - 6));
      ASSERT_NE(chip, nullptr) << line;
      ++logs;
      EXPECT_EQ(number_after(line, "CHIP_FREQ[MHz]: "), chip->clock_mhz) << line;
      EXPECT_LE(number_after(line, "Max Compute Cores: ").value_or(0), chip->tensix_cores()) << line;
      EXPECT_GE(chip->clock_mhz, chip->least_clock_mhz);
      EXPECT_LE(chip->clock_mhz, chip->most_clock_mhz);
    });
  }
  EXPECT_GT(logs, 10);
}

}  // namespace
}  // namespace ttscope
