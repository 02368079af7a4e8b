#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ttscope::fit {

enum class Direction : std::uint8_t { kBottomUp, kTopDown };
/// First fit by address is what tt-metal does; best fit takes the smallest hole that is large enough.
enum class Policy : std::uint8_t { kFirstFit, kBestFit };

/// A stretch of a bank.
struct Block {
  std::uint64_t address = 0;
  std::uint64_t size_bytes = 0;
  bool operator==(const Block&) const = default;
};

/// What is free of a bank. Holes lie in short runs that know their largest one, so that a bank in thousands
/// of pieces is searched in steps of runs. Sizes are taken as they are: whoever allocates rounds them. Not
/// thread safe.
class HoleList {
 public:
  explicit HoleList(Block whole);

  /// Bottom up: the start of the lowest hole that is large enough; top down: the end of the highest. Of holes
  /// that fit equally well the lowest (highest) is taken. Nothing when there is none.
  std::optional<std::uint64_t> take(std::uint64_t size_bytes, Direction direction,
                                    Policy policy = Policy::kFirstFit);
  /// Gives back what take() gave, or a part of it; joins it with its neighbours.
  void give(Block block);

  std::uint64_t largest_bytes() const;
  /// Room below the lowest block that is in use; the whole bank when none is.
  std::uint64_t room_at_bottom_bytes() const;
  /// By address; no two of them touch.
  std::vector<Block> holes() const;

 private:
  struct Run {
    std::vector<Block> holes;  ///< never empty
    std::uint64_t largest_bytes = 0;
  };
  struct Place {
    std::size_t run = 0;
    std::size_t hole = 0;
  };
  std::optional<Place> find_first(std::uint64_t size_bytes, Direction direction) const;
  std::optional<Place> find_best(std::uint64_t size_bytes, Direction direction) const;
  /// The first hole behind an address; behind the last run when there is none.
  Place behind(std::uint64_t address) const;
  void insert(Place place, Block hole);
  void erase(Place place);
  void changed(Run& run);

  std::vector<Run> runs_;
  std::uint64_t first_address_ = 0;
};

}  // namespace ttscope::fit
