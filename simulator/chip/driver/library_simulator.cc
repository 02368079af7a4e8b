#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "chip/simulator.h"

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

/// Calls of a loaded library (of dlopen) that end the process call this instead, which must not return.
/// False: it has no such call, or none that can be led elsewhere.
bool redirect_process_exit(void* library, void (*instead)(int exit_code)) {
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

/// What the host asks for. Data to be written follow it.
struct LibraryRequest {
  enum class Kind : std::uint32_t { kConfig, kRead, kWrite, kClock, kEnd };
  Kind kind = Kind::kEnd;
  std::uint32_t bytes = 0;
  std::uint64_t address = 0;
};

/// Stands before what was asked for; writes have no answer.
struct LibraryAnswer {
  static constexpr std::int32_t kRuns = -1;
  std::int32_t exit_code = kRuns;  ///< with which the library wanted to end the process
};

bool send_all(int to, const void* from, std::size_t bytes);
bool receive_all(int from, void* to, std::size_t bytes);

struct Library {
  void (*init)() = nullptr;
  std::uint32_t (*config_read)(std::uint32_t, std::uint32_t) = nullptr;
  void (*memory_read)(std::uint64_t, void*, std::uint32_t) = nullptr;
  void (*memory_write)(std::uint64_t, const void*, std::uint32_t) = nullptr;
  void (*clock)(std::uint32_t) = nullptr;
};

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) fmt::print(stderr, "it has no {}\n", name);
  return function != nullptr;
}

class Server {
 public:
  Server(const Library& library, int socket) : library_(library), socket_(socket) {}

  [[noreturn]] void serve() {
    while (receive_all(socket_, &request_, sizeof(request_)) && request_.kind != Kind::kEnd) take();
    ::_exit(0);
  }

  /// The library wants to end the process in the middle of a request: we go on from here, above its stack.
  [[noreturn]] void end(int exit_code) {
    constexpr int kMaxExits = 64;  // reads that it refuses come here again
    if (++ends_ > kMaxExits) ::_exit(exit_code);
    // As whoever waits for a process gets it: -1 would say that it runs.
    if (ends_ == 1) answer_.exit_code = exit_code & 0xFF;
    std::fflush(nullptr);  // what it said, before the host looks for it
    reply();
    serve();
  }

 private:
  using Kind = LibraryRequest::Kind;

  void take() {
    owes_answer_ = request_.kind != Kind::kWrite;
    const bool has_data = request_.kind == Kind::kRead || request_.kind == Kind::kWrite;
    message_.assign(sizeof(answer_) + (has_data ? request_.bytes : sizeof(std::uint32_t)), 0);
    char* const data = message_.data() + sizeof(answer_);
    switch (request_.kind) {
      case Kind::kConfig: {
        const std::uint32_t value = library_.config_read(static_cast<std::uint32_t>(request_.address >> 32),
                                                         static_cast<std::uint32_t>(request_.address));
        std::memcpy(data, &value, sizeof(value));
        break;
      }
      case Kind::kRead:
        library_.memory_read(request_.address, data, request_.bytes);
        break;
      case Kind::kWrite:
        if (receive_all(socket_, data, request_.bytes))
          library_.memory_write(request_.address, data, request_.bytes);
        break;
      case Kind::kClock:
        if (ends_ == 0) library_.clock(static_cast<std::uint32_t>(request_.address));
        break;
      case Kind::kEnd:
        break;
    }
    reply();
  }

  void reply() {
    if (!owes_answer_) return;
    owes_answer_ = false;
    std::memcpy(message_.data(), &answer_, sizeof(answer_));
    send_all(socket_, message_.data(), message_.size());
  }

  Library library_;
  int socket_;
  LibraryRequest request_;
  LibraryAnswer answer_;
  std::vector<char> message_;  ///< an answer and its data, to be sent at once
  bool owes_answer_ = false;   ///< the host waits for an answer
  int ends_ = 0;
};

/// Of this process; calls out of the library know nothing else. A thread of the library's own has none.
thread_local Server* server = nullptr;

void end_server(int exit_code) {
  if (server == nullptr) {  // before it was asked for anything, or beside what it was asked for
    std::fflush(nullptr);
    ::_exit(exit_code);
  }
  server->end(exit_code);
}

