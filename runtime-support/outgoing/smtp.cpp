#include "outgoing/smtp.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "base/percent.hpp"
#include "base/url_host.hpp"
#include "http/exchange.hpp"
#include "outgoing/address_guard.hpp"
#include "outgoing/curl.hpp"

namespace svc::outgoing {
namespace {

constexpr long kSeconds = 60;
constexpr long kConnectSeconds = 15;
constexpr long kRefusedForGood = 500;  // and above: RFC 5321, 4.2.1

[[noreturn]] void bad(const char* why) {
    throw std::invalid_argument(std::string("The mail server's URL ") + why +
                                "; write smtp://user:password@host:587/?from=shop@example.com");
}

struct Upload {
    std::string_view rest;
};

std::size_t read_more(char* out, std::size_t size, std::size_t count, void* data) {
    auto* upload = static_cast<Upload*>(data);
    const std::size_t length = std::min(size * count, upload->rest.size());
    std::memcpy(out, upload->rest.data(), length);
    upload->rest.remove_prefix(length);
    return length;
}

void set_server(Handle& handle, const MailServer& server) {
    handle.set(CURLOPT_URL, server.url.c_str());
    handle.set(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    handle.set(CURLOPT_USE_SSL, static_cast<long>(server.tls ? CURLUSESSL_ALL : CURLUSESSL_NONE));
    handle.set(CURLOPT_TIMEOUT, kSeconds);
    handle.set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    if (server.user.empty()) return;
    handle.set(CURLOPT_USERNAME, server.user.c_str());
    handle.set(CURLOPT_PASSWORD, server.password.c_str());
}

}  // namespace

MailServer read_mail_server(std::string_view url) {
    MailServer server;
    const auto scheme = url.find("://");
    if (scheme == std::string_view::npos) bad("has no scheme");
    const std::string_view name = url.substr(0, scheme);
    if (name != "smtp" && name != "smtps") bad("must begin with smtp:// or smtps://");
    std::string_view rest = url.substr(scheme + 3);
    std::string_view authority = rest.substr(0, rest.find_first_of("/?"));
    rest.remove_prefix(authority.size());
    const auto at = authority.rfind('@');
    if (at != std::string_view::npos) {
        const std::string_view who = authority.substr(0, at);
        const auto colon = std::min(who.find(':'), who.size());
        server.user = base::percent_decoded(who.substr(0, colon), false);
        server.password = base::percent_decoded(who.substr(std::min(colon + 1, who.size())), false);
        authority.remove_prefix(at + 1);
    }
    if (authority.empty()) bad("does not name a host");
    server.url = std::string(name) + "://" + std::string(authority);
    const auto query = rest.find('?');
    const std::string_view options =
        query == std::string_view::npos ? std::string_view() : rest.substr(query + 1);
    server.from = http::query_param(options, "from").value;
    if (server.from.find_first_of("\r\n") != std::string::npos)
        bad("has a line break in the parameter from");
    const bool off = http::query_param(options, "tls").value == "off";
    server.tls = name == "smtps" || !(off || base::is_loopback_name(base::host_of(server.url)));
    return server;
}

Sent send(const MailServer& server, const MailMessage& mail) {
    const std::string text = message(mail, std::time(nullptr));
    const std::string from = "<" + address_of(mail.from) + ">";
    const std::string to = "<" + mail.to + ">";
    Upload upload{text};
    AddressGuard guard(server.allowed, base::host_of(server.url));
    try {
        Handle handle;
        set_server(handle, server);
        handle.set(CURLOPT_MAIL_FROM, from.c_str());
        handle.add(to.c_str());
        handle.set(CURLOPT_MAIL_RCPT, handle.lines());
        handle.set(CURLOPT_UPLOAD, 1L);
        handle.set(CURLOPT_READFUNCTION, read_more);
        handle.set(CURLOPT_READDATA, &upload);
        guard.attach(handle);
        const CURLcode code = handle.perform();
        if (code == CURLE_OK) return {true, false, {}};
        if (guard.refused()) return {false, false, kPrivate};
        const long reply = handle.answer_code();
        const bool refused = reply >= kRefusedForGood && code != CURLE_LOGIN_DENIED;
        std::string error = handle.words(code);
        if (reply > 0) error += " (reply " + std::to_string(reply) + ")";
        return {false, refused, std::move(error)};
    } catch (const std::exception& error) {
        return {false, false, error.what()};
    }
}

}  // namespace svc::outgoing
