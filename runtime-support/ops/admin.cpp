#include "ops/admin.hpp"

#include <unistd.h>

#include "base/prometheus.hpp"
#include "ops/metrics.hpp"

namespace svc::ops {
namespace {

http::Limits few_connections() {
    http::Limits limits;
    limits.connections = 64;
    return limits;
}

}  // namespace

Admin::Admin(asio::io_context& io, std::string path, std::shared_ptr<Shared> shared)
    : path_(std::move(path)), shared_(std::move(shared)), server_(io, *this, few_connections()) {
    server_.listen("unix:" + path_);
}

Admin::~Admin() { ::unlink(path_.c_str()); }

Task<> Admin::handle(http::Exchange& exchange) {
    const http::Head& head = exchange.head();
    http::Reply& reply = exchange.reply();
    if (head.method != "GET")
        http::fail(reply, {Code::method_not_allowed, "This socket answers only GET."});
    else if (head.path == "/healthz")
        reply.body = R"({"ok":true})";
    else if (head.path != "/metrics")
        http::fail(reply, {Code::not_found, "This socket answers only /metrics and /healthz."});
    else {
        reply.content_type = base::kPrometheusType;
        std::string runs;
        if (shared_->runs_now) runs = co_await shared_->runs_now();
        reply.body = metrics_of(*shared_, runs);
    }
    co_return;
}

void Admin::hand_off(http::Connection connection) { ::close(connection.fd); }

}  // namespace svc::ops
