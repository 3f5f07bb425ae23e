#include "http/exchange.hpp"

#include <algorithm>
#include <iterator>

#include "base/ascii.hpp"
#include "base/json_text.hpp"
#include "base/percent.hpp"

namespace svc::http {
namespace {

// A reply's capacity is kept up to this; one huge answer does not stay with its connection.
constexpr std::size_t kKeptCapacity = 256 * 1024;

constexpr bool ends_line(char c) { return c == '\r' || c == '\n' || c == '\0'; }

}  // namespace

std::string_view Head::header(std::string_view name) const {
    for (const Header& header : headers) {
        if (base::iequals(header.name, name)) return header.value;
    }
    return {};
}

QueryParam query_param(std::string_view query, std::string_view name) {
    while (!query.empty()) {
        std::string_view pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), pair.size() + 1));
        std::size_t equals = pair.find('=');
        std::string_view key = pair.substr(0, equals);
        // Most keys are plain: only an escaped one is decoded to be compared.
        bool plain = key.find_first_of("%+") == std::string_view::npos;
        if (plain ? key != name : base::percent_decoded(key, true) != name) continue;
        if (equals == std::string_view::npos) return {true, {}};
        return {true, base::percent_decoded(pair.substr(equals + 1), true)};
    }
    return {};
}

void Reply::clear() {
    status = 200;
    content_type = "application/json";
    extra_headers.clear();
    if (body.capacity() > kKeptCapacity) body = {};
    body.clear();
    close = false;
    follow = nullptr;
    source = nullptr;
    headless = false;
}

void Reply::header(std::string_view name, std::string_view value) {
    extra_headers += name;
    extra_headers += ": ";
    // Almost no value needs a character left out, and each answer has several: whole if it can
    // be.
    if (std::none_of(value.begin(), value.end(), [](char c) { return ends_line(c); })) {
        extra_headers += value;
    } else {
        std::remove_copy_if(value.begin(), value.end(), std::back_inserter(extra_headers),
                            ends_line);
    }
    extra_headers += "\r\n";
}

void fail(Reply& reply, const Error& error, unsigned retry_after) {
    reply.status = status(error.code);
    reply.content_type = "application/json";
    if (retry_after == 0 && error.code == Code::unavailable) retry_after = 1;
    if (retry_after > 0) reply.header("Retry-After", std::to_string(retry_after));
    std::string& body = reply.body;
    const std::string_view code = error.sqlstate.empty() ? name(error.code) : error.sqlstate;
    body = R"({"ok":false,"error":{)";
    if (!code.empty()) {
        body += R"("code":)";
        base::append_json(body, code);
        body += ',';
    }
    body += R"("message":)";
    base::append_json(body, error.message);
    if (!error.field.empty()) {
        body += R"(,"field":)";
        base::append_json(body, error.field);
    }
    body += error.extra;
    body += "}}";
}

}  // namespace svc::http
