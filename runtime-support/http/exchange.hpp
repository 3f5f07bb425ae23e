// One request and its answer, as handlers see them. Beast and sockets stay in session.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/error.hpp"
#include "http/task.hpp"

namespace svc::http {

struct Header {
    std::string_view name;  // as sent; compare with iequals
    std::string_view value;
};

// The head of a request, parsed and guarded. Views into the session's buffer: valid until the
// answer is written.
struct Head {
    std::string_view method;  // GET, HEAD, …
    std::string_view target;  // as sent
    // Target up to '?', percent-decoded once (http/request/path.hpp); a view into `decoded` where
    // that is set, which is where it had escapes.
    std::string_view path;
    std::shared_ptr<const std::string> decoded;
    std::string_view query;  // after '?', may be empty
    std::string_view host;   // of the Host header, port removed, as sent
    std::vector<Header> headers;
    bool keep_alive = true;
    bool by_tls = false;  // the client speaks TLS, with a proxy in front of us
    // True if the key and the session may be in the query, as Service::credentials_in_query()
    // decided.
    bool credentials_in_query = false;

    // First header of this name (any case), or empty.
    std::string_view header(std::string_view name) const;
};

// Percent-decoded value of a query parameter; `found` distinguishes an empty value from none.
struct QueryParam {
    bool found = false;
    std::string value;
};
QueryParam query_param(std::string_view query, std::string_view name);

class Stream;  // http/stream.hpp

// The body of an answer that is read while it is sent, so that it is never completely in memory.
class BodySource {
  public:
    virtual ~BodySource() = default;
    virtual std::uint64_t length() const = 0;
    // The next bytes, a view that is valid until the next call. Empty if they cannot be read; the
    // connection is then cut, which shows the client that the answer is incomplete.
    virtual Task<std::string_view> next() = 0;
};

// A part of a streamed body, as next_body() returns it.
struct BodyPart {
    enum class State : std::uint8_t {
        more,      // bytes, and there may be others
        end,       // no bytes: the body is whole
        malformed  // no bytes: it cannot be read, or its client is gone
    };
    State state = State::end;
    std::string_view bytes{};  // valid until the next call
};

// The answer. `body` is written after the head in one send; its capacity is kept between requests.
struct Reply {
    int status = 200;
    std::string_view content_type = "application/json";
    std::string extra_headers;  // whole lines, each ending in CRLF
    std::string body;
    bool close = false;
    // If set: the answer is a text/event-stream, and after its head this function gets the
    // connection. Not called if the client has left, nor for HEAD.
    std::function<void(std::unique_ptr<Stream>)> follow = {};
    std::shared_ptr<BodySource> source = {};  // set: the answer's body, in place of `body`
    bool headless = false;  // with `follow`: the head was written before, by another process

    void clear();
    void header(std::string_view name, std::string_view value);  // CR and LF in value are dropped
};

// A stream of server-sent events. Opened by Exchange::open_stream; each send waits for the socket.
class EventStream {
  public:
    virtual ~EventStream() = default;
    // False once the client is gone.
    virtual Task<bool> send(std::string frame) = 0;
};

class Exchange {
  public:
    virtual ~Exchange() = default;
    const Head& head() const { return head_; }
    std::string_view body() const { return body_; }
    Reply& reply() { return reply_; }
    // The peer's address, the client's own where a trusted proxy says so.
    std::string_view remote() const { return remote_; }
    // Sends the head of a text/event-stream answer. After it, reply() is not used.
    virtual Task<EventStream*> open_stream() = 0;
    // Calls `hung_up`, at most once and on this thread, when the client has closed its side while
    // the request is handled. Empty: the watch ends. A client that has sent more than this request
    // is not watched.
    virtual void watch(std::function<void()> /*hung_up*/) {}
    // The next bytes of a body that Service::streams_body() left unread. Bytes that the handler
    // does not read are dropped, and the connection ends with the answer. `wanted`: a buffer that
    // the bytes may be read into, if they have not arrived yet and the length of the body is known.
    // The caller keeps it while it waits. The bytes may be elsewhere: BodyPart says where they are.
    virtual Task<BodyPart> next_body(std::span<char> /*wanted*/ = {}) { co_return BodyPart{}; }

  protected:
    Head head_;
    std::string body_;
    Reply reply_;
    std::string remote_;
};

// {"ok":false,"error":{"code":…,"message":…}} of the runtime API. `retry_after`: seconds, for
// Retry-After; 0: there is none, or 1 where something is unavailable.
void fail(Reply& reply, const Error& error, unsigned retry_after = 0);

}  // namespace svc::http
