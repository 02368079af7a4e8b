#include "app/formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "graph/load.h"
#include "mem/formats.h"
#include "perf/formats.h"
#include "phases/load.h"
#include "support/compressed.h"
#include "support/temp_folder.h"
#include "timeline/load.h"

namespace ttscope::app {
namespace {

using namespace std::string_literals;

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class DetectTest : public ::testing::Test {
 protected:
  std::string key_of(const std::string& name, const std::string& content) {
    const auto found = detect(folder_.file(name, content));
    if (!found) return found.error().message;
    return found->format == nullptr ? "unknown" : std::string(found->format->key);
  }

  testing::TempFolder folder_;
};

constexpr const char* kOpLine = "2026-01-01 | DEBUG | Executing operation: %0 = \"ttnn.add\"()\n";
constexpr const char* kSummary = "=== Memory Usage Summary ===\n";

TEST_F(DetectTest, TellsEveryKindByItsContent) {
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"runtime_log", kOpLine},
      {"runtime_log", "Device DRAM memory state: MemoryView{numBanks: 12}\n"},
      {"runtime_log", std::string("--- END OF MLIR MODULE ---\n") + kOpLine},
      {"bare_log", "--- END OF MLIR MODULE ---\n"},
      {"failure_text", "TT_FATAL: Out of Memory: Not enough space to allocate 4096 B DRAM buffer\n"},
      {"failure_text", "`Out of Memory: Not enough\nspace to allocate\n8192 B DRAM buffer`\n"},
      {"failure_text",
       "Statically allocated circular buffers on core range [0-0 - 7-7] grow to 2239776 B which\nis beyond "
       "max "
       "L1 size of 1499136 B\n"},
      {"failure_text",
       "program 7 clash: Statically allocated circular buffers in program 7 clash with L1 buffers on core "
       "range "
       "[0-0 - 0-0]. L1 buffer allocated at 974336 and static circular buffer region ends at 1089536\n"},
      {"unknown", "Statically allocated circular buffers clash with L1 buffers\n"},
      {"unknown", "MemoryError\n"},
      {"unknown", "reason: \"Out of Memory: Not enough space in L1\"\n"},
      {"json", R"({"runs": [{"graph": "c45c", "trace": {"x": 1}}]})"},
      {"ttmem_side", R"({"metadata": {}, "entries": []})"},
      {"phase_log", std::string("[1/4] building\n") + kSummary},
      {"graph_capture", R"([{"counter": 0, "node_type": "capture_start"}])"},
      {"graph_capture", R"({"version": 1, "graph": []})"},
      {"graph_capture", R"([ {"name": "A", "trace": []} ])"},
      {"graph_capture", "[]\n"},
      {"report_database", "SQLite format 3\0 CREATE TABLE operations, captured_graph"s},
      {"database", "SQLite format 3\0 CREATE TABLE songs"s},
      {"ops_report", "OP CODE,OP TYPE,GLOBAL CALL COUNT\nAdd,x,1\n"},
      {"ops_report", "GLOBAL CALL COUNT,DEVICE FW DURATION [ns]\n1,2\n"},
      {"cpp_report", "GLOBAL CALL COUNT,OP NAME,DEVICE FW DURATION [ns]\n1,Add,2\n"},
      {"device_log", "ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000\n"},
      {"host_times", "name,src_file,ns_since_start,special_parent_text\n"},
      {"host_messages", "MessageName;total_ns\n"},
      {"noc_trace", R"([ { "proc":"BRISC" , "zone":"K", "sx":1 , "sy":1 , "timestamp" : 4 } ])"},
      {"ttmem_memory", R"({"metadata": {"memory_config": {"DRAM": {"num_banks": 12}}}, "operations": []})"},
      {"ttmem_side", R"([{"result": "%0", "mlir_op": "ttnn.add"}])"},
      {"own_document", R"({"schema": "ttscope.mem/1", "tool": {"name": "ttscope"}, "graph": []})"},
      {"own_page", "<!doctype html>\n<title>run</title><script>ttscope-page</script>"},
      {"page", "<!DOCTYPE html>\n<title>other</title>"},
      {"perf_report_table", "ID,Total %,Bound,OP Code,Device\n"},
      {"tracy", std::string("tlZ\x04\0\0\0\0", 8)},
      {"tracy", "tr\xFDP\x01"},
      {"spreadsheet", "PK\x03\x04 [Content_Types].xml xl/workbook.xml"},
      {"zip", "PK\x03\x04 run.log"},
      {"archive", "\x04\x22\x4D\x18 lz4"},
      {"archive", "7z\xBC\xAF\x27\x1C 7-Zip"},
      {"mlir", "module @main {\n}\n"},
      {"ttnn_module", "#dram = #ttnn.buffer_type<dram>\nmodule @main {\n}\n"},
      {"module_log", "compiling\nmodule {\n  func.func @f() {\n    \"ttnn.x\"() : () -> ()\n  }\n}\n"},
      {"json", R"({"answer": 42})"},
      {"tracy_table", "name,src_file,src_line,total_ns\nzone,a.cc,1,2\n"},
      {"tracy_table", "MessageName,total_ns\nhello,1\n"},
      {"empty", ""},
      {"unknown", "nothing of ours\n"},
      {"unknown", "[2026-01-01 12:00] only a log line\n"},
  };
  int number = 0;
  for (const auto& [key, content] : kinds) {
    EXPECT_EQ(key_of("file" + std::to_string(number++), content), key) << content;
  }
}

