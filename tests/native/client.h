// A small HTTP client over plain sockets, for tests of the server: it can also be rude.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

namespace lk::test {

class Client {
 public:
  explicit Client(unsigned short port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  ~Client() {
    if (fd_ >= 0) ::close(fd_);
  }
  Client(Client&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), connected_(other.connected_), in_(std::move(other.in_)) {}
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool connected() const { return connected_; }
  void send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t n = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
      if (n <= 0) return;
      text.remove_prefix(static_cast<size_t>(n));
    }
  }

  /// Reads until `end` has been seen (it is part of the result), the other side closes, or the time is up.
  std::string read_until(std::string_view end, int milliseconds = 5000) {
    while (true) {
      if (const size_t at = in_.find(end); at != std::string::npos) return take(at + end.size());
      if (!more(milliseconds)) return take(in_.size());
    }
  }
  std::string read_bytes(size_t count, int milliseconds = 5000) {
    while (in_.size() < count && more(milliseconds)) {
    }
    return take(std::min(count, in_.size()));
  }
  std::string read_all(int milliseconds = 5000) {
    while (more(milliseconds)) {
    }
    return take(in_.size());
  }

 private:
  std::string take(size_t count) {
    std::string out = in_.substr(0, count);
    in_.erase(0, count);
    return out;
  }
  bool more(int milliseconds) {
    pollfd p{fd_, POLLIN, 0};
    if (poll(&p, 1, milliseconds) <= 0) return false;
    char bytes[65536];
    const ssize_t n = recv(fd_, bytes, sizeof bytes, 0);
    if (n <= 0) return false;
    in_.append(bytes, static_cast<size_t>(n));
    return true;
  }
  int fd_;
  bool connected_ = false;
  std::string in_;
};

}  // namespace lk::test
