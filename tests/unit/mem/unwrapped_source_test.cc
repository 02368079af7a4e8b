#include "mem/read/log_reader.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <string>
#include <utility>
#include <vector>

#include "support/log_text.h"

namespace ttscope::mem {
namespace {

using testing::LogText;

/// Gives the texts as chunks.
class TextSource : public io::ChunkSource {
 public:
  explicit TextSource(std::vector<std::string> texts) : texts_(std::move(texts)) {}
  Result<io::Chunk> next() override {
    io::Chunk chunk;
    if (at_ < texts_.size()) chunk.bytes = texts_[at_++];
    return chunk;
  }
  std::uint64_t total_bytes() const override { return 0; }
  std::uint64_t consumed_bytes() const override { return 0; }

 private:
  std::vector<std::string> texts_;
  std::size_t at_ = 0;
};

std::string folded(const std::string& text, std::size_t width) {
  std::string out;
  std::size_t column = 0;
  for (const char c : text) {
    if (c != '\n' && column == width) {
      out += '\n';
      column = 0;
    }
    out += c;
    column = c == '\n' ? 0 : column + 1;
  }
  return out;
}

/// In front of words, as `fold -s` does; mail and editors lose the blank at the end of a line.
std::string folded_at_blanks(const std::string& text, std::size_t width, bool keeps_blank) {
  std::string out;
  std::string_view rest = text;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    while (line.size() > width) {
      const std::size_t blank = line.substr(0, width).rfind(' ');
      const std::size_t end = blank == std::string_view::npos ? width : blank + 1;
      const bool drops = !keeps_blank && blank != std::string_view::npos;
      out.append(line.substr(0, drops ? end - 1 : end)).append("\n");
      line.remove_prefix(end);
    }
    out.append(line).append("\n");
  }
  return out;
}

struct Unwrapped {
  std::string text;
  std::uint32_t first_joined = 0;
};

Unwrapped unwrap(std::vector<std::string> chunks) {
  UnwrappedSource source(std::make_unique<TextSource>(std::move(chunks)));
  Unwrapped result;
  for (auto chunk = source.next(); chunk && !chunk->bytes.empty(); chunk = source.next()) {
    result.text += chunk->bytes;
  }
  result.first_joined = source.first_joined_line();
  return result;
}

std::string without_empty_lines(std::string text) {
  for (std::size_t at = text.find("\n\n"); at != std::string::npos; at = text.find("\n\n")) text.erase(at, 1);
  return text;
}

std::string some_log() {
  LogText log;
  log.start("main");
  for (int i = 0; i < 6; ++i) {
    log.op("%1 = \"ttnn.add\"(%0) : (tensor<1xf32>) -> tensor<1xf32>", "\"add\"(\"inner\")")
        .block("AddOp", 0);
  }
  return log.finish("main").text();
}

TEST(UnwrappedSource, JoinsWhatATerminalBrokeAndKeepsTheNumbersOfLines) {
  const std::string log = some_log();
  for (const std::size_t width : {60u, 80u, 97u, 120u}) {
    const std::string broken = folded(log, width);
    const Unwrapped whole = unwrap({broken});
    EXPECT_EQ(without_empty_lines(whole.text), log) << width;
    EXPECT_EQ(std::count(whole.text.begin(), whole.text.end(), '\n'),
              std::count(broken.begin(), broken.end(), '\n'));
    const std::size_t view = broken.find("Executing operation");
    EXPECT_EQ(
        std::count(broken.begin(), broken.begin() + static_cast<std::ptrdiff_t>(view), '\n'),
        std::count(whole.text.begin(),
                   whole.text.begin() + static_cast<std::ptrdiff_t>(whole.text.find("Executing operation")),
                   '\n'));
  }
}

TEST(UnwrappedSource, LinesGoOnInTheNextChunk) {
  const std::string log = some_log();
  const std::string broken = folded(log, 80);
  for (std::size_t cut = broken.find('\n', broken.size() / 2); cut + 1 < broken.size();
       cut = broken.find('\n', cut + 1)) {
    EXPECT_EQ(without_empty_lines(unwrap({broken.substr(0, cut + 1), broken.substr(cut + 1)}).text), log);
  }
}

TEST(UnwrappedSource, ALocationThatIsLongerThanWhatIsLookedAtIsJoinedToo) {
  LogText log;
  log.start("main");
  const std::string loc = "\"" + std::string(20000, 'a') + "\"(\"inner\")";
  for (int i = 0; i < 6; ++i) {
    log.op("%1 = \"ttnn.add\"(%0) : (tensor<1xf32>) -> tensor<1xf32>", loc).block("AddOp", 0);
  }
  const std::string text = log.finish("main").text();
  EXPECT_EQ(without_empty_lines(unwrap({folded(text, 120)}).text), text);
}

TEST(UnwrappedSource, OtherLogsArePassedOnAsTheyAre) {
  const std::string log = some_log();
  EXPECT_EQ(unwrap({log, "more"}).text, log + "more");
  EXPECT_EQ(unwrap({log}).first_joined, 0u);
  EXPECT_EQ(unwrap({""}).text, "");
  // Cut at a column, not broken: the rest of the lines is nowhere.
  std::string cut;
  for (std::size_t at = 0, end = 0; (end = log.find('\n', at)) != std::string::npos; at = end + 1) {
    cut += log.substr(at, std::min<std::size_t>(end - at, 100)) + "\n";
  }
  EXPECT_EQ(unwrap({cut}).text, cut);
}

TEST(UnwrappedSource, TheWidthIsFound) {
  const std::string log = some_log();
  EXPECT_EQ(find_wrapping(folded(log, 120)).columns, 120u);
  EXPECT_FALSE(find_wrapping(folded(log, 120)).counts_bytes);
  EXPECT_EQ(find_wrapping(log).columns, 0u);
  EXPECT_EQ(find_wrapping("").columns, 0u);
}

TEST(UnwrappedSource, JoinsWhatIsBrokenInFrontOfWords) {
  const std::string log = some_log();
  for (const std::size_t width : {80u, 100u, 120u}) {
    for (const bool keeps_blank : {true, false}) {
      const std::string broken = folded_at_blanks(log, width, keeps_blank);
      EXPECT_TRUE(find_wrapping(broken).at_blanks) << width;
      const Unwrapped whole = unwrap({broken});
      EXPECT_EQ(without_empty_lines(whole.text), log) << width;
      EXPECT_EQ(std::count(whole.text.begin(), whole.text.end(), '\n'),
                std::count(broken.begin(), broken.end(), '\n'));
    }
  }
}

TEST(UnwrappedSource, LinesThatEndInsideOfTheirFirstWordsAreJoined) {
  LogText log({.colors = true});
  log.start("main");
  for (int i = 0; i < 6; ++i)
    log.op("%1 = \"ttnn.add\"(%0) : (tensor<1xf32>) -> tensor<1xf32>", "\"add\"").block("AddOp", 0);
  const std::string text = log.finish("main").text();
  EXPECT_EQ(without_empty_lines(unwrap({folded(text, 80)}).text), text)
      << "80 bytes, of which colours take 25";
}

/// Many logs have modules and no line of the runtime.
std::string some_dump() {
  std::string dump =
      "#dram = #ttnn.buffer_type<dram>\n#ttnn_layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
      "memref<1x40x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>\nmodule {\n"
      "  func.func @main(%arg0: tensor<32x1280xbf16, #ttnn_layout>) -> tensor<32x1280xbf16, #ttnn_layout> "
      "{\n";
  for (int i = 0; i < 8; ++i)
    dump += "    %" + std::to_string(i) +
            " = \"ttnn.add\"(%arg0, %arg0) <{dtype = #ttcore.supportedDataTypes<bf16>}> : "
            "(tensor<32x1280xbf16, #ttnn_layout>, tensor<32x1280xbf16, #ttnn_layout>) -> "
            "tensor<32x1280xbf16, #ttnn_layout> loc(\"add.1\")\n";
  return dump + "    return %7 : tensor<32x1280xbf16, #ttnn_layout>\n  }\n}\n";
}

TEST(UnwrappedSource, ALogOfModulesAloneIsJoined) {
  const std::string dump = some_dump();
  EXPECT_EQ(find_wrapping(dump).columns, 0u);
  for (const std::size_t width : {80u, 120u}) {
    EXPECT_EQ(find_wrapping(folded(dump, width)).columns, width);
    EXPECT_EQ(without_empty_lines(unwrap({folded(dump, width)}).text), dump) << width;
    EXPECT_EQ(without_empty_lines(unwrap({folded_at_blanks(dump, width, true)}).text), dump) << width;
  }
}

}  // namespace
}  // namespace ttscope::mem
