#include "hook/call_body.hpp"

#include <algorithm>
#include <map>

#include "base/ascii.hpp"
#include "base/json_text.hpp"
#include "base/percent.hpp"
#include "base/sha256.hpp"
#include "base/utf8.hpp"
#include "json/formats.hpp"
#include "json/lexer.hpp"

namespace svc::hook {
namespace {

using json::Lexer;
using json::Token;

constexpr std::size_t kLongestId = 200;  // bytes; of a longer one the hash is kept

// Headers that hold credentials of the caller, that proxies add, or that a workflow cannot use.
constexpr std::string_view kHidden[] = {
    "authorization",       "cookie",
    "proxy-authorization", "x-svc-signature",
    "stripe-signature",    "webhook-signature",
    "x-hub-signature",     "x-hub-signature-256",
    "x-slack-signature",   "x-shopify-hmac-sha256",
    "connection",          "content-length",
    "transfer-encoding",   "x-svc-webhook-secret",
};

using Fields = std::map<std::string, std::vector<std::string>, std::less<>>;

Fields read_form(std::string_view body) {
    Fields fields;
    while (!body.empty()) {
        const std::string_view pair = body.substr(0, body.find('&'));
        body.remove_prefix(std::min(body.size(), pair.size() + 1));
        if (pair.empty()) continue;
        const std::size_t equals = std::min(pair.find('='), pair.size());
        const std::string_view value = pair.substr(std::min(equals + 1, pair.size()));
        fields[base::percent_decoded(pair.substr(0, equals), true)].push_back(
            base::percent_decoded(value, true));
    }
    return fields;
}

std::string form_as_json(const Fields& fields) {
    std::string out = "{";
    for (const auto& [name, values] : fields) {
        if (out.size() > 1) out += ',';
        base::append_json(out, name);
        out += values.size() > 1 ? ":[" : ":";
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i > 0) out += ',';
            base::append_json(out, values[i]);
        }
        if (values.size() > 1) out += ']';
    }
    return out + '}';
}

identity::Result<std::string> read_json(std::string_view text) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return std::string("null");
    Lexer lexer(text);
    std::string_view value;
    if (!lexer.value(value) || !lexer.expect_end())
        return identity::refusal(Code::bad_request,
                                 "The body is neither JSON nor a form: " + lexer.message());
    if (!json::numbers_in_range(value))
        return identity::refusal(Code::bad_request, "A number in the body is out of range.");
    return std::string(value);
}

bool is_form(const http::Head& head) {
    std::string_view type = head.header("content-type");
    type = base::trim(type.substr(0, type.find(';')));
    return base::iequals(type, "application/x-www-form-urlencoded");
}

// The last member of this name of an object, as JSON; empty if there is none. Linear: nobody
// knows how many members a stranger sends.
std::string_view member_of(std::string_view object, std::string_view wanted) {
    Lexer lexer(object);
    std::string_view found;
    if (lexer.peek() != Token::object || !lexer.take('{') || lexer.take('}')) return found;
    do {
        std::string name;
        std::string_view value;
        if (!lexer.string(name) || !lexer.expect(':') || !lexer.value(value)) return {};
        if (name == wanted) found = value;
    } while (lexer.take(','));
    return found;
}

// The value at a path of members, as text. Nothing if there is none, or if it is not a single
// value.
std::optional<std::string> text_at(std::string_view json, std::string_view path) {
    while (!path.empty() && !json.empty()) {
        const std::string_view name = path.substr(0, path.find('.'));
        path.remove_prefix(std::min(path.size(), name.size() + 1));
        json = member_of(json, name);
    }
    Lexer lexer(json);
    const Token kind = lexer.peek();
    std::string text(json);
    if (kind == Token::string ? !lexer.string(text) : kind != Token::number) return std::nullopt;
    return text.empty() ? std::nullopt : std::optional(text);
}

std::optional<std::string> in_header(const http::Head& head,
                                     std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
        if (const std::string_view value = base::trim(head.header(name)); !value.empty())
            return std::string(value);
    return std::nullopt;
}

// A body that has an id and says what happened is an event; one that has an id alone may be a row.
std::optional<std::string> of_envelope(std::string_view body) {
    if (!text_at(body, "type") && !text_at(body, "event")) return std::nullopt;
    return text_at(body, "id");
}

std::optional<std::string> by_scheme(Scheme scheme, const http::Head& head, std::string_view body) {
    switch (scheme) {
        case Scheme::standard:
            return in_header(head, {"webhook-id"});
        case Scheme::github:
            return in_header(head, {"x-github-delivery"});
        case Scheme::stripe:
            return text_at(body, "id");
        case Scheme::slack:
            return text_at(body, "event_id");
        case Scheme::shopify:
            return in_header(head, {"x-shopify-webhook-id", "x-shopify-event-id"});
        case Scheme::svc:
        case Scheme::none:
            break;
    }
    // x-svc-signature does not cover the header: who sends a call again could give it another id.
    const bool unsigned_header = !head.header("x-svc-signature").empty();
    auto named = in_header(head, {"webhook-id"}), inside = of_envelope(body);
    if (unsigned_header && inside) return inside;
    return named ? named : inside;
}

}  // namespace

identity::Result<std::string> read_call_body(const http::Head& head, std::string_view body) {
    if (!is_form(head)) return read_json(body);
    const Fields fields = read_form(body);
    const auto payload = fields.find("payload");
    if (fields.size() == 1 && payload != fields.end() && payload->second.size() == 1) {
        auto inner = read_json(payload->second.front());
        if (inner) return inner;
    }
    return read_json(form_as_json(fields));
}

std::string input_of(const http::Head& head, std::string_view json) {
    std::map<std::string, std::string_view> headers;
    for (const http::Header& header : head.headers) {
        const std::string name = base::lower(header.name);
        if (std::ranges::find(kHidden, name) == std::end(kHidden))
            headers.emplace(name, header.value);
    }
    std::string out = R"({"body":)" + std::string(json) + R"(,"headers":{)";
    for (const auto& [name, value] : headers) {
        if (out.back() != '{') out += ',';
        base::append_json(out, name);
        out += ':';
        base::append_json(out, value);
    }
    return out + "}}";
}

std::optional<std::string> event_id(Scheme scheme, const http::Head& head, std::string_view json,
                                    std::string_view path) {
    auto id = path.empty() ? std::nullopt : text_at(json, path);
    if (!id) id = by_scheme(scheme, head, json);
    if (!id) return std::nullopt;
    const bool plain = id->size() <= kLongestId && base::is_utf8(*id);
    return plain ? id : base::sha256_hex(*id);
}

}  // namespace svc::hook
