// Files that people give although no command reads them.
#include "app/formats.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace ttscope::app {
namespace {

using namespace std::string_literals;

io::Beginning beginning_of(std::string bytes) {
  io::Beginning beginning;
  beginning.path = "file";
  beginning.bytes = std::move(bytes);
  beginning.is_whole = true;
  return beginning;
}

TEST(OtherFormats, OnlyAWholeReadableFileIsEmpty) {
  EXPECT_TRUE(is_empty_file(beginning_of("")));
  EXPECT_FALSE(is_empty_file(beginning_of("\n")));
  io::Beginning seen = beginning_of("");
  seen.is_whole = false;
  EXPECT_FALSE(is_empty_file(seen));
  seen = beginning_of("");
  seen.warning = "cut off inside of a block";
  EXPECT_FALSE(is_empty_file(seen)) << "a packed file of which nothing could be unpacked is damaged";
  for (const io::PathKind kind : {io::PathKind::kFolder, io::PathKind::kStream}) {
    seen = beginning_of("");
    seen.path_kind = kind;
    EXPECT_FALSE(is_empty_file(seen));
  }
}

TEST(OtherFormats, SpreadsheetsAreZipArchivesWithTheirParts) {
  const std::string zip = "PK\x03\x04";
  EXPECT_TRUE(is_spreadsheet(beginning_of(zip + "xl/workbook.xml")));
  EXPECT_TRUE(is_spreadsheet(beginning_of(zip + "[Content_Types].xml")));
  EXPECT_FALSE(is_spreadsheet(beginning_of(zip + "run.log")));
  EXPECT_FALSE(is_spreadsheet(beginning_of("xl/workbook.xml")));
  EXPECT_TRUE(is_zip(beginning_of(zip + "run.log")));
  EXPECT_FALSE(is_zip(beginning_of("PK of something")));
}

TEST(OtherFormats, ArchivesAreToldByAllOfTheirMark) {
  for (const std::string& mark :
       {"\x04\x22\x4D\x18"s, "7z\xBC\xAF\x27\x1C"s, "Rar!\x1A\x07"s, "LZIP\x01"s, "\x1F\x9D"s}) {
    EXPECT_TRUE(is_other_archive(beginning_of(mark + "x"))) << mark;
    EXPECT_FALSE(is_other_archive(beginning_of(mark.substr(0, mark.size() - 1)))) << mark;
    EXPECT_FALSE(is_other_archive(beginning_of("x" + mark))) << mark;
  }
}

TEST(OtherFormats, ATarArchiveIsToldByItsMagicAndNotByTheLogInIt) {
  const std::string name = "run.log" + std::string(250, '\0');
  EXPECT_TRUE(is_tar(beginning_of(name + "ustar\0"s + "00")));
  EXPECT_TRUE(is_tar(beginning_of(name + "ustar  ")));
  EXPECT_FALSE(is_tar(beginning_of(name)));
  EXPECT_FALSE(is_tar(beginning_of("x" + name + "ustar")));
}

TEST(OtherFormats, OurOwnTracesAndRowsWereNotKnown) {
  const std::string perfetto = "\x0A\x04\x50\x01\x68\x01\x0A\x12";
  EXPECT_TRUE(is_own_perfetto_trace(beginning_of(perfetto)));
  EXPECT_FALSE(is_own_perfetto_trace(beginning_of("x" + perfetto)));
  EXPECT_TRUE(is_chrome_trace(beginning_of("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n]}")));
  EXPECT_FALSE(is_chrome_trace(beginning_of("{\"traceEvents\":1}")));
  EXPECT_FALSE(is_chrome_trace(beginning_of("a \"traceEvents\":[")));
  EXPECT_TRUE(is_json_rows(beginning_of("[\n{\"a\":1}\n]\n")));
  EXPECT_TRUE(is_json_rows(beginning_of("[\n{\"a\":\"{}\"},\n{\"a\":2}\n]\n")));
  EXPECT_FALSE(is_json_rows(beginning_of("[{\"a\":1}]"))) << "not of our making";
  EXPECT_FALSE(is_json_rows(beginning_of("[\n{\n  \"a\":1}\n]\n")));
  EXPECT_FALSE(is_json_rows(beginning_of("[\n{\"a\":\n1}\n]\n")));
}

TEST(OtherFormats, APageIsOursWhereItSaysSo) {
  for (const char* start : {"<!doctype html>\n", "<!DOCTYPE HTML>", "\n  <html lang=\"en\">"}) {
    EXPECT_TRUE(is_other_page(beginning_of(start))) << start;
    EXPECT_FALSE(is_own_page(beginning_of(start))) << start;
    EXPECT_TRUE(is_own_page(beginning_of(start + "<title>ttscope</title>"s))) << start;
  }
  EXPECT_FALSE(is_own_page(beginning_of("a log of ttscope with <html> in it")));
}

TEST(OtherFormats, ADocumentIsOursByTheSchemaAtItsHead) {
  EXPECT_TRUE(is_own_document(beginning_of(R"({"schema": "ttscope.mem/1"})")));
  EXPECT_FALSE(is_own_document(beginning_of(R"({"schema": "other/1"})")));
  EXPECT_FALSE(is_own_document(beginning_of(R"({"made_by": "ttscope.mem/1"})")));
  EXPECT_FALSE(is_own_document(beginning_of(R"(schema: "ttscope.mem/1")")));
  const std::string far(300, ' ');
  EXPECT_FALSE(is_own_document(beginning_of("{\"a\": \"" + far + R"(", "schema": "ttscope.mem/1"})")));
}

TEST(OtherFormats, TextsWithZeroBytesAreNoTexts) {
  const std::string module = "module @main {\n}\n";
  EXPECT_TRUE(is_mlir_module(beginning_of(module)));
  EXPECT_FALSE(is_mlir_module(beginning_of(module + "\0"s)));
  EXPECT_TRUE(is_other_json(beginning_of("{\"a\": 1}")));
  EXPECT_FALSE(is_other_json(beginning_of("{\"a\": 1}\0"s)));
  const std::string config = "training_config:\n  batch_size: 64\n";
  EXPECT_TRUE(is_training_config(beginning_of(config)));
  EXPECT_FALSE(is_training_config(beginning_of(config + "\0"s)));
}

TEST(OtherFormats, ModulesAreToldByTheirFirstLineAlone) {
  for (const char* start : {"module {", "builtin.module {", "#loc = loc(unknown)", "// RUN: ttmlir-opt %s",
                            "#ttnn_layout = 1", "\n#dram = 1"}) {
    EXPECT_TRUE(is_mlir_module(beginning_of(start))) << start;
  }
  EXPECT_FALSE(is_mlir_module(beginning_of("modules are compiled\nmodule {")));
}

TEST(OtherFormats, TablesOfTracyProgramsAndPictures) {
  EXPECT_TRUE(is_tracy_table(beginning_of("name,src_file,src_line\n")));
  EXPECT_FALSE(is_tracy_table(beginning_of("name,file\n")));
  EXPECT_TRUE(
      is_elf(beginning_of("\x7F"
                          "ELF\x02")));
  EXPECT_FALSE(is_elf(beginning_of("ELF")));
  for (const char* start : {"\x89PNG", "\xFF\xD8\xFF", "%PDF-1.7", "  <svg xmlns"}) {
    EXPECT_TRUE(is_picture(beginning_of(start))) << start;
  }
  EXPECT_TRUE(is_other_database(beginning_of("SQLite format 3\0"s)));
  EXPECT_FALSE(is_other_database(beginning_of("SQLite")));
}

}  // namespace
}  // namespace ttscope::app
