#include "http/dev_request.hpp"

namespace svc::devapi {

std::string to_text(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

void Response::send(int code, const json& object) {
    status = code;
    body = to_text(object);
}

void Response::header(std::string_view name, std::string_view value) {
    headers.append(name).append(": ").append(value).append("\r\n");
}

void Response::refuse(AnyCode code, std::string_view message) {
    send(code.status, {{"error", message}, {"code", code.name}});
}

void Response::refuse(int code, std::string_view message) { send(code, {{"error", message}}); }

void Response::not_found(std::string_view what) { refuse(404, std::string(what) + " not found."); }

void refuse_without_factor(Response& response) {
    response.refuse(Code::mfa_required,
                    "This workspace requires a second factor. Enrol one with svc mfa enroll (POST "
                    "/dev/v1/mfa/enroll/start), then sign in with it.");
}

}  // namespace svc::devapi
