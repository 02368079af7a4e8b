#include "log_writer.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "truth.h"

namespace ttscope::gen_log {

namespace {

constexpr std::string_view kDate = "2026-07-14";
constexpr std::int64_t kStartOfDayMs = 33151000;  // 09:12:31

/// Bytes as MiB with three decimals, rounded half to even: what printf makes of bytes / 1048576.
void append_mebibytes(std::string& out, std::int64_t bytes) {
  const std::int64_t scaled = bytes * 1000;
  constexpr std::int64_t kUnit = std::int64_t{1} << 20;
  std::int64_t thousandths = scaled / kUnit;
  const std::int64_t rest = scaled % kUnit;
  if (rest > kUnit / 2 || (rest == kUnit / 2 && thousandths % 2 == 1)) ++thousandths;
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof(digits), thousandths / 1000).ptr;
  out.append(digits, end);
  const auto fraction = static_cast<int>(thousandths % 1000);
  const char decimals[4] = {'.', static_cast<char>('0' + fraction / 100),
                            static_cast<char>('0' + fraction / 10 % 10),
                            static_cast<char>('0' + fraction % 10)};
  out.append(decimals, sizeof(decimals));
}

std::string padded(std::string_view text, std::size_t width) {
  std::string out(width > text.size() ? width - text.size() : 0, ' ');
  out += text;
  return out;
}

std::string lead_text(std::string_view type, std::string_view level, bool ansi) {
  const std::string wide_type = padded(type, 23);
  const std::string wide_level = padded(level, 8);
  if (!ansi) return wide_type + " | " + wide_level + " | ";
  const std::string color = level == "INFO" ? "\x1b[38;5;69m" : "\x1b[38;5;240m";
  return "\x1b[32m" + wide_type + "\x1b[0m | \x1b[1m" + color + wide_level + "\x1b[0m | ";
}

/// `Device DRAM memory state: MemoryView{numBanks: 12, totalBytesPerBank: 1021.169 MB,
/// totalBytesAllocatedPerBank: `
std::string view_head(std::string_view memory, std::int64_t banks, std::int64_t total_bytes) {
  std::string text = "Device " + std::string(memory) +
                     " memory state: MemoryView{numBanks: " + std::to_string(banks) + ", totalBytesPerBank: ";
  append_mebibytes(text, total_bytes);
  return text + " MB, totalBytesAllocatedPerBank: ";
}

void append_view_tail(std::string& out, const MemoryState& state) {
  append_mebibytes(out, state.allocated_bytes);
  out += " MB, totalBytesFreePerBank: ";
  append_mebibytes(out, state.free_bytes);
  out += " MB, largestContiguousBytesFreePerBank: ";
  append_mebibytes(out, state.largest_free_bytes);
  out += " MB}";
}

}  // namespace

void LogOutput::write(std::string_view text, std::int64_t lines) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) failed_ = true;
  bytes_ += static_cast<std::int64_t>(text.size());
  lines_ += lines;
}

RankLog::RankLog(LineStyle style, const Device& device, std::int64_t dram_bytes_per_bank)
    : tag_(std::move(style.rank_tag)),
      end_of_line_(style.crlf ? "\r\n" : "\n"),
      thread_(std::move(style.thread)) {
  leads_ = {tag_ + lead_text("RuntimeTTNN", "DEBUG", style.ansi),
            tag_ + lead_text("Always", "DEBUG", style.ansi), tag_ + lead_text("Always", "INFO", style.ansi)};
  const std::string& lead = leads_[static_cast<std::size_t>(Source::kAlwaysInfo)];
  dram_head_ = lead + view_head("DRAM", device.dram_banks, dram_bytes_per_bank);
  l1_head_ = lead + view_head("L1", device.l1_banks, device.l1_bytes_per_bank);
  l1_small_line_ = lead + view_head("L1_SMALL", device.l1_banks, kL1SmallBytesPerBank);
  append_view_tail(l1_small_line_, {0, kL1SmallBytesPerBank, kL1SmallBytesPerBank});
  trace_line_ = lead + view_head("TRACE", device.dram_banks, 0);
  append_view_tail(trace_line_, {});
}

