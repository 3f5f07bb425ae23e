// Turns the answer to an http step into its result.
#include <algorithm>
#include <array>
#include <ctime>

#include "base/ascii.hpp"
#include "base/json_text.hpp"
#include "base/utf8.hpp"
#include "json/formats.hpp"
#include "outgoing/retry_after.hpp"
#include "run/call/http_step.hpp"
#include "run/call/mask.hpp"

namespace svc::run {
namespace {

constexpr std::string_view kRetried[] = {"408", "425", "429"};

bool accepts(const json::Value& accept, const std::string& status) {
    return std::ranges::any_of(accept.items,
                               [&](const json::Value& item) { return item.text == status; });
}

bool says_json(std::string_view type) {
    type = base::trim(type.substr(0, type.find(';')));
    return base::iequals(type, "application/json") || type.ends_with("+json");
}

// Appends the text without U+0000, which PostgreSQL cannot store.
void append_shown(std::string& out, std::string text) {
    std::erase(text, '\0');
    base::append_json(out, text);
}

void append_body(std::string& out, const outgoing::Fetched& fetched, std::string body) {
    if (says_json(fetched.header("content-type"))) {
        const json::Parsed parsed = json::parse(body);
        if (parsed.error.empty() && !parsed.nul && json::numbers_in_range(body)) {
            out += body;
            return;
        }
    }
    append_shown(out, std::move(body));
}

// If a header occurs several times, the first counts.
std::string output_of(const outgoing::Fetched& fetched, const std::vector<std::string>& secrets) {
    std::string out = R"({"status":)" + std::to_string(fetched.status) + R"(,"headers":{)";
    std::vector<std::string> names;
    for (const auto& [name, value] : fetched.headers) {
        if (std::ranges::find(names, name) != names.end()) continue;
        if (!names.empty()) out += ',';
        names.push_back(name);
        append_shown(out, masked(name, secrets));
        out += ':';
        append_shown(out, masked(value, secrets));
    }
    out += R"(},"body":)";
    append_body(out, fetched, masked(fetched.body, secrets));
    return out + "}";
}

}  // namespace

std::string begin_of(std::string_view body) {
    constexpr std::size_t kShown = 300;
    std::string out;
    while (!body.empty() && out.size() < kShown) {
        const std::size_t length = base::utf8_sequence(body);
        const std::string_view next = length == 0 ? "\xEF\xBF\xBD" : body.substr(0, length);
        if (next.front() != '\0') out += next;
        body.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out.empty() ? "." : ": " + out;
}

ServiceResult read_answer(const ServiceCall& call, const outgoing::Fetched& fetched,
                          const std::vector<std::string>& secrets) {
    ServiceResult result;
    if (fetched.status == 0)
        return failed(StepCode::no_answer,
                      "There was no answer: " + masked(fetched.error, secrets) + ".",
                      !fetched.for_good);
    const std::string status = std::to_string(fetched.status);
    if (fetched.status < 400 || accepts(call.accept, status)) {
        result.output = output_of(fetched, secrets);
        return result;
    }
    result.error = "The answer had status " + status + begin_of(masked(fetched.body, secrets));
    result.code = "HTTP_" + status;
    result.retryable =
        fetched.status >= 500 || std::ranges::find(kRetried, status) != std::end(kRetried);
    result.retry_after = outgoing::retry_after(fetched.header("retry-after"), std::time(nullptr));
    return result;
}

}  // namespace svc::run
