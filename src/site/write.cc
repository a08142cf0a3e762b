#include "site/write.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>

#include "site/sha256.h"

namespace lk::site {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view first_line = "learn-kernels site 1";

Error failed(const std::string& what, const fs::path& path) {
  const std::string why = std::strerror(errno);
  return {{path.string(), 0, 0}, "cannot " + what + ": " + why, errno == ENOSPC ? "free some room on the disk" : ""};
}

/// A file descriptor that closes itself.
class Fd {
 public:
  explicit Fd(int fd) : fd_(fd) {}
  ~Fd() {
    if (fd_ >= 0) ::close(fd_);
  }
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }

 private:
  int fd_;
};

Fd open_folder(const fs::path& path) {
  return Fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

bool flush(const fs::path& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return fd && ::fsync(fd.get()) == 0;
}

std::optional<Error> write_file(const fs::path& path, std::string_view bytes) {
  const Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!fd) return failed("create the file", path);
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failed("write the file", path);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return std::nullopt;
}

/// A new folder beside `out`, held by a lock: whoever finds one without a lock knows that its maker is gone.
struct Fresh {
  fs::path path;
  Fd lock;
};

std::string fresh_prefix(const fs::path& out) {
  return "." + out.filename().string() + ".new-";
}
fs::path parked(const fs::path& out) {
  return out.parent_path() / ("." + out.filename().string() + ".old");
}

Result<Fresh> make_fresh(const fs::path& out) {
  for (int attempt = 0; attempt < 16; ++attempt) {
    std::string name = (out.parent_path() / (fresh_prefix(out) + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr) return failed("create a folder beside the site", out.parent_path());
    Fd fd = open_folder(name);
    if (!fd || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) continue;
    // Another build may have cleared the folder between its making and its locking.
    struct stat held {};
    struct stat there {};
    if (::fstat(fd.get(), &held) != 0 || ::stat(name.c_str(), &there) != 0 || held.st_ino != there.st_ino) continue;
    if (::chmod(name.c_str(), 0755) != 0) return failed("open the folder to readers", name);
    return Fresh{std::move(name), std::move(fd)};
  }
  return failed("lock a folder beside the site", out.parent_path());
}

/// Clears what killed builds left, and finishes a two-step exchange that was cut between its steps.
void recover(const fs::path& out) {
  std::error_code ignored;
  const fs::path old = parked(out);
  if (fs::exists(old / marker, ignored)) {
    if (fs::exists(out, ignored))
      fs::remove_all(old, ignored);
    else
      fs::rename(old, out, ignored);
  }
  std::vector<fs::path> stale;
  for (const auto& entry : fs::directory_iterator(out.parent_path(), ignored))
    if (entry.path().filename().string().starts_with(fresh_prefix(out))) stale.push_back(entry.path());
  for (const fs::path& path : stale) {
    const Fd fd = open_folder(path);
    if (fd && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0) fs::remove_all(path, ignored);
  }
}

int exchange(const fs::path& a, const fs::path& b) {
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE));
}

std::optional<Error> swap_in(const fs::path& fresh, const fs::path& out) {
  std::error_code error;
  // Another build may put its site there first; then the two change places.
  if (fs::exists(out, error) || ::rename(fresh.c_str(), out.c_str()) != 0) {
    if (!fs::exists(out, error)) return failed("put the new site in place", out);
    if (exchange(fresh, out) == 0) {
      flush(out.parent_path());
      return std::nullopt;
    }
    // A file system that cannot exchange: two steps, which recover() completes when they are cut.
    const fs::path old = parked(out);
    fs::remove_all(old, error);
    if (::rename(out.c_str(), old.c_str()) != 0) return failed("move the previous site aside", out);
    if (::rename(fresh.c_str(), out.c_str()) != 0) {
      const Error why = failed("put the new site in place", out);
      fs::rename(old, out, error);
      return why;
    }
    flush(out.parent_path());
    fs::remove_all(old, error);
    return std::nullopt;
  }
  flush(out.parent_path());
  return std::nullopt;
}

std::optional<Error> refuse(const fs::path& out) {
  std::error_code error;
  const auto status = fs::status(out, error);
  if (!fs::exists(status)) return std::nullopt;
  const std::string hint = "choose another folder with --out, or delete this one yourself";
  if (!fs::is_directory(status)) return Error{{out.string(), 0, 0}, "there is a file where the site would go", hint};
  if (fs::is_empty(out, error) || fs::is_regular_file(out / marker, error)) return std::nullopt;
  return Error{{out.string(), 0, 0}, "the folder exists and was not written by lk build, so it stays as it is", hint};
}

/// A path that leads below the folder it is joined to.
bool stays_below(const fs::path& path) {
  return !path.empty() && path.is_relative() && path.native().find('\0') == std::string::npos &&
         std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part.empty() || part == "." || part == ".."; });
}

