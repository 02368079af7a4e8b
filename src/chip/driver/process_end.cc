#include "chip/driver/process_end.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace ttscope::chip {

namespace {

/// The tables of a library in which the loader looked up what it calls.
struct LinkTables {
  const char* names = nullptr;
  const ElfW(Sym) * symbols = nullptr;
  std::span<const ElfW(Rela)> calls;  ///< through the procedure linkage table
  std::span<const ElfW(Rela)> data;   ///< others, as of libraries that are built without that table
};

template <typename T>
T* pointer_at(std::uintptr_t address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives addresses as numbers
  return reinterpret_cast<T*>(address);
}

LinkTables tables_of(const link_map& map) {
  LinkTables tables;
  const ElfW(Rela)* calls = nullptr;
  const ElfW(Rela)* data = nullptr;
  std::size_t call_bytes = 0;
  std::size_t data_bytes = 0;
  for (const ElfW(Dyn)* entry = map.l_ld; entry->d_tag != DT_NULL; ++entry) {
    const auto at = entry->d_un.d_ptr;  // the loader has made addresses of them
    if (entry->d_tag == DT_STRTAB) tables.names = pointer_at<const char>(at);
    if (entry->d_tag == DT_SYMTAB) tables.symbols = pointer_at<const ElfW(Sym)>(at);
    if (entry->d_tag == DT_JMPREL) calls = pointer_at<const ElfW(Rela)>(at);
    if (entry->d_tag == DT_PLTRELSZ) call_bytes = entry->d_un.d_val;
    if (entry->d_tag == DT_RELA) data = pointer_at<const ElfW(Rela)>(at);
    if (entry->d_tag == DT_RELASZ) data_bytes = entry->d_un.d_val;
  }
  if (calls != nullptr) tables.calls = {calls, call_bytes / sizeof(ElfW(Rela))};
  if (data != nullptr) tables.data = {data, data_bytes / sizeof(ElfW(Rela))};
  return tables;
}

bool ends_process(std::string_view name) {
  return name == "_Exit" || name == "_exit" || name == "exit" || name == "quick_exit";
}

/// Writes to a word that the loader may have made read-only.
bool overwrite(void** slot, void* value) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t start = reinterpret_cast<std::uintptr_t>(slot) / page * page;
  if (::mprotect(pointer_at<void>(start), page, PROT_READ | PROT_WRITE) != 0) return false;
  *slot = value;
  return true;
}

}  // namespace

bool lead_process_end(void* library, void (*instead)(int exit_code)) {
  static_assert(sizeof(void*) == 8, "Rela entries are those of 64 bits");
  link_map* map = nullptr;
  if (::dlinfo(library, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || map == nullptr) return false;
  const LinkTables tables = tables_of(*map);
  if (tables.names == nullptr || tables.symbols == nullptr) return false;
  bool led = false;
  for (const auto& relocations : {tables.calls, tables.data}) {
    for (const ElfW(Rela) & one : relocations) {
      const auto symbol = ELF64_R_SYM(one.r_info);
      if (symbol == 0 || !ends_process(tables.names + tables.symbols[symbol].st_name)) continue;
      led |= overwrite(pointer_at<void*>(map->l_addr + one.r_offset), reinterpret_cast<void*>(instead));
    }
  }
  return led;
}

}  // namespace ttscope::chip
