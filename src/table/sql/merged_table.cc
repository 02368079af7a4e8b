#include "table/sql/merged_table.h"

#include <algorithm>

#include <fmt/format.h>

namespace ttscope::table {
namespace {

constexpr ColumnSpec kProfileColumn = {"profile",   "",           "Name of the profile that the row is from",
                                       Type::kText, Order::kNone, nullptr};

/// Makes `known` fit for the cells of both columns.
void widen(MergedTable::Column& known, const ColumnSpec& other) {
  const auto is_text = [](Type type) { return type == Type::kText; };
  if (is_text(known.spec.type) != is_text(other.type)) known.is_mixed = true;
  if (other.order == Order::kNone) known.spec.order = Order::kNone;
  if (known.spec.type == other.type) return;
  if (known.is_mixed) {
    known.spec.type = Type::kText;
  } else {
    const bool has_real = known.spec.type == Type::kReal || other.type == Type::kReal;
    known.spec.type = has_real ? Type::kReal : Type::kInteger;
  }
}

}  // namespace

MergedTable::MergedTable(const TableSpec& first) : name_(first.name), doc_(first.doc) {
  columns_.push_back({kProfileColumn});
}

Result<std::vector<MergedTable>> MergedTable::merge(const std::vector<NamedTables>& profiles) {
  std::vector<MergedTable> merged;
  for (const NamedTables& profile : profiles) {
    for (const Table& table : profile.set.tables) {
      const std::string_view name = table.spec().name;
      auto found = std::find_if(merged.begin(), merged.end(),
                                [name](const MergedTable& each) { return each.name() == name; });
      if (found == merged.end()) found = merged.insert(merged.end(), MergedTable(table.spec()));
      if (const Result<void> added = found->add(profile.profile, table); !added) {
        return failure(added.error());
      }
    }
  }
  for (MergedTable& table : merged) {
    for (Part& part : table.parts_) part.getters.resize(table.columns_.size());
  }
  return merged;
}

TableSpec MergedTable::spec() const {
  TableSpec spec{name_, doc_, {}};
  for (const Column& column : columns_) spec.columns.push_back(column.spec);
  return spec;
}

Result<void> MergedTable::add(const std::string& profile, const Table& table) {
  Part part{profile, table, rows_, std::vector<Getter>(columns_.size())};
  for (const ColumnSpec& spec : table.spec().columns) {
    const std::size_t column = column_for(spec);
    part.getters.resize(columns_.size());
    if (column == kProfile || part.getters[column] != nullptr) {
      return failure(bad_input(
          fmt::format("table {} declares column {} twice (profile is always there)", name_, spec.name)));
    }
    part.getters[column] = spec.get;
  }
  rows_ += table.rows();
  parts_.push_back(std::move(part));
  return {};
}

std::size_t MergedTable::column_for(const ColumnSpec& spec) {
  const auto found = std::find_if(columns_.begin(), columns_.end(),
                                  [&spec](const Column& each) { return each.spec.name == spec.name; });
  if (found == columns_.end()) {
    columns_.push_back({spec});
    columns_.back().spec.get = nullptr;
    return columns_.size() - 1;
  }
  if (found != columns_.begin()) widen(*found, spec);
  return static_cast<std::size_t>(found - columns_.begin());
}

}  // namespace ttscope::table
