#include "service/dev_service.hpp"

#include <unistd.h>

#include <algorithm>
#include <boost/asio.hpp>
#include <functional>

#include "calls/call_note.hpp"
#include "calls/dispatch.hpp"
#include "http/path.hpp"
#include "mcp/operations.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

std::string event_frame(std::string_view event, const json& data) {
    return "event: " + std::string(event) + "\ndata: " + to_text(data) + "\n\n";
}

// The last event carries what the body would have carried.
std::string last_frame(const Response& response) {
    json data = json::parse(response.body, nullptr, false);
    if (response.status < 400) return event_frame("done", data);
    data["status"] = response.status;
    return event_frame("error", data);
}

constexpr int kRetryAfter = 5;  // seconds

// Builds, copies, and whatever runs what somebody wrote.
bool is_long(const Route& route) {
    constexpr std::string_view kShort[] = {"/projects/:id/keys", "/projects/:id/preview-token"};
    if (route.follows) return false;
    if (route.pattern == "/mcp") return route.method == "POST";
    if (std::ranges::find(kShort, route.pattern) != std::end(kShort)) return false;
    const bool drops = route.method == "DELETE" && (route.pattern == "/projects/:id" ||
                                                    route.pattern == "/projects/:id/preview");
    return drops || (route.method == "POST" && route.has_project());
}

// A client of tools names its project later: a token has its workspace, a session its account.
LongCalls::Owner owner_of(const Request& request) {
    const std::string& account = request.caller.user_id;
    if (request.project) return {request.project->workspace_id, account};
    const std::string& pinned = request.caller.workspace_id;
    return {pinned.empty() ? account : pinned, account};
}

void send_frame(const std::shared_ptr<Progress>& progress, std::string_view event,
                std::string_view data) {
    if (event.empty()) return progress->push(": \n\n");
    progress->push("event: " + std::string(event) + "\ndata: " + std::string(data) + "\n\n");
}

void send_events(const std::shared_ptr<Progress>& progress, std::string_view event,
                 const json& data) {
    progress->push(event_frame(event, data));
}

// While it lives, `hung_up` tells whether the client has closed its side.
class Watch {
  public:
    Watch(http::Exchange& client, std::atomic<bool>& hung_up) : client_(client) {
        client_.watch([&hung_up] { hung_up = true; });
    }
    ~Watch() { client_.watch(nullptr); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

  private:
    http::Exchange& client_;
};

// Called when the worker is done with the call for good.
struct Finish {
    std::shared_ptr<Progress> progress;
    void operator()(const std::exception_ptr&) const { progress->finish(); }
};

}  // namespace

struct DevService::Call {
    const Route* route = nullptr;
    Request request;
    Response response;
    std::shared_ptr<Progress> progress;  // set where the client wants events
    std::atomic<bool> hung_up{false};
    bool admitted = false;
};

void bind_routes(RouteTable& pages, RouteTable& api) {
    bind_pages(pages);
    bind_setup(pages);
    bind_join(pages, api);
    bind_passkey_page(pages);
    bind_account(api);
    bind_mfa(api);
    bind_passkeys(api);
    bind_tokens(api);
    bind_workspaces(api);
    bind_demands(api);
    bind_audit(api);
    bind_sign_in(pages, api);
    bind_projects(api);
    bind_contract(api);
    bind_domains(api);
    bind_apply(api);
    bind_patch(api);
    bind_verify(api);
    bind_deploy(api);
    bind_snapshots(api);
    bind_keys(api);
    bind_secrets(api);
    bind_data(api);
    bind_people(api);
    bind_sql(api);
    bind_rows(api);
    bind_history(api);
    bind_schema(api);
    bind_workflows(api);
    bind_hooks(api);
    bind_tail(api);
    bind_topics(api);
    bind_demo(api);
    bind_live_files(api);
    bind_mcp(api);
    bind_mcp(pages);
}

std::string routes_text() {
    RouteTable pages, api;
    bind_routes(pages, api);
    json out = json::array();
    for (const Route& route : api.routes())
        out.push_back({{"method", route.method},
                       {"path", route.pattern},
                       {"need", name(route.need)},
                       {"role", name(route.role)},
                       {"project", route.has_project()},
                       {"params", route.params}});
    json tools = json::array();
    for (const Operation& operation : operations())
        tools.push_back({{"name", operation.name},
                         {"method", operation.method},
                         {"path", operation.path},
                         {"reads", operation.reads}});
    return to_text({{"routes", out}, {"operations", tools}});
}

DevService::DevService(Context& context, Workers& workers)
    : context_(context),
      workers_(workers),
      has_app_(std::bind_front(&Apps::live, &context.apps)),
      long_calls_({kSlowWorkers, context.config.long_calls}),
      migrations_(context, slow_, long_calls_) {
    bind_routes(pages_, api_);
    context_.api = &api_;
}

Target DevService::target_of(const http::Head& head) const {
    return find_target(head, context_.config, context_.directory, has_app_);
}

http::Claim DevService::claim(const http::Head& head) {
    const Target target = target_of(head);
    return target.kind == Target::Kind::app ? http::Claim::hand_off : http::Claim::serve;
}

// The session has asked claim() about these very bytes just before; nothing but a drain hands over
// others, and svcd's own drain hands over none.
void DevService::hand_off(http::Connection connection) {
    const auto head = read_head(connection.unread);
    const Target target = head ? target_of(*head) : Target{};
    if (target.kind != Target::Kind::app) {
        ::close(connection.fd);
        return;
    }
    connection.must_serve = true;
    context_.apps.pass(target.project, target.env, std::move(connection));
}

