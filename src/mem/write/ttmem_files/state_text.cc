#include "mem/write/ttmem_files/state_text.h"

#include "mem/write/ttmem_files/files.h"

namespace ttscope::mem {
namespace {

constexpr std::string_view kMemoryIndent = "\n        ";
constexpr std::string_view kFigureIndent = "\n          ";

void append_key(std::string& to, std::string_view name) {
  to.append(kFigureIndent).append("\"").append(name).append("\": ");
}

void append_figure(std::string& to, std::string_view name, MilliMib value) {
  append_key(to, name);
  if (value == kNone) {
    to += "null";
  } else {
    report::append_thousandths(to, value);
  }
}

std::uint64_t mixed(std::uint64_t a, std::uint64_t b, std::uint64_t c) { return (a * 31 + b) * 1000003 + c; }

}  // namespace

StateText::StateText() : quoter_(kTtmemStyle) { use_geometry(geometry_); }

void StateText::use_geometry(const Geometry& geometry) {
  geometry_ = geometry;
  for (std::size_t m = 0; m < kMemoryCount; ++m) {
    std::string& start = starts_[m];
    start.assign("\"").append(name_of(kMemories[m])).append("\": {");
    append_key(start, "numBanks");
    report::append_integer(start, geometry.banks[m]);
    start += ',';
    append_figure(start, "totalBytesPerBank_MB", geometry.total[m]);
    start += ',';
  }
}

std::string_view StateText::figures(const BankFigures& figures) {
  return figure_texts_.get(figures, mixed(figures.allocated, figures.free, figures.largest_free),
                           [&](std::string& to) {
                             append_figure(to, "totalBytesAllocatedPerBank_MB", figures.allocated);
                             to += ',';
                             append_figure(to, "totalBytesFreePerBank_MB", figures.free);
                             to += ',';
                             append_figure(to, "largestContiguousBytesFreePerBank_MB", figures.largest_free);
                             to.append(kMemoryIndent).append("}");
                           });
}

void StateText::write_state(Writer& out, const BankState& state) {
  if (!(state.geometry == geometry_)) use_geometry(state.geometry);
  std::string_view separator = "{";
  for (std::size_t m = 0; m < kMemoryCount; ++m) {
    if (state.geometry.banks[m] == 0) continue;
    out.write(separator);
    out.write(kMemoryIndent);
    out.write(starts_[m]);
    out.write(figures(state.memories[m]));
    separator = ",";
  }
  out.write(separator == "{" ? "{}" : "\n      }");
}

void StateText::write_figures(Writer& out, const BankState& state) {
  std::string_view separator = "{";
  for (std::size_t m = 0; m < kMemoryCount; ++m) {
    if (state.geometry.banks[m] == 0) continue;
    out.write(separator);
    out.write(kMemoryIndent);
    out.write('"');
    out.write(name_of(kMemories[m]));
    out.write("\": {");
    out.write(figures(state.memories[m]));
    separator = ",";
  }
  out.write(separator == "{" ? "{}" : "\n      }");
}

void StateText::append_totals(std::string& to, const TotalsKey& key) {
  const double unpadded = static_cast<double>(key.logical_bytes) / kBytesPerMib;
  const double padded = static_cast<double>(key.padded_bytes) / kBytesPerMib;
  append_key(to, "unpadded_bytes");
  report::append_integer(to, key.logical_bytes);
  to += ',';
  append_key(to, "padded_bytes");
  report::append_integer(to, key.padded_bytes);
  to += ',';
  append_key(to, "num_tensors");
  report::append_integer(to, key.tensors);
  to += ',';
  append_key(to, "unpadded_MB");
  to.append(quoter_.number(unpadded)).append(",");
  append_key(to, "padded_MB");
  to.append(quoter_.number(padded)).append(",");
  append_key(to, "overhead_MB");
  to.append(quoter_.number(padded - unpadded)).append(",");
  append_key(to, "overhead_pct");
  to += key.logical_bytes == 0 ? "0" : quoter_.number((padded - unpadded) / unpadded * 100);
  to.append(kMemoryIndent).append("}");
}

std::string_view StateText::totals(const LiveTotals& totals) {
  const TotalsKey key{totals.logical_bytes, totals.padded_bytes, totals.tensors};
  const std::uint64_t hash = mixed(static_cast<std::uint64_t>(key.logical_bytes),
                                   static_cast<std::uint64_t>(key.padded_bytes), key.tensors);
  return total_texts_.get(key, hash, [&](std::string& to) { append_totals(to, key); });
}

void StateText::write_totals(Writer& out, const std::array<LiveTotals, kTensorMemoryCount>& live) {
  std::string_view separator = "{";
  for (const Memory memory : kTensorMemories) {
    out.write(separator);
    out.write(kMemoryIndent);
    out.write('"');
    out.write(name_of(memory));
    out.write("\": {");
    out.write(totals(live[index_of(memory)]));
    separator = ",";
  }
  out.write("\n      }");
}

}  // namespace ttscope::mem
