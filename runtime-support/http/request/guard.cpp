#include "http/request/guard.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "base/ascii.hpp"
#include "http/request/path.hpp"

namespace svc::http {
namespace {

constexpr std::string_view kSound;

constexpr std::array<bool, 256> token_table() {
    std::array<bool, 256> table{};
    for (unsigned c = '0'; c <= '9'; ++c) table[c] = true;
    for (unsigned c = 'A'; c <= 'Z'; ++c) table[c] = table[c + 32] = true;
    for (char c : std::string_view("!#$%&'*+-.^_`|~")) table[static_cast<unsigned char>(c)] = true;
    return table;
}
constexpr auto kToken = token_table();

bool token_char(char c) { return kToken[static_cast<unsigned char>(c)]; }

bool token(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return token_char(c); });
}

bool control(char c) {
    auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
}

// Checks eight characters at a time, because it reads every byte of every head. May report a false
// match, never miss one.
bool may_have_control(std::string_view eight) {
    constexpr std::uint64_t kOnes = 0x0101010101010101, kTops = 0x8080808080808080;
    std::uint64_t word;
    std::memcpy(&word, eight.data(), sizeof word);
    const std::uint64_t below_space = (word - kOnes * 0x20) & ~word & kTops;
    const std::uint64_t turned = word ^ (kOnes * 0x7F);
    return (below_space | ((turned - kOnes) & ~turned & kTops)) != 0;
}

bool has_control(std::string_view value) {
    while (value.size() >= 8 && !may_have_control(value.substr(0, 8))) value.remove_prefix(8);
    return std::any_of(value.begin(), value.end(), [](char c) { return control(c) && c != '\t'; });
}

bool digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// The fields about framing; the rules span several of them.
struct Framing {
    int minor = 1;  // of HTTP/1.x
    int hosts = 0;
    int lengths = 0;
    int encodings = 0;
};

std::string_view check_target(std::string_view method, std::string_view target) {
    if (target == "*") return method == "OPTIONS" ? kSound : "only OPTIONS may have the target *";
    if (target.empty() || target.front() != '/') return "the target must begin with /";
    for (char c : target) {
        if (control(c) || c == ' ' || c == '#')
            return "the target has a character that is not allowed";
    }
    return path_fault(target.substr(0, target.find('?')));
}

std::string_view check_request_line(std::string_view line, Framing& framing) {
    std::size_t first = line.find(' ');
    std::size_t second = first == line.npos ? line.npos : line.find(' ', first + 1);
    if (second == line.npos)
        return "the request line does not consist of method, target and version";
    if (!token(line.substr(0, first))) return "the method is not a token";
    std::string_view version = line.substr(second + 1);
    if (version != "HTTP/1.1" && version != "HTTP/1.0") return "the version is not HTTP/1.1";
    framing.minor = version.back() - '0';
    return check_target(line.substr(0, first), line.substr(first + 1, second - first - 1));
}

// host, host:port, [v6], [v6]:port.
std::string_view check_host(std::string_view value) {
    constexpr std::string_view kBad = "the Host header is not a host";
    std::size_t end = value.starts_with('[') ? value.find(']') : value.find(':');
    if (value.starts_with('[')) {
        if (end == value.npos) return kBad;
        ++end;
    }
    std::string_view host = value.substr(0, end);
    std::string_view port = end == value.npos ? "" : value.substr(end);
    if (host.empty()) return kBad;
    bool v6 = host.front() == '[';
    for (char c : v6 ? host.substr(1, host.size() - 2) : host) {
        bool plain = token_char(c) && c != '\'' && c != '`' && c != '|' && c != '^' && c != '#';
        if (!plain && !(v6 && c == ':')) return kBad;
    }
    if (!port.empty() && (port.front() != ':' || !(port == ":" || digits(port.substr(1)))))
        return kBad;
    return kSound;
}

std::string_view check_length(std::string_view value) {
    // 18 digits cannot overflow a 64-bit count.
    if (!digits(value) || value.size() > 18) return "Content-Length is not a single plain number";
    return kSound;
}

std::string_view check_field(std::string_view line, Framing& framing) {
    if (line.front() == ' ' || line.front() == '\t') return "a header line is folded";
    std::size_t colon = line.find(':');
    if (colon == line.npos || !token(line.substr(0, colon))) return "a header name is malformed";
    std::string_view name = line.substr(0, colon);
    std::string_view value = base::trim(line.substr(colon + 1));
    if (has_control(value)) return "a header value has a control character";
    if (base::iequals(name, "Host")) {
        ++framing.hosts;
        return check_host(value);
    }
    if (base::iequals(name, "Content-Length")) {
        ++framing.lengths;
        return check_length(value);
    }
    if (base::iequals(name, "Transfer-Encoding")) {
        ++framing.encodings;
        if (!base::iequals(value, "chunked"))
            return "the only supported Transfer-Encoding is chunked";
    }
    return kSound;
}

std::string_view check_framing(const Framing& framing) {
    if (framing.hosts > 1) return "there is more than one Host header";
    if (framing.hosts == 0 && framing.minor == 1) return "the Host header is missing";
    if (framing.lengths > 1) return "there is more than one Content-Length";
    if (framing.encodings > 1) return "there is more than one Transfer-Encoding";
    if (framing.encodings == 1 && framing.lengths == 1)
        return "Transfer-Encoding and Content-Length may not be sent together";
    if (framing.encodings == 1 && framing.minor == 0) return "HTTP/1.0 has no Transfer-Encoding";
    return kSound;
}

}  // namespace

std::string_view guard(std::string_view head) {
    Framing framing;
    bool first = true;
    while (!head.empty()) {
        std::size_t end = head.find('\n');
        if (end == head.npos || end == 0 || head[end - 1] != '\r')
            return "a line does not end in CR LF";
        std::string_view line = head.substr(0, end - 1);
        head.remove_prefix(end + 1);
        if (line.empty()) break;
        std::string_view fault =
            first ? check_request_line(line, framing) : check_field(line, framing);
        if (!fault.empty()) return fault;
        first = false;
    }
    if (first) return "there is no request line";
    return check_framing(framing);
}

}  // namespace svc::http
