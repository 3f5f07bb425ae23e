// A port of the loopback interface that leads to the server on the clone while the object lives,
// because a browser has no other way to it. Another program of this machine that connects is a
// guest without a key, as at the dev app itself.
#pragma once

#include <thread>

#include "verify/app/server.hpp"

namespace svc::devapi::verification {

class Door {
  public:
    explicit Door(const AppServer& server);  // throws std::system_error
    ~Door();
    Door(const Door&) = delete;
    Door& operator=(const Door&) = delete;

    int port() const { return port_; }

  private:
    void let_in();

    const AppServer& server_;
    int listener_ = -1, closing_ = -1;
    int port_ = 0;
    std::thread thread_;
};

}  // namespace svc::devapi::verification