bool send_all(int to, const void* from, std::size_t bytes) {
  const char* at = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t sent = ::send(to, at, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int from, void* to, std::size_t bytes) {
  char* at = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = ::recv(from, at, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

/// The child: loads the library and answers until it is told to end. When the library ends the process, its
/// clock stands still, but its memory can be read as before.
void serve_library(const std::string& path, int socket) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a killed host leaves no simulator behind
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    fmt::print(stderr, "{}\n", ::dlerror());
    ::_exit(1);
  }
  Library library;
  if (!find(handle, "libttsim_init", library.init) ||
      !find(handle, "libttsim_pci_config_rd32", library.config_read) ||
      !find(handle, "libttsim_pci_mem_rd_bytes", library.memory_read) ||
      !find(handle, "libttsim_pci_mem_wr_bytes", library.memory_write) ||
      !find(handle, "libttsim_clock", library.clock)) {
    ::_exit(1);
  }
  redirect_process_exit(handle, end_server);  // where it cannot be, the process ends, and the host says so
  library.init();
  Server here(library, socket);
  server = &here;
  here.serve();
}

class LibrarySimulator final : public Simulator {
 public:
  LibrarySimulator(std::string path, pid_t child, FileDescriptor socket, FileDescriptor output)
      : path_(std::move(path)), child_(child), socket_(std::move(socket)), output_(std::move(output)) {}

  ~LibrarySimulator() override {
    const LibraryRequest end;
    if (connected_) send_all(socket_.number(), &end, sizeof(end));
    wait_for_end();
  }

  std::uint32_t config_read(std::uint32_t bus_device, std::uint32_t offset) override {
    std::uint32_t value = ~0u;
    ask({Kind::kConfig, 0, std::uint64_t{bus_device} << 32 | offset}, nullptr, {&value, sizeof(value)});
    return value;
  }
  void memory_read(std::uint64_t address, void* to, std::uint32_t bytes) override {
    std::memset(to, 0, bytes);
    ask({Kind::kRead, bytes, address}, nullptr, {to, bytes});
  }
  void memory_write(std::uint64_t address, const void* from, std::uint32_t bytes) override {
    ask({Kind::kWrite, bytes, address}, from, {});
  }
  void clock(std::uint32_t ticks) override {
    if (!error_.empty()) return;
    std::uint32_t value = 0;
    ask({Kind::kClock, 0, ticks}, nullptr, {&value, sizeof(value)});
    nanoseconds_ += ticks;
  }
  std::uint64_t nanoseconds() const override { return nanoseconds_; }
  std::string error() override { return error_; }
  bool has_memory() const override { return connected_; }

 private:
  using Kind = LibraryRequest::Kind;
  struct Place {
    void* data = nullptr;
    std::size_t bytes = 0;
  };

  void ask(const LibraryRequest& request, const void* data, Place answer) {
    if (!connected_) return;
    LibraryAnswer head;
    connected_ = send_all(socket_.number(), &request, sizeof(request)) &&
                 (data == nullptr || send_all(socket_.number(), data, request.bytes)) &&
                 (answer.data == nullptr || (receive_all(socket_.number(), &head, sizeof(head)) &&
                                             receive_all(socket_.number(), answer.data, answer.bytes)));
    if (!error_.empty()) return;
    if (!connected_) {
      note_end(wait_for_end());
    } else if (head.exit_code != LibraryAnswer::kRuns) {
      note_end(fmt::format("exit code {}", head.exit_code));
    }
  }

  void note_end(const std::string& how) {
    const std::string said = library_output();
    error_ = fmt::format("{} ended: {}", path_, said.empty() ? how : fmt::format("{} ({})", said, how));
  }

  /// Without waiting: the process may live on, for its memory to be read.
  std::string library_output() {
    std::string said;
    char buffer[4096];
    while (true) {
      const ssize_t got = ::read(output_.number(), buffer, sizeof(buffer));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      said.append(buffer, static_cast<std::size_t>(got));
    }
    while (!said.empty() && said.back() == '\n') said.pop_back();
    return said;
  }

  /// Waits for the end of the child; how it ended.
  std::string wait_for_end() {
    if (child_ <= 0) return {};
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    return WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                               : fmt::format("exit code {}", WEXITSTATUS(status));
  }

  std::string path_;
  pid_t child_;
  FileDescriptor socket_;
  FileDescriptor output_;
  std::string error_;
  bool connected_ = true;
  std::uint64_t nanoseconds_ = 0;
};

}  // namespace

Result<std::unique_ptr<Simulator>> library_simulator(const std::string& library_path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(library_path, ignored)) {
    return failure(
        bad_input(fmt::format("{}: no such file (expected the path of libttsim.so)", library_path)));
  }
  int sockets[2];
  int output[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0 || ::pipe2(output, O_CLOEXEC) != 0) {
    return failure(bad_input(fmt::format("no connection to a simulator process: {}", std::strerror(errno))));
  }
  FileDescriptor here(sockets[0]);
  FileDescriptor there(sockets[1]);
  FileDescriptor reading(output[0]);
  FileDescriptor writing(output[1]);
  ::fcntl(reading.number(), F_SETFL, O_NONBLOCK);
  std::fflush(nullptr);  // the child must not write what this process has not written yet
  const pid_t child = ::fork();
  if (child < 0) return failure(bad_input(fmt::format("no simulator process: {}", std::strerror(errno))));
  if (child == 0) {
    ::dup2(writing.number(), STDOUT_FILENO);
    ::dup2(writing.number(), STDERR_FILENO);
    ::close(here.number());
    ::close(reading.number());
    serve_library(library_path, there.number());
  }
  there = FileDescriptor();  // so that the end of the child is seen
  writing = FileDescriptor();
  auto simulator =
      std::make_unique<LibrarySimulator>(library_path, child, std::move(here), std::move(reading));
  simulator->config_read(0, 0);  // it has started, or says why not
  if (const std::string error = simulator->error(); !error.empty()) return failure(bad_input(error));
  return simulator;
}

}  // namespace ttscope::chip
