#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/beginning.h"

namespace ttscope::timeline {

/// A capture of the Tracy profiler: .tracy.
bool is_tracy_capture(const io::Beginning& beginning);

/// The blocks of a .tracy file, unpacked one after the other. Three forms of file are known: `tlZ` 4 with LZ4
/// blocks, `tZst` with Zstandard blocks, and `tr` 0xFD `P` with either, dealt out to several streams by
/// turns. Every block has 64 KiB but the last, and the one before it in its stream as its dictionary.
class TracyBlocks {
 public:
  /// The file must outlive it.
  explicit TracyBlocks(std::string_view file);
  ~TracyBlocks();
  TracyBlocks(const TracyBlocks&) = delete;
  TracyBlocks& operator=(const TracyBlocks&) = delete;

  /// Whether the file begins like one.
  bool is_known() const { return known_; }
  /// The bytes of the next block, valid until the next call; empty at the end.
  std::string_view next();
  /// What is wrong with the container, once next() came to its end; empty: nothing.
  const std::string& problem() const { return problem_; }
  /// Looks at the sizes of the blocks that are left, without unpacking them: sets problem() where the file is
  /// cut.
  void check_rest();

 private:
  class Stream;

  /// The packed bytes of the next block; none at the end. Where the file is cut inside of it: what there is.
  bool take_packed(std::string_view& packed);

  std::string_view file_;
  std::size_t at_ = 0;
  bool known_ = false;
  std::size_t turn_ = 0;
  std::string problem_;
  std::vector<std::unique_ptr<Stream>> streams_;
};

}  // namespace ttscope::timeline
