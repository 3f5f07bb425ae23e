// Recent events of an environment, as a list or as a stream.
#include "operate/tail/tail.hpp"

#include <chrono>
#include <thread>

#include "calls/environment.hpp"
#include "feed/topic/topic_name.hpp"
#include "http/fields.hpp"
#include "operate/runs.hpp"
#include "operate/topics.hpp"
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

// Up to 50 names, separated by commas. Nothing if the text is not such a list.
std::optional<std::vector<std::string>> topics_of(std::string_view list) {
    constexpr std::size_t kMostTopics = 50;
    std::vector<std::string> out;
    while (!list.empty()) {
        const auto comma = list.find(',');
        const auto topic = list.substr(0, comma);
        const bool ends = comma + 1 == list.size();  // with a comma
        if (!feed::is_topic(topic) || ends || out.size() == kMostTopics) return std::nullopt;
        out.emplace_back(topic);
        list.remove_prefix(comma == list.npos ? list.size() : comma + 1);
    }
    return out;
}

// Reads the id of the last event that the caller has of an earlier stream. False: answered.
bool read_behind(const Request& request, TailRequest& wanted, Response& response) {
    // The header that EventSource sends is newer than the address.
    const std::string id = request.last_event_id.empty() ? query_value(request.query, "lastEventId")
                                                         : std::string(request.last_event_id);
    if (id.empty()) return true;
    wanted.after = read_tail_place(base::word(wanted.kind), id);
    if (!wanted.after)
        bad_parameter(response, "lastEventId",
                      "Must be the id of an event of a stream of this kind.");
    return wanted.after.has_value();
}

// False: one of them does not exist, and that is answered.
bool know_topics(const TailRequest& wanted, const std::vector<std::string>& topics,
                 Response& response) {
    for (const std::string& topic : topics)
        if (const auto why = unknown_topic(wanted.database, topic)) {
            response.refuse(Code::not_found, *why);
            return false;
        }
    return true;
}

// False: it does not exist, and that is answered.
bool know_workflow(const TailRequest& wanted, Response& response) {
    if (wanted.workflow.empty() || !has_runs(wanted.database)) return true;
    const auto why = unknown_workflow(wanted.database, wanted.workflow);
    if (why) response.refuse(Code::not_found, *why);
    return !why;
}

// As above. A stream that goes on was let in: its topic may be gone, or old, by now.
bool know_names(const Request& request, const TailRequest& wanted,
                const std::vector<std::string>& topics, Response& response) {
    if (wanted.after) return true;
    if (wanted.kind == TailKind::runs) return know_workflow(wanted, response);
    const bool any = query_value(request.query, "undeclared") == "true";
    return wanted.kind != TailKind::events || any || know_topics(wanted, topics, response);
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
    const auto topics = topics_of(wanted.topics);
    if (!topics) {
        bad_parameter(response, "topic",
                      "Must be names of topics separated by commas, at most 50.");
        return std::nullopt;
    }
    wanted.workflow = query_value(request.query, "workflow");
    if (!read_behind(request, wanted, response)) return std::nullopt;
    wanted.database = database_of(context, request, *env, response);
    if (wanted.database.empty()) return std::nullopt;
    if (!know_names(request, wanted, *topics, response)) return std::nullopt;
    wanted.traces = context.apps.traces(request.project->id, *env);
    return wanted;
}

// One of the threads for followers. One more thread exists to answer that none is free.
class FollowerSlot {
  public:
    explicit FollowerSlot(std::atomic<int>& taken) : taken_(taken), number_(++taken) {}
    ~FollowerSlot() { --taken_; }
    FollowerSlot(const FollowerSlot&) = delete;
    FollowerSlot& operator=(const FollowerSlot&) = delete;
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

void send_lines(const Request& request, TailSource& tail, const TailLines& lines) {
    if (const auto reset = tail.take_reset(); reset != feed::Reset::none)
        request.send_text(
            "reset", R"({"kind":"reset","reason":")" + std::string(word_of(reset)) + "\"}", {});
    for (const TailLine& line : lines) request.send_text("entry", line.text, line.place);
}

void follow(Context& context, const Request& request, const TailRequest& wanted) {
    const auto tail = open_tail(wanted);
    send_lines(request, *tail, wanted.after ? tail->next() : tail->first(wanted.limit));
    request.send_text("", "", tail->place());
    const auto end = Clock::now() + kLongest;
    for (auto sign = Clock::now(), ask = sign; Clock::now() < end && request.listening();) {
        std::this_thread::sleep_for(kLook);
        const auto lines = tail->next();
        if (!lines.empty()) {
            if (!still_may(context, request)) return;
            ask = Clock::now();
        }
        send_lines(request, *tail, lines);
        if (Clock::now() > sign + kSign) {
            request.send_text("", "", tail->place());
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
        const FollowerSlot slot(context.followers);
        if (!slot.free())
            return response.refuse(
                Code::unavailable,
                "Too many callers are following events right now. Try again later.");
        follow(context, request, *wanted);
        response.body = "{\"events\":[]}";
        return;
    }
    std::string list;
    const auto looked = open_tail(*wanted);
    for (const TailLine& line : looked->first(wanted->limit))
        list.append(list.empty() ? "" : ",").append(line.text);
    response.body = "{\"events\":[" + list + "]}";
}

}  // namespace

void bind_tail(RouteTable& table) {
    Route route{"GET", "/projects/:id/tail", Need::read, Role::viewer, tail, 1024, true, true};
    route.shows = true;
    table.add(route,
              {"kind", "since", "limit", "env", "topic", "workflow", "undeclared", "lastEventId"});
}

}  // namespace svc::devapi
