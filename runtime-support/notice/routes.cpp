#include "notice/routes.hpp"

#include "base/formats.hpp"
#include "data/db_error.hpp"
#include "data/query_params.hpp"
#include "identity/command.hpp"
#include "json/value.hpp"

namespace svc::notice {
namespace {

using route::Done;
using route::Handled;
using route::Request;

constexpr std::string_view kPage =
    "select id, shown from svc.my_notices($1::boolean, $2::uuid, $3::integer)";
constexpr std::string_view kUnread = "select svc.my_unread()";
constexpr std::string_view kRead = "select shown from svc.read_notice($1::uuid, $2::boolean)";
constexpr std::string_view kReadAll = "select svc.read_all_notices()";
constexpr unsigned kWeight = 8;  // of a write
constexpr Entity kNoEntity{};

class Texts : public db::RowSink {
  public:
    void row(const Row& row) override { rows.emplace_back(row.text(0)); }
    std::vector<std::string> rows;
};

// The statement asks for one row more than a page has: the extra row shows that there is a next
// page.
class Notices : public db::RowSink {
  public:
    Notices(std::string& body, std::size_t limit) : body_(body), limit_(limit) {
        body_ = R"({"ok":true,"notifications":[)";
    }
    void row(const Row& row) override {
        if (count_++ == limit_) {
            next_ = last_;
            return;
        }
        if (count_ > 1) body_ += ',';
        body_ += row.text(1);
        last_ = row.text(0);
    }
    const std::string& next() const { return next_; }  // empty: the page was the last

  private:
    std::string& body_;
    const std::size_t limit_;
    std::size_t count_ = 0;
    std::string last_, next_;
};

Handled refuse(http::Exchange& exchange, const Error& error) {
    exchange.reply().body.clear();
    http::fail(exchange.reply(), error);
    return Handled::answered;
}

Error wrong(std::string message, std::string field) {
    return {Code::params_invalid, std::move(message), std::move(field)};
}

// In the name of the caller. None if it went well.
Task<std::optional<Handled>> run(const NotificationContext& in, Request& request,
                                 const Caller& caller, std::vector<db::Command> commands) {
    const IdentityCommand identity_command(caller);
    commands.insert(commands.begin(), identity_command.command());
    const db::Outcome outcome = co_await in.pool.run(commands);
    if (outcome.ok) co_return std::nullopt;
    request.exchange.reply().body.clear();
    if (data::session_ended(outcome)) co_return Handled::session_ended;
    co_return refuse(request.exchange, data::to_error(outcome, kNoEntity));
}

struct Wanted {
    bool unread = false;
    std::string before;  // the last of the page before; empty: the first page
    std::size_t limit = 0;
};

data::Result<Wanted> read_wanted(std::string_view query) {
    constexpr data::WholeRange kLimit{50, 1, 500};
    Wanted out;
    const auto limit = data::whole_param(query, "limit", kLimit);
    if (!limit) return limit.error();
    out.limit = *limit;
    const std::string unread = http::query_param(query, "unread").value;
    if (!unread.empty() && unread != "0" && unread != "1")
        return wrong("\"unread\" must be 1, or left out.", "unread");
    out.unread = unread == "1";
    out.before = http::query_param(query, "cursor").value;
    if (!out.before.empty() && !base::is_uuid(out.before))
        return wrong("\"cursor\" must be the \"nextCursor\" of the previous page.", "cursor");
    return out;
}

Task<Handled> list(const NotificationContext& in, Request& request, const Caller& caller) {
    const auto wanted = read_wanted(request.exchange.head().query);
    if (!wanted) co_return refuse(request.exchange, wanted.error());
    std::string& body = request.exchange.reply().body;
    Notices notices(body, wanted->limit);
    Texts unread;
    const std::string most = std::to_string(wanted->limit + 1);
    const db::Param params[] = {wanted->unread ? "true" : "false",
                                wanted->before.empty() ? db::Param() : db::Param(wanted->before),
                                most};
    std::vector<db::Command> commands = {
        identity::command("svc_notices", kPage, params, &notices),
        identity::command("svc_notices_unread", kUnread, {}, &unread)};
    const auto ended = co_await run(in, request, caller, std::move(commands));
    if (ended) co_return *ended;
    body += R"(],"unread":)" + unread.rows.at(0) + R"(,"nextCursor":)";
    if (notices.next().empty())
        body += "null}";
    else
        body += '"' + notices.next() + "\"}";
    co_return Handled::answered;
}

// {"read": true}
std::optional<bool> read_flag(std::string_view body) {
    const json::Parsed parsed = json::parse(body);
    if (!parsed.error.empty() || !parsed.value.is(json::Value::Kind::object)) return std::nullopt;
    const json::Value* read = parsed.value.find("read");
    if (!read || !read->is(json::Value::Kind::boolean) || parsed.value.members.size() > 1)
        return std::nullopt;
    return read->text == "true";
}

Task<Handled> mark(const NotificationContext& in, Request& request, const Caller& caller) {
    const Error nobodys{Code::not_found, "You have no such notification."};
    if (!base::is_uuid(request.id)) co_return refuse(request.exchange, nobodys);
    const auto read = read_flag(request.exchange.body());
    if (!read)
        co_return refuse(request.exchange,
                         wrong("The body must be {\"read\": true} or {\"read\": false}.", "read"));
    Texts marked;
    const db::Param params[] = {request.id, *read ? "true" : "false"};
    std::vector<db::Command> commands = {
        identity::command("svc_notice_read", kRead, params, &marked)};
    commands.back().weight = kWeight;
    const auto ended = co_await run(in, request, caller, std::move(commands));
    if (ended) co_return *ended;
    if (marked.rows.empty()) co_return refuse(request.exchange, nobodys);
    request.exchange.reply().body = R"({"ok":true,"notification":)" + marked.rows.front() + '}';
    co_return Handled::answered;
}

Task<Handled> mark_all(const NotificationContext& in, Request& request, const Caller& caller) {
    Texts marked;
    std::vector<db::Command> commands = {
        identity::command("svc_notices_read", kReadAll, {}, &marked)};
    commands.back().weight = kWeight;
    const auto ended = co_await run(in, request, caller, std::move(commands));
    if (ended) co_return *ended;
    request.exchange.reply().body = R"({"ok":true,"read":)" + marked.rows.at(0) + '}';
    co_return Handled::answered;
}

using Act = Task<Handled> (*)(const NotificationContext&, Request&, const Caller&);

Task<Handled> as_user(const NotificationContext& in, Request& request, const Caller& caller,
                      Act act) {
    if (!caller.user) co_return refuse(request.exchange, {Code::unauthorized, "Sign in first."});
    co_return co_await act(in, request, caller);
}

route::Endpoint endpoint(const NotificationContext& in, Method method, std::string_view path,
                         Act act) {
    const auto answer = [&in, act](Request& request) -> Task<Done> {
        const auto as = [&in, &request, act](const Caller& caller) {
            return as_user(in, request, caller, act);
        };
        co_return co_await route::as_caller(in.callers, request, as);
    };
    return {.method = method, .path = path, .entry = route::Entry::key, .handler = answer};
}

constexpr std::string_view kParams[] = {"unread", "limit", "cursor"};

}  // namespace

std::vector<route::Endpoint> routes(const NotificationContext& in) {
    std::vector<route::Endpoint> endpoints = {
        endpoint(in, Method::get, "/notifications", list),
        endpoint(in, Method::patch, "/notifications/<id>", mark),
        endpoint(in, Method::post, "/notifications/read-all", mark_all)};
    endpoints.front().params = kParams;
    return endpoints;
}

}  // namespace svc::notice
