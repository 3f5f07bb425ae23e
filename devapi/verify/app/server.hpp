// Starts the live binary on the clone and sends requests to it. Nobody else reaches it: it listens
// on no address, knows only the verification's key, and has no secret of the project and no mail
// server. Connections come from here, and from browsers through a door (door.hpp).
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "verify/subject.hpp"
#include "verify/verify_caller.hpp"

namespace svc::devapi::verification {

struct HttpAnswer {
    int status = 0;
    std::string body;
};

// A request without its caller.
struct RequestOptions {
    std::string session{};  // an app session of theirs, in place of what a server asserts of them
    bool as_admin = false;  // past row-level security
    std::string headers{};  // further lines of the head, each with its end
};

// The host of pages in a browser. Browsers trust names below localhost as they trust https, so a
// script finds there what it finds at the dev app.
inline constexpr const char* kBrowserHost = "verify.localhost";

// An event stream of one caller, on its own connection.
class Stream {
  public:
    struct Frame {
        std::string event, data;
    };

    explicit Stream(int line);
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    int status() const { return status_; }
    // Messages and resets up to the message `last`, which is not among them. Throws
    // std::runtime_error where nothing comes for ten seconds.
    std::vector<Frame> until(const std::string& last);

  private:
    friend class AppServer;
    struct Reader;
    bool read_more();

    const int line_;
    std::unique_ptr<Reader> reader_;
    int status_ = 0;
    std::string unread_;  // of the body
};

class AppServer {
  public:
    // Throws std::runtime_error that says why the server does not start.
    explicit AppServer(const Subject& subject);
    ~AppServer();  // ends it
    AppServer(const AppServer&) = delete;
    AppServer& operator=(const AppServer&) = delete;

    // `path` begins with the slash after /__svc. Throws std::runtime_error if no answer comes
    // within ten seconds.
    HttpAnswer call(const VerifyCaller& caller, const std::string& method, const std::string& path,
                    const std::string& body = {}, const RequestOptions& options = {});
    // GET of a page of the app, with a session's cookie, or with none if it is empty. Throws as
    // call().
    HttpAnswer page(const std::string& session, const std::string& path);
    // GET of an event stream; returns once its head has come. Throws as call().
    std::unique_ptr<Stream> listen(const VerifyCaller& caller, const std::string& path);
    // Serves this connection of TCP, which it owns from here on. Any thread.
    void take(int connection) const;

  private:
    int new_line();
    // `what`: method and path.
    HttpAnswer exchange(const std::string& request, const std::string& what);
    void hang_up();
    std::string request(const VerifyCaller& caller, const std::string& method,
                        const std::string& path, const std::string& body,
                        const RequestOptions& options) const;

    Supervisor& supervisor_;
    const AppId app_;
    std::string folder_;  // goes with it
    std::string browser_key_, server_key_;
    Process::Self process_;
    int line_ = -1;
};

}  // namespace svc::devapi::verification
