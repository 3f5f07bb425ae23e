#include "outgoing/mail_message.hpp"

#include <algorithm>

#include "base/crypto.hpp"

namespace svc::outgoing {
namespace {

constexpr std::size_t kLine = 76;  // characters of base64 in a line
constexpr std::size_t kWord = 45;  // bytes of an encoded word, which may have 75 characters

bool plain(std::string_view text) {
    return std::ranges::all_of(text, [](unsigned char c) { return c >= 0x20 && c < 0x7f; }) &&
           text.find("=?") == std::string_view::npos;
}

// At the start of a character, so that no word ends inside of one.
std::size_t word_end(std::string_view text) {
    std::size_t end = std::min(text.size(), kWord);
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80) --end;
    return end;
}

// Writes characters beyond ASCII as encoded words, and drops CR and LF.
std::string header_text(std::string_view text) {
    if (plain(text)) return std::string(text);
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::max<std::size_t>(1, word_end(text));
        if (!out.empty()) out += "\r\n ";
        out += "=?utf-8?B?" + base::base64(text.substr(0, end)) + "?=";
        text.remove_prefix(end);
    }
    return out;
}

// RFC 5322, 3.2.4
std::string quoted_text(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

std::string from_header(const std::string& mailbox) {
    std::string address = address_of(mailbox);
    const auto open = mailbox.find('<');
    std::string name = mailbox.substr(0, open == std::string::npos ? 0 : open);
    while (name.ends_with(' ')) name.pop_back();
    if (name.empty()) return address;
    const bool quoted = plain(name) && name.find_first_of("()<>[]:;@\\,.\"") != std::string::npos;
    return (quoted ? quoted_text(name) : header_text(name)) + " <" + address + ">";
}

std::string date_header(std::time_t now) {
    std::tm utc{};
    gmtime_r(&now, &utc);
    constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    char rest[40];
    std::strftime(rest, sizeof rest, "%Y %H:%M:%S +0000", &utc);
    return std::string(kDays[utc.tm_wday]) + ", " + std::to_string(utc.tm_mday) + " " +
           kMonths[utc.tm_mon] + " " + rest;
}

}  // namespace

std::string address_of(std::string_view mailbox) {
    const auto open = mailbox.find('<');
    if (open == std::string_view::npos) return std::string(mailbox);
    mailbox.remove_prefix(open + 1);
    return std::string(mailbox.substr(0, mailbox.find('>')));
}

std::string message(const MailMessage& mail, std::time_t now) {
    const std::string from = address_of(mail.from);
    const std::string host = from.substr(from.find('@') + 1);
    std::string out = "Date: " + date_header(now) + "\r\n";
    out += "From: " + from_header(mail.from) + "\r\n";
    out += "To: " + mail.to + "\r\n";
    out += "Subject: " + header_text(mail.subject) + "\r\n";
    out += "Message-ID: <" + mail.id + "@" + host + ">\r\n";
    out += "Auto-Submitted: auto-generated\r\n";
    out += "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n";
    out += "Content-Transfer-Encoding: base64\r\n\r\n";
    const std::string body = base::base64(mail.text);
    for (std::size_t at = 0; at < body.size(); at += kLine) out += body.substr(at, kLine) + "\r\n";
    return out;
}

}  // namespace svc::outgoing
