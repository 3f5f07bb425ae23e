// The files of the private PostgreSQL: its programs, its folders, its cluster.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "base/sha256.hpp"
#include "common/server_log.hpp"
#include "postgres/administrator.hpp"
#include "postgres/private_postgres.hpp"

namespace svc::devapi {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLongestSocketFolder = 80;  // the kernel allows 107 bytes for the whole path

void give(const std::string& path, mode_t mode, const UnixUser& user) {
    if (!user.name.empty() && ::lchown(path.c_str(), user.uid, user.gid) != 0)
        throw std::system_error(errno, std::generic_category(),
                                "Cannot give " + path + " to " + user.name);
    if (::chmod(path.c_str(), mode) != 0)
        throw std::system_error(errno, std::generic_category(), "Cannot set the mode of " + path);
}

// For a data folder whose path is too long for a socket. An existing folder must belong to
// svcd's user or to PostgreSQL's, because everybody may write to /tmp.
std::string short_folder(const std::string& home, const UnixUser& user) {
    std::string path =
        "/tmp/svc-" + std::to_string(::geteuid()) + "-" + base::sha256_hex(home).substr(0, 8);
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
        throw std::system_error(errno, std::generic_category(), "Cannot make " + path);
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) ||
        (info.st_uid != ::geteuid() && (user.name.empty() || info.st_uid != user.uid)))
        throw std::runtime_error(path + " belongs to another user. Set a shorter SVC_HOME.");
    return path;
}

}  // namespace

std::string PrivatePostgres::first_line(const std::string& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

void PrivatePostgres::find_binaries() {
    const std::string root = "/usr/lib/postgresql";
    std::string version = first_line(data_ + "/PG_VERSION");
    if (version.empty() && fs::is_directory(root)) {
        int newest = 0;
        for (const auto& entry : fs::directory_iterator(root))
            newest = std::max(newest, std::atoi(entry.path().filename().c_str()));
        version = std::to_string(newest);
    }
    binaries_ = root + "/" + version + "/bin";
    if (!fs::exists(binaries_ + "/postgres") || !fs::exists(binaries_ + "/initdb"))
        throw std::runtime_error("There is no PostgreSQL in " + binaries_ +
                                 ". Install the package postgresql, or set DATABASE_URL.");
}

void PrivatePostgres::make_folders() {
    fs::create_directories(folder_);
    give(folder_, 0700, user_);
    if (socket_folder_.size() > kLongestSocketFolder) {
        socket_folder_ = short_folder(home_, user_);
    } else {
        fs::create_directories(socket_folder_);
        ::chmod((home_ + "/run").c_str(), user_.name.empty() ? 0700 : 0711);
    }
    // App servers of another user reach the socket through it; passwords guard the rest.
    give(socket_folder_, user_.name.empty() ? 0700 : 0711, user_);
}

// initdb works in a folder that is renamed at the end: a cluster in its place is a whole one.
bool PrivatePostgres::make_cluster() {
    if (fs::exists(data_ + "/PG_VERSION")) return false;
    const std::string fresh = folder_ + "/data.new", secret = folder_ + "/password.new";
    const std::string log = home_ + "/initdb.log";
    fs::remove_all(fresh);
    std::ofstream(secret) << "";
    give(secret, 0600, user_);
    std::ofstream(secret) << password_ << '\n';
    const bool made =
        run_to_end({{binaries_ + "/initdb", "--pgdata=" + fresh, "--encoding=UTF8",
                     "--locale=C.UTF-8", "--auth=scram-sha-256",
                     std::string("--username=").append(kAdministrator), "--pwfile=" + secret},
                    {},
                    user_,
                    log});
    fs::remove(secret);
    if (!made)
        throw std::runtime_error(
            "initdb could not make the private PostgreSQL in " + folder_ +
            (user_.name.empty() ? ""
                                : " as user " + user_.name + ", which must be able to enter it") +
            ":\n" + last_lines(log));
    fs::rename(fresh, data_);
    fs::remove(log);
    return true;
}

}  // namespace svc::devapi
