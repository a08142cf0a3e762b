#include "server/server.h"

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <chrono>
#include <csignal>
#include <ctime>
#include <set>

#include "server/request.h"

namespace lk::server {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr size_t most_connections = 900;  // below the usual limit of 1,024 open files
constexpr std::uint32_t longest_head = 16 * 1024;

std::string date() {
  const std::time_t now = std::time(nullptr);
  std::tm tm{};
  gmtime_r(&now, &tm);
  char text[64];
  const size_t n = std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &tm);
  return std::string(text, n);
}

std::string_view reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 431:
      return "Request Header Fields Too Large";
    default:
      return "Error";
  }
}

std::chrono::milliseconds span(double seconds) {
  return std::chrono::milliseconds(static_cast<long long>(seconds * 1000));
}

/// An event as it goes over the wire; every line of the data needs its own field.
std::string event_text(const std::string& event, std::string_view data) {
  std::string out = "event: " + event + "\n";
  while (true) {
    const size_t end = data.find('\n');
    out += "data: " + std::string(data.substr(0, end)) + "\n";
    if (end == std::string_view::npos) break;
    data.remove_prefix(end + 1);
  }
  return out + "\n";
}

}  // namespace

class Session;

struct Server::Impl {
  Options options;
  Get get;
  // Sessions live in the handlers of `io` and sign off here: these two must outlive it.
  size_t connections = 0;
  std::set<Session*> listeners;  // sessions that follow events
  std::string last_event;
  std::string url;
  asio::io_context io{1};
  tcp::acceptor acceptor{io};
  asio::signal_set signals{io};
  asio::steady_timer pause{io}, beat{io};

  void accept();
  void wait();
  void heartbeat();
  void send(const std::string& text);
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Server::Impl& impl, tcp::socket socket) : impl_(impl), stream_(std::move(socket)) {
    ++impl_.connections;
    error_code ignored;
    stream_.socket().set_option(tcp::no_delay(true), ignored);
  }
  ~Session() {
    --impl_.connections;
    impl_.listeners.erase(this);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void read() {
    parser_.emplace();
    parser_->header_limit(longest_head);
    stream_.expires_after(span(impl_.options.idle_seconds));
    // A body, which nothing here wants, stays unread: its request is answered and the connection ends.
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](error_code error, size_t) { self->got(error); });
  }

  /// For sessions that follow events: queues text, never more than a little for a client that does not read.
  void push(const std::string& text) {
    if (queue_.size() > 64 * 1024) return close();
    queue_ += text;
    if (!writing_) flush();
  }

 private:
  void got(error_code error) {
    if (error) {
      const bool too_long = error == http::error::header_limit || error == http::error::buffer_overflow;
      const bool malformed = error.category() == make_error_code(http::error::bad_target).category() &&
                             error != http::error::end_of_stream && error != http::error::partial_message;
      if (!too_long && !malformed) return;  // gone, or too slow
      keep_ = false;
      Answer a{too_long ? 431 : 400, "Content-Type: text/plain; charset=utf-8\r\n",
               std::make_shared<const std::string>(too_long ? "The request's head is too long.\n"
                                                            : "This is no HTTP request.\n")};
      return write(a, false);
    }
    const auto& request = parser_->get();
    keep_ = request.keep_alive() && parser_->is_done();
    const auto view = [](auto text) { return std::string_view(text.data(), text.size()); };
    const Request asked{view(request.method_string()), view(request.target()),
                        view(request[http::field::if_none_match])};
    if (impl_.options.events && asked.method == "GET" && asked.target == impl_.options.base + "-/events")
      return follow();
    write(answer(asked, impl_.options, impl_.get), asked.method == "HEAD");
  }

  void write(const Answer& a, bool head_only) {
    const size_t length = a.body ? a.body->size() : 0;
    out_ = "HTTP/1.1 " + std::to_string(a.status) + ' ' + std::string(reason(a.status)) + "\r\nDate: " + date() +
           "\r\n" + a.headers;
    if (a.status != 304) out_ += "Content-Length: " + std::to_string(length) + "\r\n";
    out_ += keep_ ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
    body_ = head_only ? nullptr : a.body;
    const std::array<asio::const_buffer, 2> parts{asio::buffer(out_),
                                                  body_ ? asio::buffer(*body_) : asio::const_buffer()};
    stream_.expires_after(span(impl_.options.write_seconds));
    asio::async_write(stream_, parts, [self = shared_from_this()](error_code error, size_t) {
      self->body_.reset();
      if (error) return;
      if (self->keep_)
        self->read();
      else
        self->close();
    });
  }

  void follow() {
    queue_ =
        "HTTP/1.1 200 OK\r\nDate: " + date() +
        "\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\n\r\nretry: 500\n\n" +
        impl_.last_event;
    impl_.listeners.insert(this);
    flush();
    watch();
  }

  /// Notices that a client has gone, and keeps the session alive while it has not. Reads past the stream's timer.
  void watch() {
    stream_.socket().async_read_some(asio::buffer(scrap_), [self = shared_from_this()](error_code error, size_t) {
      if (!error) return self->watch();
      self->impl_.listeners.erase(self.get());
      self->stream_.close();
    });
  }

  void flush() {
    if (queue_.empty()) return;
    writing_ = true;
    out_ = std::move(queue_);
    queue_.clear();
    stream_.expires_after(span(impl_.options.write_seconds));
    asio::async_write(stream_, asio::buffer(out_), [self = shared_from_this()](error_code error, size_t) {
      self->writing_ = false;
      if (error) return self->close();
      self->stream_.expires_never();
      self->flush();
    });
  }

  /// Says goodbye and waits for the client to do so too: closing at once would throw away what it has not read yet.
  void close() {
    if (impl_.listeners.erase(this) != 0) return stream_.close();
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.expires_after(std::chrono::seconds(2));
    drain();
  }
  void drain() {
    stream_.async_read_some(asio::buffer(scrap_), [self = shared_from_this()](error_code error, size_t) {
      if (!error) self->drain();
    });
  }

  Server::Impl& impl_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{longest_head * 2};
  std::optional<http::request_parser<http::empty_body>> parser_;
  bool keep_ = false, writing_ = false;
  std::string out_, queue_;
  std::array<char, 512> scrap_{};
  std::shared_ptr<const std::string> body_;
};

