#include "timeline/analyse/told_op.h"

#include <algorithm>

#include "base/number_text.h"

namespace ttscope::timeline {
namespace {

/// What stands before the next comma, which is taken too.
std::string_view next_part(std::string_view& text) {
  const std::size_t comma = std::min(text.find(','), text.size());
  std::string_view part = text.substr(0, comma);
  text.remove_prefix(std::min(comma + 1, text.size()));
  const std::size_t begin = std::min(part.find_first_not_of(' '), part.size());
  part.remove_prefix(begin);
  return part.substr(0, part.find_last_not_of(' ') + 1);
}

}  // namespace

std::optional<MessageOp> told_op(std::string_view message) {
  constexpr std::string_view kMark = "TT_DNN_DEVICE_OP: \"";
  const std::size_t at = message.substr(0, kMark.size() + 1).find(kMark);
  if (at == std::string_view::npos) return std::nullopt;
  message.remove_prefix(at + kMark.size());
  const std::size_t end = std::min(message.find('"'), message.size());
  MessageOp told;
  told.name = message.substr(0, end);
  std::string_view rest = message.substr(end);
  rest = rest.substr(0, rest.find_first_of("\n>`"));
  if (!rest.empty() && rest.back() == '-') rest.remove_suffix(1);
  next_part(rest);  // the quote
  next_part(rest);  // the hash
  told.device = next_part(rest);
  std::string_view last;
  while (!rest.empty()) last = next_part(rest);
  told.op = parse_unsigned(last).value_or(kNoOp);
  return told;
}

std::uint64_t op_of_text(std::string_view text) {
  constexpr std::string_view kMark = "id:";
  return text.starts_with(kMark) ? parse_unsigned(text.substr(kMark.size())).value_or(kNoOp) : kNoOp;
}

bool tells_op(const Timeline& timeline, const Track& track, std::uint32_t location) {
  const std::string_view risc = timeline.text(track.name);
  return track.kind == TrackKind::kLane && (risc == "BRISC" || risc == "ERISC") &&
         timeline.name_of_location(location).ends_with("-FW");
}

}  // namespace ttscope::timeline
