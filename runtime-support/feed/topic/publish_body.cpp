#include "feed/topic/publish_body.hpp"

#include <algorithm>
#include <optional>

#include "json/formats.hpp"
#include "json/lexer.hpp"

namespace svc::feed {
namespace {

using json::Lexer;
using json::Token;

Error wrong(std::string message) { return {Code::params_invalid, std::move(message)}; }

Error no_json(const Lexer& lexer) { return wrong(lexer.message()); }

Error beside(const std::string& name) {
    return {Code::params_invalid,
            "\"" + name + "\" is not a member of this body. Put it into payload.", name};
}

// White space alone: no text of JSON holds a bare line break.
std::string in_one_line(std::string_view json) {
    std::string out(json);
    std::ranges::replace(out, '\n', ' ');
    std::ranges::replace(out, '\r', ' ');
    return out;
}

}  // namespace

boost::system::result<std::string, Error> read_payload(std::string_view body) {
    constexpr std::string_view kNone = "null";
    if (body.find_first_not_of(" \t\r\n") == std::string_view::npos) return std::string(kNone);
    Lexer lexer(body);
    if (lexer.peek() != Token::object)
        return wrong("The body must be an object: {\"payload\": …}.");
    lexer.take('{');
    std::optional<std::string_view> payload;
    if (!lexer.take('}')) {
        do {
            std::string name;
            std::string_view value;
            if (!lexer.string(name) || !lexer.expect(':')) return no_json(lexer);
            if (name != "payload") return beside(name);
            if (payload) return wrong("payload is given twice.");
            if (!lexer.value(value)) return no_json(lexer);
            payload = value;
        } while (lexer.take(','));
        if (!lexer.expect('}')) return no_json(lexer);
    }
    if (!lexer.expect_end()) return no_json(lexer);
    if (payload && payload->size() > kMaxPayload)
        return Error{Code::payload_too_large, "A payload may have at most 64 KiB."};
    // Workflows read it as jsonb, which has no such number.
    if (payload && !json::numbers_in_range(*payload))
        return wrong("A number in the payload has too many digits.");
    return in_one_line(payload.value_or(kNone));
}

}  // namespace svc::feed
