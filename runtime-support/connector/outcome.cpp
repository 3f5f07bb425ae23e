#include "connector/outcome.hpp"

#include <string>

#include "base/ascii.hpp"
#include "base/json_text.hpp"
#include "json/formats.hpp"
#include "json/value.hpp"

namespace svc::connector {

Outcome failed(std::string error, bool retryable) {
    Outcome out;
    out.error = std::move(error);
    out.retryable = retryable;
    return out;
}

Outcome unmade(std::string error) {
    Outcome out = failed(std::move(error));
    out.unmade = true;
    return out;
}

Outcome no_answer(const outgoing::Fetched& fetched) {
    return failed("There was no answer: " + fetched.error + ".", !fetched.for_good);
}

std::string as_json(std::string body, std::string_view content_type) {
    const std::string_view type = base::trim(content_type.substr(0, content_type.find(';')));
    if (base::iequals(type, "application/json") || type.ends_with("+json")) {
        const json::Parsed parsed = json::parse(body);
        if (parsed.error.empty() && !parsed.nul && json::numbers_in_range(body)) return body;
    }
    if (body.empty()) return "null";
    std::erase(body, '\0');
    std::string out;
    base::append_json(out, body);
    return out;
}

}  // namespace svc::connector
