// Files that people give although no command reads them.
#include "app/formats.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace ttscope::app {
namespace {

using namespace std::string_literals;

std::string key_of(const io::Beginning& beginning) {
  const Format* const format = format_of(beginning);
  return format == nullptr ? "unknown" : std::string(format->key);
}

io::Beginning beginning_of(std::string bytes) {
  io::Beginning beginning;
  beginning.path = "file";
  beginning.bytes = std::move(bytes);
  beginning.is_whole = true;
  return beginning;
}

/// What a file with these bytes is.
std::string kind_of(std::string bytes) { return key_of(beginning_of(std::move(bytes))); }

TEST(OtherFormats, OnlyAWholeReadableFileIsEmpty) {
  EXPECT_EQ(kind_of(""), "empty");
  EXPECT_NE(kind_of("\n"), "empty");
  io::Beginning seen = beginning_of("");
  seen.is_whole = false;
  EXPECT_NE(key_of(seen), "empty");
  seen = beginning_of("");
  seen.warning = "cut off inside of a block";
  EXPECT_NE(key_of(seen), "empty") << "a packed file of which nothing could be unpacked is damaged";
  for (const io::PathKind kind : {io::PathKind::kFolder, io::PathKind::kStream}) {
    seen = beginning_of("");
    seen.path_kind = kind;
    EXPECT_NE(key_of(seen), "empty");
  }
}

TEST(OtherFormats, SpreadsheetsAreZipArchivesWithTheirParts) {
  const std::string zip = "PK\x03\x04";
  EXPECT_EQ(kind_of(zip + "[Content_Types].xml xl/workbook.xml"), "spreadsheet");
  EXPECT_EQ(kind_of(zip + "run.log"), "zip");
  EXPECT_EQ(kind_of("xl/workbook.xml"), "unknown");
  EXPECT_EQ(kind_of("PK of something"), "unknown");
}

TEST(OtherFormats, ArchivesAreToldByAllOfTheirMark) {
  for (const std::string& mark :
       {"\x04\x22\x4D\x18"s, "7z\xBC\xAF\x27\x1C"s, "Rar!\x1A\x07"s, "LZIP\x01"s, "\x1F\x9D"s}) {
    EXPECT_EQ(kind_of(mark + "x"), "archive") << mark;
    EXPECT_EQ(kind_of(mark.substr(0, mark.size() - 1)), "unknown") << mark;
    EXPECT_EQ(kind_of("x" + mark), "unknown") << mark;
  }
}

TEST(OtherFormats, ATarArchiveIsToldByItsMagicAndNotByTheLogInIt) {
  const std::string name = "run.log" + std::string(250, '\0');
  EXPECT_EQ(kind_of(name + "ustar\0"s + "00"), "tar");
  EXPECT_EQ(kind_of(name + "ustar  "), "tar");
  EXPECT_EQ(kind_of(name), "unknown");
  EXPECT_EQ(kind_of("x" + name + "ustar"), "unknown");
}

TEST(OtherFormats, OurOwnTracesAndRowsWereNotKnown) {
  const std::string perfetto = "\x0A\x04\x50\x01\x68\x01\x0A\x12";
  EXPECT_EQ(kind_of(perfetto), "perfetto");
  EXPECT_EQ(kind_of("x" + perfetto), "unknown");
  EXPECT_EQ(kind_of("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n]}"), "chrome_trace");
  EXPECT_EQ(kind_of("a \"traceEvents\":["), "unknown");
  EXPECT_EQ(kind_of("[\n{\"a\":1}\n]\n"), "json_rows");
  EXPECT_EQ(kind_of("[\n{\"a\":\"{}\"},\n{\"a\":2}\n]\n"), "json_rows");
  EXPECT_EQ(kind_of("[{\"a\":1}]"), "json") << "not of our making";
  EXPECT_EQ(kind_of("[\n{\n  \"a\":1}\n]\n"), "json");
}

TEST(OtherFormats, APageIsOursWhereItSaysSo) {
  for (const char* start : {"<!doctype html>\n", "<!DOCTYPE HTML>", "\n  <html lang=\"en\">"}) {
    EXPECT_EQ(kind_of(start), "page") << start;
    EXPECT_EQ(kind_of(start + "<title>ttscope</title>"s), "own_page") << start;
  }
  EXPECT_EQ(kind_of("a log of ttscope with <html> in it"), "unknown");
}

TEST(OtherFormats, ADocumentIsOursByTheSchemaAtItsHead) {
  EXPECT_EQ(kind_of(R"({"schema": "ttscope.mem/1"})"), "own_document");
  EXPECT_EQ(kind_of(R"({"schema": "other/1"})"), "json");
  EXPECT_EQ(kind_of(R"({"made_by": "ttscope.mem/1"})"), "json");
  EXPECT_EQ(kind_of(R"(schema: "ttscope.mem/1")"), "unknown");
  const std::string far(300, ' ');
  EXPECT_EQ(kind_of("{\"a\": \"" + far + R"(", "schema": "ttscope.mem/1"})"), "json");
}

TEST(OtherFormats, TextsWithZeroBytesAreNoTexts) {
  EXPECT_EQ(kind_of("{\"a\": 1}"), "json");
  EXPECT_EQ(kind_of("{\"a\": 1}\0"s), "unknown");
  const std::string config = "training_config:\n  batch_size: 64\n";
  EXPECT_EQ(kind_of(config), "training_config");
  EXPECT_EQ(kind_of(config + "\0"s), "unknown");
}

TEST(OtherFormats, ModulesAreToldByTheirFirstLineAlone) {
  for (const char* start : {"module {", "builtin.module {", "#loc = loc(unknown)", "// RUN: ttmlir-opt %s",
                            "#ttnn_layout = 1", "\n#dram = 1"}) {
    EXPECT_EQ(kind_of(start), "mlir") << start;
  }
  EXPECT_EQ(kind_of("modules are compiled\nmodule {"), "unknown");
}

TEST(OtherFormats, TablesOfTracyProgramsAndPictures) {
  EXPECT_EQ(kind_of("name,src_file,src_line\n"), "tracy_table");
  EXPECT_EQ(kind_of("name,file\n"), "unknown");
  EXPECT_EQ(kind_of("\x7F"
                    "ELF\x02"),
            "elf");
  EXPECT_EQ(kind_of("ELF"), "unknown");
  for (const char* start : {"\x89PNG", "\xFF\xD8\xFF", "%PDF-1.7", "  <svg xmlns"}) {
    EXPECT_EQ(kind_of(start), "picture") << start;
  }
  EXPECT_EQ(kind_of("SQLite format 3\0"s), "database");
  EXPECT_EQ(kind_of("SQLite"), "unknown");
}

}  // namespace
}  // namespace ttscope::app
