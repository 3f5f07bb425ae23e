// One call in progress. fetch() performs one by itself; Calls performs many at a time.
#pragma once

#include <memory>
#include <string>

#include "outgoing/address_guard.hpp"
#include "outgoing/curl.hpp"
#include "outgoing/fetch.hpp"
#include "outgoing/incoming.hpp"

namespace svc::outgoing {

class Transfer {
  public:
    // Throws as Handle. `incoming`: gets the answer while it comes; null: end() gives it whole.
    explicit Transfer(Fetch request, std::shared_ptr<Incoming> incoming = nullptr);
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;

    Handle& handle() { return handle_; }
    Incoming* incoming() const { return incoming_.get(); }
    // The result, after the handle was performed.
    Fetched end(CURLcode code);

  private:
    static std::size_t keep(char* data, std::size_t size, std::size_t count, void* transfer);
    static std::size_t keep_header(char* data, std::size_t size, std::size_t count, void* transfer);
    void set_request();
    std::size_t hand_on(std::string_view bytes);
    void tell_head();

    const Fetch request_;  // curl holds views into it
    AddressGuard guard_;
    Handle handle_;
    const std::shared_ptr<Incoming> incoming_;
    Fetched fetched_;
    bool too_long_ = false, head_told_ = false, head_whole_ = false;
};

}  // namespace svc::outgoing
