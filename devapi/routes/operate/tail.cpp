// Recent events of an environment, as a list or as a stream.
#include "operate/tail.hpp"

#include <chrono>
#include <thread>

#include "calls/environment.hpp"
#include "feed/topic/topic_name.hpp"
#include "http/fields.hpp"
#include "platform/account/credentials.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kUsual = 100, kMost = 500;
constexpr auto kLook = std::chrono::milliseconds(250);
constexpr auto kSign = std::chrono::seconds(1);  // of life, and of whether anybody listens
constexpr auto kAskAgain =
    std::chrono::seconds(5);  // whether they still may, while nothing happens
constexpr auto kLongest = std::chrono::hours(1);

std::optional<TailKind> kind_of(const std::string& name) {
    return name.empty() ? TailKind::events : base::read_word<TailKind>(name);
}

// None, or up to 50.
bool are_topics(std::string_view list) {
    constexpr int kMostTopics = 50;
    if (list.empty()) return true;
    for (int count = 1; count <= kMostTopics; ++count) {
        const auto comma = list.find(',');
        if (!feed::is_topic(list.substr(0, comma))) return false;
        if (comma == std::string_view::npos) return true;
        list.remove_prefix(comma + 1);
    }
    return false;
}

std::optional<TailRequest> tail_request_of(Context& context, const Request& request,
                                           Response& response) {
    TailRequest wanted;
    const auto kind = kind_of(query_value(request.query, "kind"));
    if (!kind) {
        bad_parameter(response, "kind", "Must be events, requests, errors or runs.");
        return std::nullopt;
    }
    wanted.kind = *kind;
    wanted.since = since_of(query_value(request.query, "since"));
    if (wanted.since < 0) {
        bad_parameter(
            response, "since",
            "Must be a duration like 15m, 2h or 1d, or a time like 2026-03-01T12:00:00Z.");
        return std::nullopt;
    }
    const int limit = limit_of(request, kUsual, kMost, response);
    const auto env = limit == 0 ? std::nullopt : environment_of(request, response);
    if (!env) return std::nullopt;
    wanted.limit = static_cast<std::size_t>(limit);
    wanted.topics = query_value(request.query, "topic");
    if (!are_topics(wanted.topics)) {
        bad_parameter(response, "topic",
                      "Must be names of topics separated by commas, at most 50.");
        return std::nullopt;
    }
    wanted.workflow = query_value(request.query, "workflow");
    wanted.database = database_of(context, request, *env, response);
    if (wanted.database.empty()) return std::nullopt;
    wanted.traces = context.apps.traces(request.project->id, *env);
    return wanted;
}

// One of the threads for followers. One more thread exists to answer that none is free.
class Seat {
  public:
    explicit Seat(std::atomic<int>& taken) : taken_(taken), number_(++taken) {}
    ~Seat() { --taken_; }
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;
    bool free() const { return number_ <= kFollowers; }

  private:
    std::atomic<int>& taken_;
    const int number_;
};

// A token that was revoked, or a membership that ended, ends the stream.
bool still_may(Context& context, const Request& request) {
    const auto blank = request.authorization.find(' ');
    const Caller caller =
        authenticate(context.store, context.signer, request.authorization.substr(blank + 1));
    return caller.kind != Caller::Kind::nobody && caller.has("read") &&
           find_project(context.store, caller, request.project->id).has_value();
}

void follow(Context& context, const Request& request, const TailRequest& wanted) {
    Tail tail(wanted);
    for (const std::string& line : tail.first()) request.send_text("entry", line);
    request.send_text("", "");
    const auto end = Clock::now() + kLongest;
    for (auto sign = Clock::now(), ask = sign; Clock::now() < end && request.listening();) {
        std::this_thread::sleep_for(kLook);
        const auto lines = tail.next();
        if (!lines.empty()) {
            if (!still_may(context, request)) return;
            ask = Clock::now();
        }
        for (const std::string& line : lines) request.send_text("entry", line);
        if (Clock::now() > sign + kSign) {
            request.send_text("", "");
            sign = Clock::now();
        }
        if (Clock::now() < ask + kAskAgain) continue;
        if (!still_may(context, request)) return;
        ask = Clock::now();
    }
}

void tail(Context& context, const Request& request, Response& response) {
    const auto wanted = tail_request_of(context, request, response);
    if (!wanted) return;
    if (request.progress) {
        const Seat seat(context.followers);
        if (!seat.free())
            return response.refuse(
                Code::unavailable,
                "Too many callers are following events right now. Try again later.");
        follow(context, request, *wanted);
        response.body = "{\"events\":[]}";
        return;
    }
    std::string list;
    const Tail looked(*wanted);
    for (const std::string& line : looked.first())
        list.append(list.empty() ? "" : ",").append(line);
    response.body = "{\"events\":[" + list + "]}";
}

}  // namespace

void bind_tail(RouteTable& table) {
    Route route{"GET", "/projects/:id/tail", Need::read, Role::viewer, tail, 1024, true, true};
    route.shows = true;
    table.add(route, {"kind", "since", "limit", "env", "topic", "workflow"});
}

}  // namespace svc::devapi
