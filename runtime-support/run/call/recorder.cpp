#include "run/call/recorder.hpp"

#include <utility>

#include "run/call/http_step.hpp"

namespace svc::run {
namespace {

// The empty answers, with the members that steps of each kind read.
constexpr std::pair<ServiceKind, std::string_view> kAnswers[] = {
    {ServiceKind::http, R"({"status":200,"headers":{},"body":null})"},
    {ServiceKind::connector, "{}"},
    {ServiceKind::mcp, "{}"},
    {ServiceKind::ai, R"({"content":""})"},
    {ServiceKind::embed, R"({"vectors":[]})"},
};

// The address without its query and its user, where an author may have put secrets.
std::string place_of(const std::string& url) {
    const std::size_t scheme = url.find("://");
    const std::size_t start = scheme == std::string::npos ? 0 : scheme + 3;
    std::string out = url.substr(start, url.find_first_of("?#", start) - start);
    const std::size_t user = out.substr(0, out.find('/')).rfind('@');
    return user == std::string::npos ? out : out.substr(user + 1);
}

}  // namespace

ServiceResult stand_in(const ServiceCall& call) {
    ServiceResult result;
    if (call.kind == ServiceKind::http) result = prepare(call).refused.value_or(ServiceResult());
    result.output = "null";
    for (const auto& [kind, answer] : kAnswers)
        if (kind == call.kind) result.output = answer;
    return result;
}

std::string target_of(const ServiceCall& call) {
    if (call.kind != ServiceKind::http) return {};
    const std::string method = call.request.text_of("method");
    return (method.empty() ? "GET" : method) + " " + place_of(call.request.text_of("url"));
}

Services recorded(Recorder& recorder) {
    Services out;
    for (const auto& [kind, answer] : kAnswers) out.emplace(kind, &recorder);
    return out;
}

}  // namespace svc::run
