#include "page/api.hpp"

#include "base/ascii.hpp"
#include "json/own.hpp"

namespace svc::page {
namespace {

constexpr std::string_view kBase = "/__svc";
// What of the browser's own request is told: who it is, and from where it comes.
constexpr std::string_view kPassedOn[] = {"host", "origin", "cookie", "user-agent",
                                          "sec-fetch-site"};

// A request that no socket carries.
class Inner : public http::Exchange {
  public:
    Inner(const http::Exchange& outer, const std::string& method, const std::string& path,
          const std::string& query, std::string body, const std::string& version, bool guest) {
        const http::Head& from = outer.head();
        head_.method = method;
        head_.target = path;
        head_.path = path;
        head_.query = query;
        head_.host = from.host;
        head_.by_tls = from.by_tls;
        for (const std::string_view name : kPassedOn) {
            if (guest && name == "cookie") continue;
            const std::string_view value = from.header(name);
            if (!value.empty()) head_.headers.push_back({name, value});
        }
        head_.headers.push_back({"accept", "application/json"});
        if (!version.empty()) head_.headers.push_back({"if-match", version});
        body_ = std::move(body);
        remote_ = outer.remote();
    }

    Task<http::EventStream*> open_stream() override { co_return nullptr; }
};

std::string header_line(std::string_view lines, std::string_view name) {
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find("\r\n"));
        lines.remove_prefix(std::min(lines.size(), line.size() + 2));
        const std::size_t colon = line.find(':');
        if (colon != std::string_view::npos && base::iequals(line.substr(0, colon), name))
            return std::string(base::trim(line.substr(colon + 1)));
    }
    return {};
}

std::string cookie_lines(std::string_view lines) {
    std::string out;
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find("\r\n"));
        lines.remove_prefix(std::min(lines.size(), line.size() + 2));
        if (line.starts_with("Set-Cookie:")) out.append(line).append("\r\n");
    }
    return out;
}

Answer answer_of(const http::Reply& reply) {
    Answer out;
    out.status = reply.status;
    if (reply.content_type.starts_with("application/json"))
        out.body = json::parse_own(reply.body).value;
    out.etag = header_line(reply.extra_headers, "etag");
    out.cookies = cookie_lines(reply.extra_headers);
    return out;
}

}  // namespace

std::string Answer::error(std::string_view member) const {
    const Json* error = body.find("error");
    return error ? error->text_of(member) : std::string();
}

const std::vector<Json>& Answer::rows() const {
    static const std::vector<Json> kNone;
    const Json* rows = ok() ? body.find("rows") : nullptr;
    return rows ? rows->items : kNone;
}

Task<Answer> Api::get(std::string path, Members query) {
    std::string encoded = query.encoded();
    co_return co_await ask("GET", std::move(path), std::move(encoded), std::string(),
                           std::string());
}

Task<Answer> Api::send(std::string method, std::string path, std::string body,
                       std::string version) {
    co_return co_await ask(std::move(method), std::move(path), std::string(), std::move(body),
                           std::move(version));
}

Task<Answer> Api::ask(std::string method, std::string path, std::string query, std::string body,
                      std::string version) {
    const std::string whole = std::string(kBase) + path;
    Inner inner(outer_, method, whole, query, std::move(body), version, guest_);
    const route::Router::Match match =
        router_.match(method, std::string_view(whole).substr(kBase.size()));
    if (!match.endpoint) {
        identity::refuse(inner.reply(),
                         identity::refusal(Code::not_found, "There is no such row."));
        co_return answer_of(inner.reply());
    }
    route::Request request{inner, key_, match.id};
    const route::Done done = co_await match.endpoint->handler(request);
    if (!done) identity::refuse(inner.reply(), done.error());
    Answer answer = answer_of(inner.reply());
    session_ended_ = session_ended_ || answer.error("code") == "UNAUTHORIZED";
    co_return answer;
}

}  // namespace svc::page
