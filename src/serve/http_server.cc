#include "serve/http_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "serve/handler.h"

namespace ttscope::serve {
namespace {

constexpr int kBacklog = 512;
constexpr unsigned kMaxPort = 65535;

struct FreeAddresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};

void set_port(sockaddr_storage& address, std::uint16_t port) {
  if (address.ss_family == AF_INET6) {
    reinterpret_cast<sockaddr_in6&>(address).sin6_port = htons(port);
  } else {
    reinterpret_cast<sockaddr_in&>(address).sin_port = htons(port);
  }
}

void describe(const sockaddr_storage& address, ListenSocket& socket) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.ss_family == AF_INET6) {
    const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
    inet_ntop(AF_INET6, &six.sin6_addr, text.data(), text.size());
    socket.port = ntohs(six.sin6_port);
    socket.is_loopback = IN6_IS_ADDR_LOOPBACK(&six.sin6_addr) != 0;
    socket.is_any = IN6_IS_ADDR_UNSPECIFIED(&six.sin6_addr) != 0;
  } else {
    const auto& four = reinterpret_cast<const sockaddr_in&>(address);
    inet_ntop(AF_INET, &four.sin_addr, text.data(), text.size());
    socket.port = ntohs(four.sin_port);
    socket.is_loopback = ntohl(four.sin_addr.s_addr) >> 24 == 127;
    socket.is_any = four.sin_addr.s_addr == htonl(INADDR_ANY);
  }
  socket.address = text.data();
}

/// 0, or the reason why this port cannot be had.
int try_listen(const sockaddr_storage& address, socklen_t size, FileDescriptor& descriptor) {
  FileDescriptor opened(socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!opened.is_open()) return errno;
  // The port of a server that has just ended can be had again, not that of one that runs.
  const int yes = 1;
  setsockopt(opened.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(opened.number(), reinterpret_cast<const sockaddr*>(&address), size) != 0) return errno;
  if (listen(opened.number(), kBacklog) != 0) return errno;
  descriptor = std::move(opened);
  return 0;
}

}  // namespace

Result<ListenSocket> open_listen_socket(const ListenRequest& request) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* list = nullptr;
  if (const int error = getaddrinfo(request.host.c_str(), nullptr, &hints, &list); error != 0) {
    return failure(bad_input(fmt::format("--host {}: {}", request.host, gai_strerror(error))));
  }
  const std::unique_ptr<addrinfo, FreeAddresses> addresses(list);
  sockaddr_storage address{};
  std::memcpy(&address, list->ai_addr, list->ai_addrlen);
  int reason = EADDRINUSE;
  for (unsigned attempt = 0; attempt < request.attempts && request.port + attempt <= kMaxPort; ++attempt) {
    set_port(address, static_cast<std::uint16_t>(request.port + attempt));
    ListenSocket opened;
    reason = try_listen(address, list->ai_addrlen, opened.descriptor);
    if (reason == 0) {
      sockaddr_storage bound{};
      socklen_t size = sizeof bound;
      getsockname(opened.descriptor.number(), reinterpret_cast<sockaddr*>(&bound), &size);
      describe(bound, opened);
      return opened;
    }
    if (reason != EADDRINUSE && reason != EACCES) break;
  }
  const std::string ports =
      request.attempts > 1 ? fmt::format("ports {} to {}", request.port, request.port + request.attempts - 1)
                           : fmt::format("port {}", request.port);
  return failure(bad_input(fmt::format("{} of {}: {}", ports, request.host, std::strerror(reason))));
}

namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kThreads = 2;
constexpr unsigned kMaxConnections = 1000;
constexpr unsigned kSpareDescriptors = 64;
constexpr unsigned kIdleTimeoutSeconds = 60;       ///< without a byte in either direction
constexpr std::chrono::seconds kMaxHeadTime{120};  ///< for the head of a request, however it drips in
constexpr std::chrono::seconds kMaxWait{25};       ///< of a request for changes
constexpr std::size_t kHeadBytes = std::size_t{32} << 10;
constexpr std::size_t kMaxTargetBytes = 4096;

/// One request from its first line to its end.
struct Exchange {
  Request request;
  bool is_new = true;
  bool is_waiting = false;
  Clock::time_point wait_ends{};
  std::uint64_t version = 0;  ///< of the library when it began to wait
  std::unique_ptr<UploadFile> upload;
  bool upload_failed = false;
};

