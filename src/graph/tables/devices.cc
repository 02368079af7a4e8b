// Two tables of declared.h: what devices carry, and what report files say of them.
#include "graph/tables/declared.h"

namespace ttscope::graph {
namespace {

template <std::int64_t GraphDeviceUse::*kField>
table::ColumnOf<SegmentRows> of_use(std::string_view name, std::string_view unit, std::string_view doc) {
  return table::column<SegmentRows>(name, unit, doc, [](const SegmentRows& rows, std::size_t row) {
    const ListRows::Place place = rows.place(row);
    return recorded(rows.profile->segments[place.list].profile.devices[place.index].*kField);
  });
}

template <std::int64_t GraphDevice::*kField>
table::ColumnOf<DescribedDevices> described(std::string_view name, std::string_view unit,
                                            std::string_view doc) {
  return table::column<DescribedDevices>(name, unit, doc, [](const DescribedDevices& all, std::size_t row) {
    return recorded(all.devices[row].second->*kField);
  });
}

}  // namespace

const table::TableOf<SegmentRows>& devices_spec() {
  static const table::TableOf<SegmentRows> kSpec = table::table_of<SegmentRows>(
      "devices", "What a device id carries in a segment; buffers name the mesh, circular buffers the chip",
      {
          segment_column<SegmentRows>(),
          of_use<&GraphDeviceUse::device_id>("device_id", "", "Id as recorded"),
          of_use<&GraphDeviceUse::dram_peak_bytes>("dram_peak_bytes", "bytes",
                                                   "Most DRAM in use above the start; measured"),
          of_use<&GraphDeviceUse::dram_allocated_bytes>("dram_allocations_bytes", "bytes",
                                                        "All DRAM that is allocated; measured"),
          of_use<&GraphDeviceUse::dram_freed_bytes>("dram_deallocations_bytes", "bytes",
                                                    "All DRAM that is freed; measured"),
          of_use<&GraphDeviceUse::l1_peak_per_core_bytes>("l1_peak_bytes_per_core", "bytes per core",
                                                          "Most L1 in buffers; measured or derived"),
          of_use<&GraphDeviceUse::cb_peak_per_core_bytes>("cb_peak_bytes_per_core", "bytes per core",
                                                          "Most L1 in circular buffers; measured"),
      });
  return kSpec;
}

const table::TableOf<DescribedDevices>& described_devices_spec() {
  static const table::TableOf<DescribedDevices> kSpec = table::table_of<DescribedDevices>(
      "described_devices", "A device as a report file or database describes it",
      {
          table::column<DescribedDevices>(
              "file", "", "File that describes it, as given",
              [](const DescribedDevices& all, std::size_t row) -> const std::string& {
                return all.profile->files[all.devices[row].first];
              }),
          described<&GraphDevice::device_id>("device_id", "", "Id as recorded"),
          table::column<DescribedDevices>("arch", "", "Architecture: `wormhole_b0`, `blackhole`",
                                          [](const DescribedDevices& all, std::size_t row) {
                                            return text_or_none(all.devices[row].second->arch);
                                          }),
          described<&GraphDevice::worker_l1_size_bytes>("worker_l1_size_bytes", "bytes",
                                                        "L1 of a worker core"),
          described<&GraphDevice::l1_num_banks>("l1_num_banks", "", "Number of L1 banks"),
          described<&GraphDevice::l1_bank_size_bytes>("l1_bank_size_bytes", "bytes", "Size of an L1 bank"),
          described<&GraphDevice::num_dram_channels>("num_dram_channels", "", "Number of DRAM channels"),
          described<&GraphDevice::dram_size_per_channel_bytes>("dram_size_per_channel_bytes", "bytes",
                                                               "DRAM of a channel"),
          described<&GraphDevice::cb_limit_bytes>("cb_limit_bytes", "bytes",
                                                  "L1 of a core that circular buffers may take"),
      });
  return kSpec;
}

}  // namespace ttscope::graph