void Server::Impl::accept() {
  acceptor.async_accept([this](error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error) std::make_shared<Session>(*this, std::move(socket))->read();
    // Out of files, or full: wait for connections to end instead of spinning.
    if (error || connections >= most_connections) return wait();
    accept();
  });
}

void Server::Impl::wait() {
  pause.expires_after(std::chrono::milliseconds(100));
  pause.async_wait([this](error_code error) {
    if (error) return;
    if (connections >= most_connections) return wait();
    accept();
  });
}

void Server::Impl::heartbeat() {
  beat.expires_after(std::chrono::seconds(15));
  beat.async_wait([this](error_code error) {
    if (error) return;
    send(": still here\n\n");
    heartbeat();
  });
}

void Server::Impl::send(const std::string& text) {
  const std::set<Session*> now = listeners;  // push() may remove from the set
  for (Session* s : now)
    if (listeners.count(s) != 0) s->push(text);
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::open(const Options& options, Get get) {
  auto impl = std::make_unique<Impl>();
  impl->options = options;
  impl->get = std::move(get);
  error_code error;
  tcp::resolver resolver(impl->io);
  const auto found = resolver.resolve(options.host, std::to_string(options.port), tcp::resolver::passive, error);
  if (error || found.empty())
    return Error{{},
                 "cannot find the address \"" + options.host + "\": " + error.message(),
                 "use --host 127.0.0.1, or 0.0.0.0 for every network"};
  const tcp::endpoint endpoint = found.begin()->endpoint();
  impl->acceptor.open(endpoint.protocol(), error);
  if (!error) impl->acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) impl->acceptor.bind(endpoint, error);
  if (!error) impl->acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    const std::string where = options.host + ":" + std::to_string(options.port);
    if (error == asio::error::address_in_use)
      return Error{{},
                   "port " + std::to_string(options.port) + " is taken by another program",
                   "stop that program, or choose another port: --port " +
                       std::to_string(options.port < 65535 ? options.port + 1 : 8080)};
    if (error == asio::error::access_denied)
      return Error{{}, "no permission to listen on " + where, "ports below 1024 belong to the system: try --port 8080"};
    return Error{
        {}, "cannot listen on " + where + ": " + error.message(), "use --host 127.0.0.1, or 0.0.0.0 for every network"};
  }
  const bool v6 = endpoint.protocol() == tcp::v6();
  impl->url = "http://" + (v6 ? '[' + options.host + ']' : options.host) + ':' +
              std::to_string(impl->acceptor.local_endpoint(error).port()) + options.base;
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

std::string Server::url() const {
  return impl_->url;
}

unsigned short Server::port() const {
  error_code error;
  return impl_->acceptor.local_endpoint(error).port();
}

void Server::run() {
  if (impl_->options.signals) {
    impl_->signals.add(SIGINT);
    impl_->signals.add(SIGTERM);
    impl_->signals.async_wait([impl = impl_.get()](error_code error, int) {
      if (!error) impl->io.stop();
    });
  }
  impl_->accept();
  impl_->heartbeat();
  impl_->io.run();
}

void Server::stop() {
  impl_->io.stop();
}

void Server::publish(std::string event, std::string data) {
  asio::post(impl_->io, [impl = impl_.get(), text = event_text(event, data)] {
    impl->last_event = text;
    impl->send(text);
  });
}

}  // namespace lk::server
