#include "http/request/guard.hpp"

#include <gtest/gtest.h>

#include <string>

namespace svc::http {
namespace {

struct Case {
    std::string name;
    std::string head;
    bool sound;
};

void PrintTo(const Case& shape, std::ostream* out) { *out << shape.name; }

class Guard : public testing::TestWithParam<Case> {};

TEST_P(Guard, RefusesWhatOthersReadDifferently) {
    EXPECT_EQ(guard(GetParam().head).empty(), GetParam().sound) << guard(GetParam().head);
}

std::string get(const std::string& fields) {
    return "GET /a HTTP/1.1\r\nHost: a.test\r\n" + fields + "\r\n";
}

const Case kCases[] = {
    {"plain", get(""), true},
    {"host_with_port", "GET / HTTP/1.1\r\nHost: a.test:80\r\n\r\n", true},
    {"host_v6", "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", true},
    {"http_1_0_without_host", "GET / HTTP/1.0\r\n\r\n", true},
    {"json_in_query", "GET /a?where={\"a\":1} HTTP/1.1\r\nHost: a\r\n\r\n", true},
    {"empty_value", get("X-A:\r\n"), true},
    {"tab_in_value", get("X-A: a\tb\r\n"), true},
    {"length", get("Content-Length: 12\r\n"), true},
    {"chunked", get("Transfer-Encoding: chunked\r\n"), true},
    {"chunked_any_case", get("transfer-encoding: Chunked\r\n"), true},
    {"options_star", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", true},

    {"missing_host", "GET / HTTP/1.1\r\n\r\n", false},
    {"two_hosts", get("Host: b.test\r\n"), false},
    {"host_in_http_1_0_twice", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", false},
    {"host_list", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", false},
    {"host_with_path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", false},
    {"host_with_user", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", false},
    {"host_with_bad_port", "GET / HTTP/1.1\r\nHost: a:8x\r\n\r\n", false},
    {"host_empty", "GET / HTTP/1.1\r\nHost: \r\n\r\n", false},
    {"folded", get("X-A: a\r\n b\r\n"), false},
    {"folded_by_tab", get("X-A: a\r\n\tb\r\n"), false},
    {"folded_first", "GET / HTTP/1.1\r\n Host: a\r\nHost: b\r\n\r\n", false},
    {"bare_lf", "GET / HTTP/1.1\nHost: a\r\n\r\n", false},
    {"bare_lf_in_field", get("X-A: a\nX-B: b\r\n"), false},
    {"bare_cr_in_value", get("X-A: a\rb\r\n"), false},
    {"nul_in_value", get(std::string("X-A: a\0b\r\n", 10)), false},
    {"nul_in_name", get(std::string("X\0A: a\r\n", 8)), false},
    {"del_in_value", get("X-A: a\x7f\r\n"), false},
    {"space_before_colon", get("Content-Length : 1\r\n"), false},
    {"no_colon", get("Content-Length\r\n"), false},
    {"empty_name", get(": a\r\n"), false},
    {"name_with_space", get("X A: a\r\n"), false},
    {"length_and_chunked", get("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"), false},
    {"length_list", get("Content-Length: 1, 1\r\n"), false},
    {"length_twice", get("Content-Length: 1\r\nContent-Length: 1\r\n"), false},
    {"length_signed", get("Content-Length: +1\r\n"), false},
    {"length_negative", get("Content-Length: -1\r\n"), false},
    {"length_hex", get("Content-Length: 0x1\r\n"), false},
    {"length_empty", get("Content-Length:\r\n"), false},
    {"length_too_long", get("Content-Length: 9999999999999999999\r\n"), false},
    {"encoding_list", get("Transfer-Encoding: gzip, chunked\r\n"), false},
    {"encoding_chunked_not_last", get("Transfer-Encoding: chunked, identity\r\n"), false},
    {"encoding_identity", get("Transfer-Encoding: identity\r\n"), false},
    {"encoding_twice", get("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), false},
    {"encoding_quoted", get("Transfer-Encoding: \"chunked\"\r\n"), false},
    {"encoding_vertical_tab",
     get("Transfer-Encoding: \x0b"
         "chunked\r\n"),
     false},
    {"encoding_in_http_1_0", "GET / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
     false},
    {"absolute_form", "GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n", false},
    {"authority_form", "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n", false},
    {"get_star", "GET * HTTP/1.1\r\nHost: a\r\n\r\n", false},
    {"fragment", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", false},
    {"control_in_target", "GET /a\x01 HTTP/1.1\r\nHost: a\r\n\r\n", false},
    {"two_spaces", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", false},
    {"space_at_end", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", false},
    {"method_no_token", "G(T / HTTP/1.1\r\nHost: a\r\n\r\n", false},
    {"no_method", " / HTTP/1.1\r\nHost: a\r\n\r\n", false},
    {"no_version", "GET /\r\nHost: a\r\n\r\n", false},
    {"version_2", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", false},
    {"version_lower", "GET / http/1.1\r\nHost: a\r\n\r\n", false},
    {"version_1_2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", false},
};

// Values are checked eight bytes at a time: each byte must be found at each position.
TEST(GuardValues, TakeNoControlCharacterAnywhere) {
    for (int byte = 0; byte < 256; ++byte) {
        if (byte == '\n') continue;  // ends the line
        const bool sound = (byte >= 0x20 && byte != 0x7F) || byte == '\t';
        for (std::size_t at = 0; at < 20; ++at) {
            std::string value = "x" + std::string(20, '\xFE') + "x";
            value[at + 1] = static_cast<char>(byte);
            EXPECT_EQ(guard(get("X-A: " + value + "\r\n")).empty(), sound) << byte << " at " << at;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Guard, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace svc::http
