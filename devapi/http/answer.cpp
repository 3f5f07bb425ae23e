#include "http/answer.hpp"

#include "http/request/path.hpp"

namespace svc::devapi {

std::string_view api_path(std::string_view path) {
    for (std::string_view base : {"/dev/v1", "/api/dev/v1"})
        if (const auto rest = http::below(path, base)) return *rest;
    return {};
}

void write(http::Reply& reply, Response& response) {
    reply.status = response.status;
    reply.content_type = response.content_type;
    reply.header("Cache-Control", "no-store");
    reply.extra_headers += response.headers;
    reply.body = std::move(response.body);
}

void refuse_call(const http::Head& head, const Error& error, http::Reply& reply) {
    if (api_path(head.path).empty()) return fail(reply, error);
    Response response;
    response.refuse(error.code, std::string(error.message));
    write(reply, response);
    if (error.code == Code::unavailable) reply.header("Retry-After", "1");
}

}  // namespace svc::devapi