void RankLog::begin_line(Source source) { text_ += leads_[static_cast<std::size_t>(source)]; }

void RankLog::end_line() {
  text_ += end_of_line_;
  lines_.push_back({text_.size(), -1});
}

void RankLog::line(Source source, std::string_view message) {
  begin_line(source);
  text_ += message;
  end_line();
}

void RankLog::plain(std::string_view text) {
  text_ += tag_;
  text_ += text;
  end_line();
}

void RankLog::plain_lines(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    plain(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string RankLog::time_of_day() const {
  const std::int64_t ms = (kStartOfDayMs + clock_us_ / 1000) % (24LL * 60 * 60 * 1000);
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), "%02d:%02d:%02d.%03d", static_cast<int>(ms / 3600000),
                static_cast<int>(ms / 60000 % 60), static_cast<int>(ms / 1000 % 60),
                static_cast<int>(ms % 1000));
  return text.data();
}

void RankLog::loguru(std::string_view place, std::string_view level, std::string_view message) {
  const std::size_t colon = place.find(':');
  const std::string_view line_number = place.substr(colon + 1);
  std::array<char, 64> uptime{};
  std::snprintf(uptime.data(), uptime.size(), " (%8.3fs) [", static_cast<double>(clock_us_) / 1e6);
  text_ += tag_;
  text_ += kDate;
  text_ += ' ';
  text_ +=
      time_of_day() + uptime.data() + padded(thread_, 16) + "]" + padded(place.substr(0, colon), 23) + ":";
  text_ += line_number;
  text_.append(line_number.size() < 5 ? 5 - line_number.size() : 0, ' ');
  text_ += " " + padded(level, 4) + "| ";
  text_ += message;
  end_line();
}

void RankLog::metal(std::string_view level, std::string_view message) {
  plain(std::string(kDate) + " " + time_of_day() + " | " + std::string(level) + " |          Always | " +
        std::string(message));
}

void RankLog::python(std::string_view level, std::string_view message) {
  std::string wide(level);
  wide.resize(8, ' ');
  plain(std::string(kDate) + " " + time_of_day() + " | " + wide + " | " + std::string(message));
}

void RankLog::memory_line(std::string_view head, const MemoryState& state) {
  text_ += head;
  append_view_tail(text_, state);
  end_line();
}

void RankLog::memory_block(std::string_view moment, const MemoryState& dram, const MemoryState& l1) {
  begin_line(Source::kAlwaysInfo);
  text_ += "Device memory state ";
  text_ += moment;
  end_line();
  memory_line(dram_head_, dram);
  memory_line(l1_head_, l1);
  text_ += l1_small_line_;
  end_line();
  text_ += trace_line_;
  end_line();
}

std::size_t RankLog::take(std::size_t count, LogOutput& output, Truth* truth) {
  const std::size_t last = std::min(next_ + count, lines_.size());
  if (last == next_) return 0;
  const std::size_t begin = next_ == 0 ? 0 : lines_[next_ - 1].end;
  if (truth != nullptr) {
    for (std::size_t i = next_; i < last; ++i) {
      const std::int64_t wanted = lines_[i].wanted_by;
      const std::int64_t number = output.lines() + static_cast<std::int64_t>(i - next_) + 1;
      if (wanted >= 0) truth->set_line(wanted, number);
    }
  }
  const std::size_t taken = last - next_;
  output.write(std::string_view(text_).substr(begin, lines_[last - 1].end - begin),
               static_cast<std::int64_t>(taken));
  next_ = last;
  if (empty()) discard();
  return taken;
}

void RankLog::discard() {
  text_.clear();
  lines_.clear();
  next_ = 0;
}

}  // namespace ttscope::gen_log
