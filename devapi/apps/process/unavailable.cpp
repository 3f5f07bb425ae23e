#include "apps/process/unavailable.hpp"

#include <unistd.h>

namespace svc::devapi {

void Unavailable::answer(http::Connection connection) {
    connection.must_serve = true;
    server_.adopt(std::move(connection));
}

Task<> Unavailable::handle(http::Exchange& exchange) {
    http::Reply& reply = exchange.reply();
    Error error;
    error.code = Code::unavailable;
    error.message = "The app is not running at the moment. Try again soon.";
    http::fail(reply, error);
    if (reply.extra_headers.find("Retry-After") == std::string::npos)
        reply.header("Retry-After", "1");
    reply.close = true;
    co_return;
}

void Unavailable::hand_off(http::Connection connection) { ::close(connection.fd); }

}  // namespace svc::devapi
