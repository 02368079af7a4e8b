#include "mem/read/log_reader.h"

#include <gtest/gtest.h>

namespace ttscope::mem {
namespace {

TEST(RewrittenChunk, KeepsItsTextAndTellsThatALineWasCut) {
  io::Chunk chunk;
  chunk.bytes = "{\"log\":\"a\"}\n";
  chunk.stable = true;
  chunk.cut_line = true;
  io::Chunk lines = rewritten(chunk, std::string(100, 'a') + "\n");
  const io::Chunk copy = lines;
  lines = {};
  EXPECT_EQ(copy.bytes, std::string(100, 'a') + "\n");
  EXPECT_TRUE(copy.cut_line);
  EXPECT_FALSE(copy.stable) << "the text lives as long as the chunk, not as long as the file";
}

}  // namespace
}  // namespace ttscope::mem
