#include "graph/read/graph_trace/block_ahead.h"

#include <algorithm>
#include <new>
#include <system_error>

#include "base/text_search.h"

namespace ttscope::graph {
namespace {

std::size_t before_blanks(std::string_view text, std::size_t end) {
  while (end > 0 && is_blank_or_break(text[end - 1])) --end;
  return end;
}
std::size_t behind_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank_or_break(text[at])) ++at;
  return at;
}

/// Behind the last node that seems to end in the window; `begin` if none does. A brace with a quote behind it
/// opens an object, for inside of a text the quote would be escaped; whether it is a node, the parser will
/// tell.
std::size_t guess_cut(std::string_view text, std::size_t begin, std::size_t window_bytes) {
  std::size_t brace = std::min(text.size(), begin + window_bytes);
  while (brace > begin) {
    brace = text.rfind('{', brace - 1);
    if (brace == std::string_view::npos || brace <= begin) return begin;
    const std::size_t quote = behind_blanks(text, brace + 1);
    if (quote == text.size() || text[quote] != '"') continue;
    const std::size_t comma = before_blanks(text, brace);
    if (comma <= begin || text[comma - 1] != ',') continue;
    const std::size_t end = before_blanks(text, comma - 1);
    if (end > begin && text[end - 1] == '}') return end;
  }
  return begin;
}

}  // namespace

void index_block(std::string_view input, std::size_t begin, std::size_t end, NodeBlock& block) {
  block.begin = begin;
  block.end = end;
  block.text.clear();
  block.text.reserve(end - begin + 2 + simdjson::SIMDJSON_PADDING);
  block.text += '[';
  block.text += input.substr(begin, end - begin);
  block.text += ']';
  block.indexed =
      !block.parser.iterate(block.text.data(), block.text.size(), block.text.capacity()).get(block.document);
}

BlockAhead::~BlockAhead() {
  const std::lock_guard lock(mutex_);
  state_ = State::kStopped;
  changed_.notify_all();
}

void BlockAhead::prepare(const Wish& wish, NodeBlock& block) const {
  const std::size_t cut = guess_cut(input_, wish.begin, wish.window_bytes);
  if (cut == wish.begin) {
    block.begin = block.end = cut;
    block.indexed = false;
    return;
  }
  index_block(input_, wish.begin, cut, block);
}

void BlockAhead::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return state_ == State::kWanted || state_ == State::kStopped; });
    if (state_ == State::kStopped) return;
    NodeBlock& block = blocks_[1 - current_];
    const Wish wish = wish_;
    lock.unlock();
    bool is_ready = true;
    try {
      prepare(wish, block);
    } catch (const std::bad_alloc&) {
      is_ready = false;  // the reader tries again, and says what is wrong
    }
    lock.lock();
    if (state_ == State::kStopped) return;
    state_ = is_ready ? State::kReady : State::kIdle;
    changed_.notify_all();
  }
}

/// What comes next if the block turns out to be cut where nodes end.
void BlockAhead::foresee(const NodeBlock& current, std::size_t window_bytes) {
  if (current.end == current.begin || window_bytes < kWindowBytes || std::thread::hardware_concurrency() < 2)
    return;
  if (!thread_.joinable()) {
    try {
      thread_ = std::jthread([this] { work(); });
    } catch (const std::system_error&) {
      return;  // no thread can be started: each block is prepared when it is taken
    }
  }
  const std::size_t comma = behind_blanks(input_, current.end);
  if (comma == input_.size() || input_[comma] != ',') return;
  wish_ = {behind_blanks(input_, comma + 1), std::min(window_bytes * 2, kWindowBytes)};
  state_ = State::kWanted;
  changed_.notify_all();
}

NodeBlock& BlockAhead::take(std::size_t begin, std::size_t window_bytes) {
  std::unique_lock lock(mutex_);
  const Wish wish{begin, window_bytes};
  changed_.wait(lock, [&] { return state_ != State::kWanted; });
  const bool was_foreseen = state_ == State::kReady && wish_ == wish;
  state_ = State::kIdle;
  if (was_foreseen) {
    current_ = 1 - current_;
  } else {
    prepare(wish, blocks_[current_]);
  }
  foresee(blocks_[current_], window_bytes);
  return blocks_[current_];
}

}  // namespace ttscope::graph
