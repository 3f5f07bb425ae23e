// Calls the app's own API inside the server: a page reads and writes through the public routes, as
// the caller of its session. So the same rules hold for pages: row-level security, columns that a
// caller may not read, rules, limits, the audit.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "http/exchange.hpp"
#include "json/value.hpp"
#include "page/html/address.hpp"
#include "route/router.hpp"

namespace svc::page {

using Json = json::Value;

// The answer of a route.
struct Answer {
    int status = 0;
    Json body;
    std::string etag;
    std::string cookies;  // its Set-Cookie lines, each ending in CRLF
    bool streams = false;

    bool ok() const { return status >= 200 && status < 300; }
    // A member of the error; empty if there is none.
    std::string error(std::string_view member) const;
    // True for a list that its limit has cut: there are more rows.
    bool truncated() const;
    // The rows of an envelope; no item where there are none.
    const std::vector<Json>& rows() const;
};

// The facts about a file that are known without its bytes.
struct StoredFile {
    std::string name, type;
    std::uint64_t size = 0;
};

// A body that comes piece by piece.
using Pieces = std::function<Task<http::BodyPart>()>;

// Guests read files through addresses in the rows; such an answer has no version.
enum class FileLinks { wanted, none };

class Api {
  public:
    // `outer` is the browser's request. All outlive it.
    Api(const route::Router& router, std::shared_ptr<const AppKey> key, http::Exchange& outer)
        : router_(router), key_(std::move(key)), outer_(outer) {}

    // `path` below /__svc. Both are taken by value: they live as long as the task.
    Task<Answer> get(std::string path, Members query, FileLinks links = FileLinks::wanted);
    // `version`: If-Match; empty: none.
    Task<Answer> send(std::string method, std::string path, std::string body, std::string version);

    // As send(), without a form of the user: only for actions that do no harm if another site led
    // the browser to the page.
    Task<Answer> act(std::string path, std::string body);
    // The same as send(), of a route that answers with a stream of events: it goes to the browser
    // as the answer of this request, and Answer::streams says so.
    Task<Answer> stream(std::string path, std::string body);
    // The direct upload of one file, as multipart/form-data with this boundary.
    Task<Answer> upload(std::string boundary, Pieces body);
    // The facts about the file at /__svc/files/…; nothing if the caller may not read it.
    Task<std::optional<StoredFile>> file(std::string address);

    // Treats the browser as a guest from now on, because its session has ended.
    void forget_session() { guest_ = true; }
    // True if a route reported that the session has ended.
    bool session_ended() const { return session_ended_; }

  private:
    struct ApiRequest {
        std::string method, path, query = {}, body = {}, version = {}, type = {};
        Pieces pieces = {};
        FileLinks links = FileLinks::none;
        std::string origin = {};  // empty: the browser's own
    };
    class Inner;
    Task<Answer> ask(ApiRequest request);
    // Runs the route. Its answer is in the reply of `inner`.
    Task<> run(Inner& inner, const ApiRequest& request);

    const route::Router& router_;
    const std::shared_ptr<const AppKey> key_;
    http::Exchange& outer_;
    bool guest_ = false, session_ended_ = false;
};

}  // namespace svc::page