TEST_F(DetectTest, LooksIntoCompressedFiles) {
  EXPECT_EQ(key_of("a.csv", testing::gzip("OP CODE,OP TYPE\nAdd,x\n")), "ops_report");
  EXPECT_EQ(key_of("a.json", testing::bzip2("[]")), "graph_capture");
  EXPECT_EQ(key_of("a.log.xz", testing::xz(kOpLine)), "runtime_log");
  EXPECT_EQ(key_of("a.log", testing::zstd(std::string(100, '\n') + kOpLine)), "runtime_log");
}

TEST_F(DetectTest, LooksIntoTextsInUtf16) {
  std::string text = "\xFF\xFE";
  for (const char* letter = kOpLine; *letter != '\0'; ++letter) text += std::string({*letter, '\0'});
  EXPECT_EQ(key_of("a.log", text), "runtime_log");
}

TEST_F(DetectTest, FindsTellingLinesFarBehindTheBeginning) {
  const std::string long_start(6 << 20, '.');
  EXPECT_EQ(key_of("a.log", long_start + "\n" + kOpLine), "runtime_log");
  EXPECT_EQ(key_of("b.log", kOpLine + long_start + "\n" + kSummary), "phase_log");
}

TEST_F(DetectTest, LogsThatBeginLikeAnotherKindAreLogs) {
  const std::vector<std::string> beginnings = {"{\"model\": \"llama\", \"batch\": 32}\n",
                                               "training_config:\n  batch_size: 64\n",
                                               "module @SyncTensorsGraph.4 attributes {} {\n}\n"};
  for (const std::string& beginning : beginnings) {
    EXPECT_EQ(key_of("a.log", beginning + kOpLine), "runtime_log") << beginning;
    EXPECT_EQ(key_of("b.log", beginning + kSummary), "phase_log") << beginning;
    const std::string log = folder_.file("c.log", beginning + kOpLine);
    EXPECT_THAT(wrong_kind_among({log}, {Subject::kMem}), IsEmpty()) << beginning;
    EXPECT_THAT(wrong_kind_among({folder_.file("d.log", beginning)}, {Subject::kMem}), HasSubstr("this is"))
        << beginning;
  }
  // A container's log is JSON line by line.
  EXPECT_EQ(
      key_of("e.log", R"({"log":"DEBUG | Executing operation: %0 = \"ttnn.add\"()\n","stream":"stderr"})"),
      "runtime_log");
}

