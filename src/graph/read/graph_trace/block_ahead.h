#pragma once

// Blocks of nodes with simdjson; for the .cc files of this folder only.

#include <simdjson.h>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace ttscope::graph {

/// How much is read at once: the first block is small, for lists may be short; two of the largest with their
/// indexes stay in the cache.
inline constexpr std::size_t kFirstWindowBytes = std::size_t{1} << 16;
inline constexpr std::size_t kWindowBytes = std::size_t{1} << 19;

/// Some nodes of a list: the text between two borders, copied with brackets around it and indexed by the
/// parser.
struct NodeBlock {
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  std::string text;
  std::size_t begin = 0;  ///< in the input
  std::size_t end = 0;    ///< `begin`: no border was found
  bool indexed = false;   ///< false: the text is not what the parser takes
};

/// Copies and indexes [begin, end) of the input.
void index_block(std::string_view input, std::size_t begin, std::size_t end, NodeBlock& block);

/// Hands out the blocks of a list one after the other. In long inputs the next one is cut and indexed by a
/// thread of its own while the current one is read: both take about as long.
class BlockAhead {
 public:
  explicit BlockAhead(std::string_view input) : input_(input) {}
  ~BlockAhead();
  BlockAhead(const BlockAhead&) = delete;
  BlockAhead& operator=(const BlockAhead&) = delete;

  /// The block that begins here; valid until the next call.
  NodeBlock& take(std::size_t begin, std::size_t window_bytes);

 private:
  struct Wish {
    std::size_t begin = 0;
    std::size_t window_bytes = 0;
    bool operator==(const Wish&) const = default;
  };
  enum class State { kIdle, kWanted, kReady, kStopped };

  void work();
  void prepare(const Wish& wish, NodeBlock& block) const;
  void foresee(const NodeBlock& current, std::size_t window_bytes);

  std::string_view input_;
  std::array<NodeBlock, 2> blocks_;
  std::size_t current_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::kIdle;  ///< of blocks_[1 - current_]
  Wish wish_;
  std::jthread thread_;  ///< last, so that it ends before what it uses
};

}  // namespace ttscope::graph
