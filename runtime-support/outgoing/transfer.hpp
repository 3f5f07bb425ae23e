// One call on its way, for whoever performs it: fetch() by itself, Calls many at a time.
#pragma once

#include <string>

#include "outgoing/curl.hpp"
#include "outgoing/fetch.hpp"
#include "outgoing/gate.hpp"

namespace svc::outgoing {

class Transfer {
  public:
    // Throws as Handle.
    explicit Transfer(Fetch request);
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;

    Handle& handle() { return handle_; }
    // What came of it, once the handle was performed.
    Fetched end(CURLcode code);

  private:
    static std::size_t keep(char* data, std::size_t size, std::size_t count, void* transfer);
    static std::size_t keep_header(char* data, std::size_t size, std::size_t count, void* transfer);
    void set_request();

    const Fetch request_;  // curl holds views into it
    Gate gate_;
    Handle handle_;
    Fetched fetched_;
    bool too_long_ = false;
};

}  // namespace svc::outgoing