TEST_F(DetectTest, SummariesWinOverOpLines) {
  EXPECT_EQ(key_of("a.log", std::string(kOpLine) + kSummary), "phase_log");
  EXPECT_EQ(key_of("b.log", std::string(kSummary) + kOpLine), "phase_log");
}

TEST_F(DetectTest, TellsFolders) {
  for (const char* name : {"report", "run/.logs", "hosts/rank0/.logs", "other"}) {
    std::filesystem::create_directories(folder_.path(name));
  }
  folder_.file("report/run_memory.json", "{}");
  folder_.file("run/.logs/profile_log_device.csv", "ARCH: x\n");
  folder_.file("hosts/rank0/.logs/tracy_ops_times.csv", "");
  folder_.file("other/readme.txt", "");
  const auto key = [&](const std::string& name) {
    const auto found = detect(folder_.path(name));
    return found->format == nullptr ? "unknown" : std::string(found->format->key);
  };
  EXPECT_EQ(key("report"), "ttmem_folder");
  EXPECT_EQ(key("run"), "profiler_folder");
  EXPECT_EQ(key("run/.logs"), "profiler_folder");
  EXPECT_EQ(key("hosts"), "profiler_folder");
  EXPECT_EQ(key("other"), "unknown");
}

TEST_F(DetectTest, MissingFilesAreErrors) {
  const auto found = detect(folder_.path("nowhere"));
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("No such file"));
}

TEST_F(DetectTest, WrongKindsAreToldWithTheCommandThatReadsThem) {
  const std::string log = folder_.file("a.log", kSummary);
  EXPECT_EQ(wrong_kind(*detect(log), {Subject::kMem}),
            log + ": this is a training log with memory summaries; `ttscope phases " + log + "` reads it");
  EXPECT_THAT(wrong_kind(*detect(log), {Subject::kPhases}), IsEmpty());
  const std::string page = folder_.file("a.html", "<!doctype html>ttscope");
  EXPECT_EQ(wrong_kind(*detect(page), {Subject::kPerf}),
            page + ": this is a report page of ttscope; open it in a browser");
  EXPECT_THAT(wrong_kind(*detect(folder_.file("b.log", "hello\n")), {Subject::kMem}), IsEmpty());
}

TEST_F(DetectTest, FoldersOfAnotherKindAreToldBeforeReading) {
  std::filesystem::create_directories(folder_.path("run/.logs"));
  folder_.file("run/.logs/profile_log_device.csv", "ARCH: x\n");
  EXPECT_THAT(wrong_kind_among({folder_.path("run")}, {Subject::kMem}),
              HasSubstr("this is a folder of the device profiler; `ttscope perf"));
}

TEST_F(DetectTest, FoldersAreToldToCommandsThatReadLogsAlone) {
  std::filesystem::create_directories(folder_.path("report"));
  folder_.file("report/run_memory.json", "{}");
  const std::string folder = folder_.path("report");
  const std::string told =
      folder + ": this is a folder with the files of a memory report; `ttscope mem " + folder + "` reads it";
  EXPECT_EQ(wrong_kind_among({folder}, {.only_logs = true}), told);
  EXPECT_EQ(wrong_kind_among({folder}, {.only_logs = true, .is_growing = true}), told);
  EXPECT_THAT(wrong_kind_among({folder}, {Subject::kMem}), IsEmpty());
  const std::string log = folder_.file("a.log", kOpLine);
  EXPECT_THAT(wrong_kind_among({log}, {.only_logs = true}), IsEmpty());
  EXPECT_THAT(wrong_kind_among({log}, {.only_logs = true, .is_growing = true}), IsEmpty());
}