std::string marker_text(const Site& site) {
  std::string out(first_line);
  out += "\nbase " + site.base + "\nversion " + site.version + "\n";
  for (const File& f : site.files) out += f.hash + ' ' + f.path + '\n';
  return out;
}

class FreshFolder final : public Folder {
 public:
  FreshFolder(fs::path out, Fresh fresh) : out_(std::move(out)), fresh_(std::move(fresh)), folders_{fresh_.path} {}
  ~FreshFolder() override {
    // After an exchange this name holds the previous site.
    std::error_code ignored;
    fs::remove_all(fresh_.path, ignored);
  }

  void put(const std::string& path, std::string_view bytes) override {
    auto why = placed(path, bytes);
    if (!why) return;
    const std::lock_guard lock(mutex_);
    if (!failed_) failed_ = std::move(why);
  }

  std::optional<Error> finish(const Site& site) override {
    put(std::string(marker), marker_text(site));
    if (failed_) return failed_;
    // One flush of the file system costs less than one for each file.
    if (::syncfs(fresh_.lock.get()) != 0) return failed("flush", fresh_.path);
    return swap_in(fresh_.path, out_);
  }

 private:
  std::optional<Error> placed(const std::string& path, std::string_view bytes) {
    if (!stays_below(path))
      return Error{{path, 0, 0}, "a file of the site would lie outside of its folder", "rename what brings it"};
    const fs::path full = fresh_.path / path, folder = full.parent_path();
    {
      const std::lock_guard lock(mutex_);
      if (failed_) return std::nullopt;
      if (folders_.insert(folder).second) {
        std::error_code error;
        fs::create_directories(folder, error);
        if (error) return Error{{full.string(), 0, 0}, "cannot create its folder: " + error.message(), ""};
      }
    }
    return write_file(full, bytes);
  }

  const fs::path out_;
  const Fresh fresh_;
  std::mutex mutex_;
  std::set<fs::path> folders_;
  std::optional<Error> failed_;
};

}  // namespace

Result<std::unique_ptr<Folder>> Folder::open(const std::string& folder) {
  std::error_code error;
  fs::path out = fs::weakly_canonical(fs::absolute(folder, error), error);
  if (out.filename().empty()) out = out.parent_path();
  if (error || out.empty() || out == out.root_path())
    return Error{{folder, 0, 0}, "cannot write a site there", "name a folder with --out"};
  if (auto no = refuse(out)) return *no;
  fs::create_directories(out.parent_path(), error);
  if (error) return Error{{out.parent_path().string(), 0, 0}, "cannot create the folder: " + error.message(), ""};
  recover(out);
  auto fresh = make_fresh(out);
  if (!fresh) return fresh.error();
  return std::unique_ptr<Folder>(std::make_unique<FreshFolder>(std::move(out), std::move(*fresh)));
}

std::optional<Error> write(const Site& site, const std::string& out) {
  auto folder = Folder::open(out);
  if (!folder) return folder.error();
  for (const File& f : site.files) (*folder)->put(f.path, f.bytes);
  return (*folder)->finish(site);
}

Result<Written> read_marker(const std::string& folder) {
  std::ifstream in(fs::path(folder) / marker);
  std::string line;
  const Error no{
      {folder, 0, 0}, "this is no site that lk build wrote", "run lk build first, or name the folder with --site"};
  if (!std::getline(in, line) || line != first_line) return no;
  Written out;
  while (std::getline(in, line)) {
    const size_t space = line.find(' ');
    if (space == std::string::npos) return no;
    const std::string head = line.substr(0, space), tail = line.substr(space + 1);
    if (head == "base")
      out.base = tail;
    else if (head == "version")
      out.version = tail;
    else
      out.files.emplace_back(tail, head);
  }
  if (out.base.empty()) return no;
  return out;
}

std::vector<std::string> differences(const std::string& folder) {
  const auto written = read_marker(folder);
  if (!written) return {text(written.error())};
  std::vector<std::string> out;
  std::set<std::string> known{std::string(marker)};
  for (const auto& [path, hash] : written->files) {
    known.insert(path);
    const auto file = read_file(folder, path);
    if (!file)
      out.push_back(path + " is missing");
    else if (file->hash != hash)
      out.push_back(path + " has changed");
  }
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error))
    if (!entry.is_directory(error) && known.count(fs::relative(entry.path(), folder, error).string()) == 0)
      out.push_back(entry.path().string() + " is not part of the site");
  return out;
}

std::optional<File> read_file(const std::string& folder, std::string_view path) {
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  if (error) return std::nullopt;
  const fs::path full = fs::canonical(root / path, error);
  if (error || !fs::is_regular_file(full, error)) return std::nullopt;
  const auto [end, unused] = std::mismatch(root.begin(), root.end(), full.begin(), full.end());
  if (end != root.end()) return std::nullopt;
  std::ifstream in(full, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (!in) return std::nullopt;
  File file{std::string(path), std::move(bytes).str(), {}};
  file.hash = sha256_hex(file.bytes);
  file.size = file.bytes.size();
  return file;
}

}  // namespace lk::site
