#include "service/dev_service.hpp"

#include <unistd.h>

#include <functional>

#include "http/request/path.hpp"
#include "service/all_routes.hpp"
#include "service/dev_call.hpp"

namespace svc::devapi {
namespace {

// While it lives, `hung_up` says whether the client has closed its side.
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

}  // namespace

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
    call.request.mcp_method = head.header("mcp-method");
    call.request.mcp_name = head.header("mcp-name");
    call.request.last_event_id = head.header("last-event-id");
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

}  // namespace svc::devapi