TEST_F(DetectTest, OtherFormatsOfASubjectAreToldToCommandsThatTakeOne) {
  const std::string log =
      folder_.file("device.csv", "ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000\nPCIe slot,x\n");
  const auto told = [&](const Wanted& wanted) { return wrong_kind(*detect(log), wanted); };
  EXPECT_EQ(told({Subject::kPerf, "ops_report", "give {} away"}),
            log + ": this is a log of the device profiler; give " + log + " away");
  EXPECT_THAT(told({Subject::kPerf, "device_log", "no"}), IsEmpty());
  EXPECT_THAT(told({Subject::kPerf}), IsEmpty());
  EXPECT_THAT(told({Subject::kGraph, "ops_report", "give {} away"}),
              HasSubstr("`ttscope perf " + log + "` reads it"));
}

TEST_F(DetectTest, LooksBehindTheFirstSignAsFarAsItIsTold) {
  const std::string log = folder_.file("a.log", kOpLine + std::string(6 << 20, '.') + "\n" + kSummary);
  EXPECT_EQ(detect(log, LogSearch::kFirstLine)->format->key, "runtime_log");
  EXPECT_EQ(detect(log)->format->key, "phase_log");
}

TEST(KindWatchTest, TellsAStreamByItsBeginningOrItsLines) {
  const auto seen = [](Subject subject, const std::vector<std::string>& chunks) {
    KindDetector watch(subject);
    for (const std::string& chunk : chunks) watch.see("-", chunk);
    const Format* const format = watch.detected().format;
    return format == nullptr ? std::string("unknown") : std::string(format->key);
  };
  EXPECT_EQ(seen(Subject::kMem, {"OP CODE,OP TYPE,GLOBAL CALL COUNT\n", "Add,x,1\n"}), "ops_report");
  EXPECT_EQ(seen(Subject::kMem, {"[\n", R"({"counter": 0, "node_type": "capture_start"}])"}),
            "graph_capture");
  EXPECT_EQ(seen(Subject::kPhases, {"hello\n", kOpLine}), "runtime_log");
  EXPECT_EQ(seen(Subject::kMem, {std::string(6 << 20, '.'), kSummary}), "phase_log");
  EXPECT_EQ(seen(Subject::kMem, {"hello\n"}), "unknown");
  EXPECT_EQ(seen(Subject::kPhases, {"{\"batch\": 32}\n", kOpLine}), "runtime_log");
  EXPECT_EQ(seen(Subject::kMem, {}), "unknown");
}

TEST(KindWatchTest, LooksAtOneStreamOnly) {
  KindDetector watch(Subject::kMem);
  watch.see("/dev/fd/5", "hello\n");
  watch.see("/dev/fd/6", kSummary);
  EXPECT_EQ(watch.detected().path, "/dev/fd/5");
  EXPECT_EQ(watch.detected().format, nullptr);
}

TEST(FormatsTest, EveryFormatCanBeToldAndHelped) {
  for (const Format& format : formats()) {
    const int ways = (format.is_beginning != nullptr) + (format.is_part != nullptr) +
                     !format.first_bytes.any_of.front().empty();
    EXPECT_EQ(ways, 1) << format.key;
    EXPECT_TRUE(format.subject || !format.advice.empty()) << format.key;
    EXPECT_EQ(find_format(format.key), &format) << format.key;
  }
  EXPECT_EQ(find_format("nonsense"), nullptr);
}

// The line that tells a format also says who reads it, so that no command learns of it separately.
TEST(FormatsTest, EveryLineOfASubjectHasAReader) {
  for (const mem::Format& format : mem::formats()) EXPECT_NE(format.read, nullptr) << format.detector.key;
  for (const phases::Format& format : phases::formats())
    EXPECT_NE(format.read, nullptr) << format.detector.key;
  for (const graph::Format& format : graph::formats()) EXPECT_NE(format.read, nullptr) << format.detector.key;
  for (const timeline::Format& format : timeline::formats())
    EXPECT_NE(format.read, nullptr) << format.detector.key;
  for (const perf::Format& format : perf::formats()) {
    const bool is_folder = format.detector.key == "profiler_folder";
    EXPECT_EQ(format.put == nullptr, is_folder) << format.detector.key;
  }
}

}  // namespace
}  // namespace ttscope::app