Match DevService::find(const http::Head& head) const {
    const std::string_view path = api_path(head.path);
    return path.empty() ? pages_.find(head.method, head.path) : api_.find(head.method, path);
}

std::size_t DevService::body_limit(const http::Head& head) {
    const Match match = find(head);
    return match.route ? match.route->body_limit : 64 * 1024;
}

Task<> DevService::handle(http::Exchange& exchange) {
    const http::Head& head = exchange.head();
    const Target target = target_of(head);
    if (target.kind == Target::Kind::preflight) {
        preflight(head, context_.directory, exchange.reply());
        co_return;
    }
    if (target.kind == Target::Kind::migration) {
        co_await migrations_.answer(exchange, target);
        co_return;
    }
    if (target.kind != Target::Kind::platform) {
        // An app that came to life since claim() is passed the next request.
        Error error = target.error;
        if (target.kind == Target::Kind::app)
            error = {Code::unavailable, "The app is starting. Try again soon.", {}, {}, {}};
        fail(exchange.reply(), error);
        co_return;
    }
    if (head.path.find(http::kEncodedSlash) != std::string_view::npos) {
        const Error error{Code::bad_request, "This path may not contain an encoded slash (%2F)."};
        refuse(head, error, exchange.reply());
        co_return;
    }
    const Match match = find(head);
    co_await answer(exchange, match);
}

Task<> DevService::answer(http::Exchange& exchange, const Match& match) {
    const http::Head& head = exchange.head();
    Call call;
    call.route = match.route;
    call.request.method = head.method;
    call.request.path = head.path;
    call.request.query = head.query;
    call.request.body = exchange.body();
    call.request.content_type = head.header("content-type");
    call.request.authorization = head.header("authorization");
    call.request.host = head.header("host");
    call.request.origin = head.header("origin");
    call.request.mcp_version = head.header("mcp-protocol-version");
    call.request.remote = exchange.remote();
    call.request.params = match.params;
    if (!match.route) {
        if (!match.allow.empty()) call.response.header("Allow", match.allow);
        call.response.refuse(match.allow.empty() ? 404 : 405,
                             match.allow.empty() ? "This address has no page or route."
                                                 : "This path takes " + match.allow + ".");
    } else if (match.route->streams &&
               head.header("accept").find("text/event-stream") != std::string_view::npos) {
        co_await stream(exchange, call);
    } else {
        call.request.hung_up = &call.hung_up;
        const Watch watch(exchange, call.hung_up);
        co_await run(call);
    }
    ++context_.answers[static_cast<std::size_t>(call.response.status / 100)];
    write(exchange.reply(), call.response);
}

// What is refused before anything happened is an ordinary answer; the stream opens with the first
// event.
Task<> DevService::stream(http::Exchange& exchange, Call& call) {
    call.progress = std::make_shared<Progress>(co_await asio::this_coro::executor);
    call.request.progress = std::bind_front(send_events, call.progress);
    call.request.send_text = std::bind_front(send_frame, call.progress);
    call.request.listening = std::bind_front(&Progress::listened, call.progress);
    const Finish finish{call.progress};
    asio::co_spawn(co_await asio::this_coro::executor, run(call), finish);
    std::string frames;
    http::EventStream* events = nullptr;
    bool listening = true;
    // The work uses what this coroutine owns: it waits for the end also when nobody listens any
    // more.
    while (co_await call.progress->next(frames)) {
        if (!events) events = co_await exchange.open_stream();
        if (listening) listening = co_await events->send(frames);
        if (!listening) call.progress->lose_listener();
    }
    if (events && listening) co_await events->send(last_frame(call.response));
}

// What one workspace asks for may take minutes: sign-ins and look-ups of all the others do not wait
// behind it, and neither does what else is long.
Task<> DevService::run(Call& call) {
    if (is_long(*call.route)) {
        co_await run_long(call);
        co_return;
    }
    const std::function<void()> work =
        std::bind_front(&DevService::dispatch_call, this, std::ref(call));
    Workers& workers = call.route->follows ? followers_ : workers_;
    co_await workers.run(work);
}

Task<> DevService::run_long(Call& call) {
    const std::function<void()> admit =
        std::bind_front(&DevService::admit_call, this, std::ref(call));
    co_await workers_.run(admit);
    if (!call.admitted) co_return;
    const LongCalls::Owner owner = owner_of(call.request);
    const bool entered = co_await long_calls_.enter(owner);
    if (!entered) {
        const std::function<void()> refuse =
            std::bind_front(&DevService::turn_away, this, std::ref(call));
        co_await workers_.run(refuse);
        co_return;
    }
    const LongCalls::Place place(long_calls_, owner);
    const std::function<void()> work =
        std::bind_front(&DevService::perform_call, this, std::ref(call));
    co_await slow_.run(work);
}

void DevService::dispatch_call(Call& call) const noexcept {
    dispatch(context_, *call.route, call.request, call.response);
}

void DevService::admit_call(Call& call) const noexcept {
    call.admitted = admit(context_, *call.route, call.request, call.response);
}

// Who was removed while the call waited for its place, or had the token revoked, may no longer.
void DevService::perform_call(Call& call) const noexcept {
    if (admit_again(context_, *call.route, call.request, call.response))
        perform(context_, *call.route, call.request, call.response);
}

void DevService::turn_away(Call& call) const noexcept {
    call.response.header("Retry-After", std::to_string(kRetryAfter));
    call.response.refuse(
        Code::rate_limited,
        "Too many long calls of this workspace or account are running right now; at most " +
            std::to_string(context_.config.long_calls) +
            " may run at a time. Wait until one has ended, and try again.");
    note_call(context_, *call.route, call.request, call.response);
}

}  // namespace svc::devapi
