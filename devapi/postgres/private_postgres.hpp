// The PostgreSQL that svcd keeps for itself where no DATABASE_URL is set: made by initdb in the
// data folder, reached through a unix socket alone, never run as root.
//
// It outlives a svcd that was killed; the next svcd finds it running and uses it.
#pragma once

#include <sys/types.h>

#include <stop_token>
#include <string>
#include <thread>

#include "common/child.hpp"

namespace svc::devapi {

class PrivatePostgres {
  public:
    // `home` must exist. Throws std::runtime_error that says what is missing and what to do.
    PrivatePostgres(const std::string& home, const std::string& master_key);

    // Makes the cluster if there is none, starts the server where none runs, waits until it
    // answers. From then on a server that dies is started again, with growing pauses.
    void start();
    // Ends it in an orderly way ("fast": open transactions are rolled back) and waits for it.
    void stop();

    std::string admin_url() const;
    // True if the administrator's password belongs to another key, because a rotation was killed
    // after that step.
    void use_key(const std::string& master_key);

  private:
    // private_cluster.cpp
    void find_binaries();
    void make_folders();
    bool make_cluster();                                     // false: there was one
    static std::string first_line(const std::string& file);  // empty: it is not there

    bool old_is_gone() const;
    void wait_for_old() const;
    void launch();
    void wait_until_ready();
    void watch(const std::stop_token& stop);
    pid_t running_pid() const;  // 0: none

    std::string home_, folder_, data_, socket_folder_, log_, password_, binaries_;
    UnixUser user_;
    pid_t child_ = 0;       // set where this process started it; the watcher's while it runs
    std::jthread watcher_;  // last: it uses all of the above
};

}  // namespace svc::devapi
