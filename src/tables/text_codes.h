#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "tables/table.h"

namespace ttscope::tables {

/// Makes a TextColumn row by row.
class TextCodes {
 public:
  /// An empty text is none.
  void add(std::string_view text) {
    if (text.empty()) {
      column_.codes.push_back(-1);
      return;
    }
    const auto next = static_cast<std::int32_t>(column_.texts.size());
    const auto [known, is_new] = codes_.try_emplace(std::string(text), next);
    if (is_new) column_.texts.emplace_back(text);
    column_.codes.push_back(known->second);
  }
  TextColumn take() { return std::move(column_); }

 private:
  TextColumn column_;
  std::unordered_map<std::string, std::int32_t> codes_;
};

}  // namespace ttscope::tables
