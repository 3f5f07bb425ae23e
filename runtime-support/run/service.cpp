#include "run/service.hpp"

#include "base/json_text.hpp"
#include "base/number.hpp"

namespace svc::run {
namespace {

std::int64_t whole_of(const json::Value& in, std::string_view name, std::int64_t otherwise) {
    const json::Value* value = in.find(name);
    const bool given = value && value->is(json::Value::Kind::number);
    return given ? base::number_of(value->text, otherwise) : otherwise;
}

json::Value member_of(const json::Value& in, std::string_view name) {
    const json::Value* value = in.find(name);
    return value ? *value : json::Value();
}

void append_member(std::string& out, std::string_view name, std::string_view text) {
    out += ',';
    base::append_json_member(out, name, text);
}

}  // namespace

ServiceResult failed(FailureCode code, std::string error, bool retryable) {
    ServiceResult result;
    result.code = code.name;
    result.error = std::move(error);
    result.retryable = retryable;
    return result;
}

Task<ServiceResult> perform(const Services& services, ServiceCall call) {
    const auto found = call.kind ? services.find(*call.kind) : services.end();
    if (found != services.end()) co_return co_await found->second->perform(std::move(call));
    co_return failed(StepCode::step_unknown,
                     "This server cannot run a step of the kind " + call.kind_name + ".");
}

ServiceCall read_call(const json::Value& answer) {
    ServiceCall out;
    out.path = answer.text_of("path");
    out.kind_name = answer.text_of("kind");
    out.kind = base::read_word<ServiceKind>(out.kind_name);
    out.idempotency_key = answer.text_of("idempotencyKey");
    out.attempt = whole_of(answer, "attempt", 1);
    out.timeout = whole_of(answer, "timeout", 0);
    out.request = member_of(answer, "request");
    out.secrets = member_of(answer, "secrets");
    out.accept = member_of(answer, "accept");
    return out;
}

std::string result_of(std::string_view path, const ServiceResult& result) {
    std::string out = result.error.empty() ? R"({"ok":true)" : R"({"ok":false)";
    append_member(out, "path", path);
    if (result.error.empty()) return out + ",\"output\":" + result.output + "}";
    append_member(out, "error", result.error);
    append_member(out, "code", result.code);
    out += result.retryable ? ",\"retryable\":true" : ",\"retryable\":false";
    if (result.retry_after) out += ",\"retryAfter\":" + std::to_string(*result.retry_after);
    return out + "}";
}

}  // namespace svc::run
