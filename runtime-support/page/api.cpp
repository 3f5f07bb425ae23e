#include "page/api.hpp"

#include <algorithm>

#include "base/app_paths.hpp"
#include "base/ascii.hpp"
#include "base/percent.hpp"
#include "identity/credentials.hpp"
#include "json/own.hpp"

namespace svc::page {
namespace {

using base::kApiPath;

// The headers of the browser's request that go on to the route: who sends it, and from where.
constexpr std::string_view kPassedOn[] = {"host", "origin", "cookie", "user-agent",
                                          "sec-fetch-site"};

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

// A guest keeps the cookies that say nothing of a session: a sign-in that this browser has begun.
std::string cookies_of_guest(const http::Head& head) {
    const std::string session =
        identity::cookie_name(head, identity::kSessionCookie, identity::session_path(head)) + "=";
    std::string out;
    for (std::string_view rest = head.header("cookie"); !rest.empty();) {
        const std::string_view one = base::trim(rest.substr(0, rest.find(';')));
        rest.remove_prefix(std::min(rest.size(), rest.find(';')));
        rest.remove_prefix(rest.empty() ? 0 : 1);
        if (!one.starts_with(session)) out.append(out.empty() ? "" : "; ").append(one);
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

// "inline; filename=\"…\"; filename*=UTF-8''…"
std::string file_name(std::string_view disposition) {
    constexpr std::string_view kName = "filename*=UTF-8''";
    const std::size_t at = disposition.find(kName);
    if (at == std::string_view::npos) return {};
    return base::percent_decoded(disposition.substr(at + kName.size()), false);
}

}  // namespace

// A request that no socket carries.
class Api::Inner : public http::Exchange {
  public:
    Inner(http::Exchange& outer, const ApiRequest& request, bool guest)
        : outer_(outer), pieces_(request.pieces) {
        const http::Head& from = outer.head();
        head_.method = request.method;
        head_.target = request.path;
        head_.path = request.path;
        head_.query = request.query;
        head_.host = from.host;
        head_.by_tls = from.by_tls;
        for (const std::string_view name : kPassedOn) {
            const bool of_browser = name == "origin" || name == "sec-fetch-site";
            if (!request.origin.empty() && of_browser) continue;
            std::string_view value = from.header(name);
            if (guest && name == "cookie") value = cookies_ = cookies_of_guest(from);
            if (!value.empty()) head_.headers.push_back({name, value});
        }
        head_.headers.push_back({"accept", "application/json"});
        if (guest && request.links == FileLinks::wanted)
            head_.headers.push_back({"x-svc-files", "1"});
        if (!request.origin.empty()) head_.headers.push_back({"origin", request.origin});
        if (!request.version.empty()) head_.headers.push_back({"if-match", request.version});
        if (!request.type.empty()) head_.headers.push_back({"content-type", request.type});
        body_ = request.body;
        remote_ = outer.remote();
    }

    Task<http::EventStream*> open_stream() override { co_return nullptr; }
    Task<http::BodyPart> next_body(std::span<char> /*wanted*/) override {
        if (!pieces_) co_return http::BodyPart{};
        co_return co_await pieces_();
    }
    void watch(std::function<void()> hung_up) override { outer_.watch(std::move(hung_up)); }

  private:
    http::Exchange& outer_;
    const Pieces& pieces_;
    std::string cookies_;
};

std::string Answer::error(std::string_view member) const {
    const Json* error = body.find("error");
    return error ? error->text_of(member) : std::string();
}

bool Answer::truncated() const {
    const Json* cut = body.find("truncated");
    return cut && cut->text == "true";
}

const std::vector<Json>& Answer::rows() const {
    static const std::vector<Json> kNone;
    const Json* rows = ok() ? body.find("rows") : nullptr;
    return rows ? rows->items : kNone;
}

Task<Answer> Api::get(std::string path, Members query, FileLinks links) {
    std::string encoded = query.encoded();
    ApiRequest request{"GET", std::move(path), std::move(encoded)};
    request.links = links;
    co_return co_await ask(std::move(request));
}

Task<Answer> Api::send(std::string method, std::string path, std::string body,
                       std::string version) {
    ApiRequest request{std::move(method), std::move(path)};
    request.body = std::move(body);
    request.version = std::move(version);
    co_return co_await ask(std::move(request));
}

Task<Answer> Api::act(std::string path, std::string body) {
    const http::Head& head = outer_.head();
    ApiRequest request{"POST", std::move(path)};
    request.body = std::move(body);
    request.origin = head.by_tls ? "https://" : "http://";
    request.origin += head.header("host");
    co_return co_await ask(std::move(request));
}

Task<Answer> Api::stream(std::string path, std::string body) {
    ApiRequest request{"POST", std::move(path)};
    request.path.insert(0, kApiPath);
    request.body = std::move(body);
    Inner inner(outer_, request, guest_);
    co_await run(inner, request);
    Answer answer = answer_of(inner.reply());
    session_ended_ = session_ended_ || answer.error("code") == name(Code::unauthorized);
    answer.streams = static_cast<bool>(inner.reply().follow);
    if (answer.streams) outer_.reply().follow = std::move(inner.reply().follow);
    co_return answer;
}

Task<Answer> Api::upload(std::string boundary, Pieces body) {
    ApiRequest request{"POST", "/files/direct", "form=1"};
    request.type = "multipart/form-data; boundary=" + boundary;
    request.pieces = std::move(body);
    co_return co_await ask(std::move(request));
}

Task<std::optional<StoredFile>> Api::file(std::string address) {
    if (!address.starts_with(kApiPath)) co_return std::nullopt;
    const std::size_t mark = std::min(address.find('?'), address.size());
    ApiRequest request{"HEAD", address.substr(kApiPath.size(), mark - kApiPath.size())};
    if (mark < address.size()) request.query = address.substr(mark + 1);
    request.path.insert(0, kApiPath);
    Inner inner(outer_, request, guest_);
    co_await run(inner, request);
    const http::Reply& reply = inner.reply();
    if (reply.status != 200 || !reply.source) co_return std::nullopt;
    co_return StoredFile{file_name(header_line(reply.extra_headers, "content-disposition")),
                         std::string(reply.content_type), reply.source->length()};
}

Task<Answer> Api::ask(ApiRequest request) {
    request.path.insert(0, kApiPath);
    Inner inner(outer_, request, guest_);
    co_await run(inner, request);
    Answer answer = answer_of(inner.reply());
    session_ended_ = session_ended_ || answer.error("code") == name(Code::unauthorized);
    co_return answer;
}

Task<> Api::run(Inner& inner, const ApiRequest& request) {
    const route::Router::Match match =
        router_.match(request.method, std::string_view(request.path).substr(kApiPath.size()));
    if (!match.endpoint) {
        identity::refuse(inner.reply(),
                         identity::refusal(Code::not_found, "There is no such row."));
        co_return;
    }
    route::Request routed{inner, key_, match.id};
    const route::Done done = co_await match.endpoint->handler(routed);
    if (!done) identity::refuse(inner.reply(), done.error());
}

}  // namespace svc::page
