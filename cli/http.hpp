// One request to the developer API at a time, over libcurl.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/app/sse.hpp"

namespace svc::cli {

struct Request {
    std::string method = "GET";
    std::string path{};  // below the base URL, from the slash
    std::string body{};  // JSON; empty: none
    int seconds = 60;    // for the whole exchange; 0: a stream without an end
    // Where set, asks for an event stream. An answer in any other form comes back as the body.
    std::function<void(const Event&)> on_event{};
    std::function<void()> on_stream{};  // called as the stream begins
    std::string last_id{};  // of an earlier stream's last event: the stream continues after it
};

struct Reply {
    int status = 0;
    std::string body{};
    std::string trouble{};  // why no answer came, as a sentence; empty if one did
    bool streamed = false;  // the answer came as events
    std::string last_id{};  // of the stream's last event; empty: it had none

    bool ok() const { return trouble.empty() && status >= 200 && status < 300; }
};

class Http {
  public:
    Http(std::string base, std::string token);

    // `tick` is called at least ten times a second while it waits.
    Reply send(const Request& request, const std::function<void()>& tick) const;

  private:
    std::string base_;
    std::string token_;
};

}  // namespace svc::cli