MHD_Result add_header(void* to, MHD_ValueKind, const char* name, const char* value) {
  static_cast<Headers*>(to)->emplace_back(name, value == nullptr ? "" : value);
  return MHD_YES;
}

/// Paths are decoded by handle(), which must see them as they were sent.
std::size_t keep_escapes(void*, MHD_Connection*, char* text) { return std::char_traits<char>::length(text); }

void free_text(void* text) { delete static_cast<Text*>(text); }

MHD_Response* make_response(const Response& answer) {
  Text text = answer.body ? answer.body : std::make_shared<const std::string>();
  auto* holder = new Text(std::move(text));
  // The library only reads it, but takes a pointer that could write.
  return MHD_create_response_from_buffer_with_free_callback_cls(
      (*holder)->size(), const_cast<char*>((*holder)->data()), &free_text, holder);
}

MHD_Response* make_file_response(const FileDescriptor& file) {
  struct stat facts {};
  if (!file.is_open() || fstat(file.number(), &facts) != 0) return nullptr;
  const int own = dup(file.number());
  if (own < 0) return nullptr;
  return MHD_create_response_from_fd64(static_cast<std::uint64_t>(facts.st_size), own);
}

unsigned connection_limit() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY) return kMaxConnections;
  // An answer may hold a file beside its connection.
  const rlim_t room = files.rlim_cur > kSpareDescriptors ? (files.rlim_cur - kSpareDescriptors) / 2 : 1;
  return static_cast<unsigned>(std::clamp<rlim_t>(room, rlim_t{8} * kThreads, kMaxConnections));
}

}  // namespace

/// The state behind the callbacks of libmicrohttpd.
class HttpServer::Loop {
 public:
  Loop(FileDescriptor listener, LibraryService& service)
      : listener_(std::move(listener)), service_(service) {}
  ~Loop() { stop(); }

  bool start() {
    daemon_ = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, nullptr, nullptr, &Loop::on_request,
        this, MHD_OPTION_LISTEN_SOCKET, listener_.number(), MHD_OPTION_THREAD_POOL_SIZE, kThreads,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit(), MHD_OPTION_CONNECTION_TIMEOUT, kIdleTimeoutSeconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, kHeadBytes, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_UNESCAPE_CALLBACK, &keep_escapes, nullptr, MHD_OPTION_URI_LOG_CALLBACK, &Loop::on_target,
        this, MHD_OPTION_NOTIFY_COMPLETED, &Loop::on_end, this, MHD_OPTION_NOTIFY_CONNECTION,
        &Loop::on_connection, this, MHD_OPTION_END);
    if (daemon_ == nullptr) return false;
    service_.start([this] {
      const std::lock_guard lock(mutex_);
      has_changed_ = true;
      wake_.notify_all();
    });
    keeper_ = std::thread([this] { close_expired(); });
    return true;
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) return;
      stopping_ = true;
      for (const auto& [connection, exchange] : waiting_) MHD_resume_connection(connection);
      waiting_.clear();
      // What is being sent or received ends here, so that nothing is waited for.
      for (const auto& [connection, began] : open_) shutdown(began.descriptor, SHUT_RDWR);
    }
    wake_.notify_all();
    if (keeper_.joinable()) keeper_.join();
    if (daemon_ != nullptr) MHD_stop_daemon(daemon_);
    service_.stop();
  }

 private:
  struct Open {
    int descriptor = -1;
    Clock::time_point head_since{};
    bool has_head = false;
    bool is_half_closed = false;  ///< when the keeper last looked
    std::uint64_t number = 0;     ///< in the order of their beginning
  };

  static void* on_target(void*, const char* target, MHD_Connection*) {
    auto* exchange = new Exchange;
    exchange->request.target = std::string_view(target).substr(0, kMaxTargetBytes + 1);
    return exchange;
  }

  static void on_end(void* self, MHD_Connection* connection, void** state, MHD_RequestTerminationCode) {
    std::unique_ptr<Exchange> exchange(static_cast<Exchange*>(*state));
    *state = nullptr;
    if (exchange && exchange->upload) (void)static_cast<Loop*>(self)->service_.end_upload(nullptr);
    static_cast<Loop*>(self)->begin_head(connection);
  }

  static void on_connection(void* self, MHD_Connection* connection, void**,
                            MHD_ConnectionNotificationCode what) {
    static_cast<Loop*>(self)->note_connection(connection, what == MHD_CONNECTION_NOTIFY_STARTED);
  }

  // NOLINTNEXTLINE(readability-function-size): the library gives the parameters
  static MHD_Result on_request(void* self, MHD_Connection* connection, const char*, const char* method,
                               const char*, const char* data, std::size_t* data_size, void** state) {
    auto* exchange = static_cast<Exchange*>(*state);
    if (exchange == nullptr) return MHD_NO;
    // No exception may pass through the C code of the library.
    try {
      if (exchange->is_new) return static_cast<Loop*>(self)->begin_request(connection, *exchange, method);
      const std::string_view body(data, std::exchange(*data_size, 0));
      return static_cast<Loop*>(self)->continue_request(connection, *exchange, body);
    } catch (const std::exception&) {
      return MHD_NO;
    }
  }

  MHD_Result begin_request(MHD_Connection* connection, Exchange& exchange, const char* method) {
    exchange.is_new = false;
    exchange.request.method = method;
    MHD_get_connection_values(connection, MHD_HEADER_KIND, &add_header, &exchange.request.headers);
    end_head(connection, knows_an_address(exchange.request, *service_.library()));
    return first_answer(connection, exchange);
  }

  MHD_Result continue_request(MHD_Connection* connection, Exchange& exchange, std::string_view data) {
    if (!data.empty()) {
      if (exchange.upload && !exchange.upload_failed) exchange.upload_failed = !exchange.upload->write(data);
      return MHD_YES;
    }
    if (exchange.upload) return send(connection, finish_upload(exchange));
    return answer(connection, exchange);
  }

  /// What can be refused is refused before the body is read; the answers to good requests without one come
  /// when the library calls again.
  MHD_Result first_answer(MHD_Connection* connection, Exchange& exchange) {
    if (exchange.request.target.size() > kMaxTargetBytes)
      return send(connection, plain_answer(414, "Too long.\n"));
    const Response response = handle(exchange.request, *service_.library());
    if (response.next == Next::kTakeUpload) {
      Result<std::unique_ptr<UploadFile>> upload =
          service_.begin_upload(response.upload_name, response.upload_bytes);
      if (!upload) return refuse(connection, error_answer(503, upload.error().message));
      exchange.upload = std::move(*upload);
      return MHD_YES;
    }
    if (has_body(exchange.request))
      return refuse(connection, response.status < 400 ? plain_answer(400, "No body, please.\n") : response);
    return MHD_YES;
  }

  Response finish_upload(Exchange& exchange) {
    const bool failed = exchange.upload_failed;
    const Result<Job> job = service_.end_upload(failed ? nullptr : std::move(exchange.upload));
    exchange.upload.reset();
    if (failed) return error_answer(507, "the log could not be written to the disk");
    return job ? job_answer(*job) : error_answer(400, job.error().message);
  }

  MHD_Result answer(MHD_Connection* connection, Exchange& exchange) {
    const std::shared_ptr<const Library> library = service_.library();
    exchange.request.waited = exchange.is_waiting && Clock::now() >= exchange.wait_ends;
    Response response = handle(exchange.request, *library);
    if (response.next == Next::kWaitForChange) {
      const std::lock_guard lock(mutex_);
      if (!stopping_) {
        if (!exchange.is_waiting) exchange.wait_ends = Clock::now() + kMaxWait;
        exchange.is_waiting = true;
        exchange.version = library->version;
        waiting_[connection] = &exchange;
        MHD_suspend_connection(connection);
        return MHD_YES;
      }
    }
    if (response.next == Next::kCompare) {
      const Result<Job> job = service_.compare(response.before_id, response.after_id);
      return send(connection, job ? job_answer(*job) : error_answer(503, job.error().message));
    }
    return send(connection, response);
  }

  /// Answers without reading the body; the connection cannot be used again.
  MHD_Result refuse(MHD_Connection* connection, Response response) {
    response.headers.emplace_back("Connection", "close");
    return send(connection, response);
  }

  MHD_Result send(MHD_Connection* connection, const Response& response) {
    Response gone;
    const Response* sent = &response;
    MHD_Response* made = nullptr;
    if (response.file) {
      made = make_file_response(service_.open_file(*response.file));
      if (made == nullptr) {
        gone = plain_answer(404, "This file is gone.\n");
        sent = &gone;
      }
    }
    if (made == nullptr) made = make_response(*sent);
    if (made == nullptr) return MHD_NO;
    for (const auto& [name, value] : sent->headers)
      MHD_add_response_header(made, name.c_str(), value.c_str());
    const MHD_Result queued = MHD_queue_response(connection, static_cast<unsigned>(sent->status), made);
    MHD_destroy_response(made);
    return queued;
  }

  void note_connection(MHD_Connection* connection, bool opened) {
    const std::lock_guard lock(mutex_);
    if (!opened) {
      if (const auto found = open_.find(connection); found != open_.end()) {
        unknown_.erase(found->second.number);
        open_.erase(found);
      }
      return;
    }
    const MHD_ConnectionInfo* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (info == nullptr) return;
    open_[connection] = {info->connect_fd, Clock::now(), false, false, ++opened_};
    unknown_[opened_] = connection;
    // Who was told no address makes room for the next one: so many wait, and nobody is shut out.
    while (unknown_.size() > most_unknown_) {
      if (const auto oldest = open_.find(unknown_.begin()->second); oldest != open_.end())
        shutdown(oldest->second.descriptor, SHUT_RDWR);
      unknown_.erase(unknown_.begin());
    }
  }

  void end_head(MHD_Connection* connection, bool is_known) {
    const std::lock_guard lock(mutex_);
    const auto found = open_.find(connection);
    if (found == open_.end()) return;
    found->second.has_head = true;
    if (is_known) unknown_.erase(found->second.number);
  }

  void begin_head(MHD_Connection* connection) {
    const std::lock_guard lock(mutex_);
    if (const auto found = open_.find(connection); found != open_.end()) {
      found->second.has_head = false;
      found->second.head_since = Clock::now();
    }
  }

  /// A connection whose next request will not come: too slow, or its client stopped sending. The library is
  /// told of that end only once, together with the last bytes. Seen twice, as a request may be on its way to
  /// us.
  static bool is_lost(Open& began, Clock::time_point now) {
    const bool was_half_closed = began.is_half_closed;
    pollfd end{began.descriptor, POLLRDHUP, 0};
    began.is_half_closed = !began.has_head && poll(&end, 1, 0) > 0;
    if (began.has_head) return false;
    return now - began.head_since > kMaxHeadTime || (was_half_closed && began.is_half_closed);
  }

  /// Wakes requests whose wait is over and ends connections whose request does not come to an end.
  void close_expired() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      wake_.wait_for(lock, std::chrono::seconds(1), [&] { return stopping_ || has_changed_; });
      has_changed_ = false;
      lock.unlock();
      const std::uint64_t version = service_.library()->version;
      lock.lock();
      const Clock::time_point now = Clock::now();
      for (auto one = waiting_.begin(); one != waiting_.end();) {
        const bool is_over = one->second->version != version || now >= one->second->wait_ends;
        if (is_over) MHD_resume_connection(one->first);
        one = is_over ? waiting_.erase(one) : std::next(one);
      }
      for (auto& [connection, began] : open_) {
        if (is_lost(began, now)) shutdown(began.descriptor, SHUT_RDWR);
      }
    }
  }

  FileDescriptor listener_;
  LibraryService& service_;
  MHD_Daemon* daemon_ = nullptr;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<MHD_Connection*, Exchange*> waiting_;  ///< suspended
  std::map<MHD_Connection*, Open> open_;
  std::map<std::uint64_t, MHD_Connection*> unknown_;  ///< have not shown a token; the oldest first
  std::uint64_t opened_ = 0;
  const std::size_t most_unknown_ =
      connection_limit() / kThreads * 4 / 5;  ///< even if one thread has them all
  bool stopping_ = false;
  bool has_changed_ = false;  ///< the library, since the keeper looked
  std::thread keeper_;
};

HttpServer::HttpServer(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}

HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::start(FileDescriptor listener, LibraryService& service) {
  auto loop = std::make_unique<Loop>(std::move(listener), service);
  if (!loop->start()) return failure(bad_input("the HTTP server could not be started"));
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(loop)));
}

}  // namespace ttscope::serve
