// The host that is asked whether it may be called, or may have a secret, is the one that libcurl
// calls.
#include "base/url_host.hpp"

#include <curl/curl.h>
#include <gtest/gtest.h>

#include <memory>
#include <string_view>

#include "base/ascii.hpp"
#include "outgoing/curl.hpp"
#include "outgoing/shared_library.hpp"

namespace svc::base {
namespace {

// libcurl's own reading of an address.
class CurlUrls {
  public:
    CurlUrls() : library_("libcurl.so.4") {
        library_.find("curl_url", open_);
        library_.find("curl_url_set", set_);
        library_.find("curl_url_get", get_);
        library_.find("curl_url_cleanup", close_);
        library_.find("curl_free", free_);
    }

    // In lower case; empty if libcurl calls nobody.
    std::string host_of(const std::string& url) const {
        const std::unique_ptr<CURLU, decltype(close_)> read(open_(), close_);
        if (set_(read.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) return {};
        char* host = nullptr;
        if (get_(read.get(), CURLUPART_HOST, &host, 0) != CURLUE_OK) return {};
        const std::unique_ptr<char, decltype(free_)> kept(host, free_);
        return lower(host);
    }

  private:
    const outgoing::SharedLibrary library_;
    decltype(&curl_url) open_ = nullptr;
    decltype(&curl_url_set) set_ = nullptr;
    decltype(&curl_url_get) get_ = nullptr;
    decltype(&curl_url_cleanup) close_ = nullptr;
    decltype(&curl_free) free_ = nullptr;
};

// An address, and its host.
constexpr std::pair<const char*, const char*> kAddresses[] = {
    {"https://good.test/x", "good.test"},
    {"https://good.test", "good.test"},
    {"https://good.test:443", "good.test"},
    // Letters.
    {"HTTPS://Good.Test:8443?x", "good.test"},
    {"http://LOCALHOST:80/", "localhost"},
    // Accounts.
    {"https://user@good.test:8443?x", "good.test"},
    {"https://user:pass@good.test/", "good.test"},
    {"https://good.test@evil.test/", "evil.test"},
    {"https://good.test:443@evil.test/", "evil.test"},
    {"https://good.test\\@evil.test/", "evil.test"},
    {"https://good.test\\\\@evil.test", "evil.test"},
    {"https://good.test:1\\@evil.test:2/", "evil.test"},
    {"https://[::1]@evil.test/", "evil.test"},
    // What comes after the host.
    {"https://evil.test/\\@good.test", "evil.test"},
    {"https://evil.test#@good.test", "evil.test"},
    {"https://evil.test?@good.test", "evil.test"},
    {"https://evil.test/https://good.test", "evil.test"},
    // IPv6.
    {"http://[::1]:80/", "[::1]"},
    {"http://[::1]", "[::1]"},
    {"http://[2001:DB8::1]/", "[2001:db8::1]"},
    {"http://user@[::1]:80/", "[::1]"},
    // A dot at the end makes another text of it, and so another host.
    {"https://good.test./", "good.test."},
    {"https://good.test.:443/", "good.test."},
    // IPv4.
    {"http://127.0.0.1:9/", "127.0.0.1"},
};

// Texts that have no host: nobody is called, or nothing allows whoever is.
constexpr const char* kNoAddresses[] = {
    "",
    "good.test",
    "good.test:443/x",
    "//good.test/",
    "https:good.test",
    "https:/evil.test/x://good.test/",
    "https:evil.test://good.test/",
    "evil.test/x://good.test/",
    "evil.test?://good.test/",
    "evil.test:80://good.test/",
    " https://good.test/",
    "https://",
    "https:///good.test/",
    "https://?good.test",
    "https://user@/",
    "https://:443/",
    "https://[::1/",
    "https://[::1]good.test/",
    "https://[::1].good.test:80/",
};

TEST(UrlHost, IsTheOneThatIsCalled) {
    const CurlUrls curl;
    for (const auto& [url, host] : kAddresses) {
        EXPECT_EQ(host_of(url), host) << url;
        EXPECT_EQ(curl.host_of(url), host) << url;
    }
}

TEST(UrlHost, NoneOfWhatTwoMayReadInTwoWays) {
    for (const char* url : kNoAddresses) EXPECT_EQ(host_of(url), "") << url;
}

// libcurl gets the text as one of C, which ends there.
TEST(UrlHost, NoneBehindTheEndOfAText) {
    using namespace std::string_view_literals;
    EXPECT_EQ(host_of("https://evil.test\0@good.test/"sv), "");
    EXPECT_EQ(host_of("https://good.test/\0"sv), "");
}

// Of two accounts, libcurl calls nobody.
TEST(UrlHost, TakesTheLastAccount) {
    constexpr const char* kTwice = "https://a@good.test@evil.test/";
    EXPECT_EQ(host_of(kTwice), "evil.test");
    EXPECT_EQ(CurlUrls().host_of(kTwice), "");
}

// Pieces put together in every way: what has a host for us has the same one for libcurl, or
// libcurl calls nobody.
TEST(UrlHost, NoTextLeadsElsewhere) {
    const CurlUrls curl;
    const char* pieces[] = {"https:",    "/",     "//", "@", "\\",   ":",     "?",
                            "#",         "[::1]", "[",  "]", ":443", ".",     "good.test",
                            "evil.test", "%2e",   " ",  "%", "\t",   "http:", "a:b"};
    std::size_t read = 0;
    const std::size_t count = std::size(pieces);
    for (std::size_t i = 0; i < count * count * count * count; ++i) {
        std::string url = i % 2 == 0 ? "https://" : "";
        for (std::size_t left = i, n = 0; n < 4; ++n, left /= count) url += pieces[left % count];
        const std::string ours = host_of(url), theirs = curl.host_of(url);
        if (ours.empty() || theirs.empty()) continue;
        ++read;
        // An escape is decoded there; with it, no host that somebody has named is met.
        if (ours.find('%') != std::string::npos) continue;
        EXPECT_EQ(ours, theirs) << url;
    }
    EXPECT_GT(read, 1000u);
}

TEST(UrlHost, KnowsTheNamesOfThisMachine) {
    for (const char* url :
         {"http://localhost:80/", "http://LocalHost", "http://127.0.0.1", "http://[::1]:8080/x"})
        EXPECT_TRUE(is_loopback_name(host_of(url))) << url;
    for (const char* url : {"http://localhost.evil.test/", "http://localhost@evil.test/",
                            "http://127.0.0.1.evil.test/", "http://[::1", "http://localhost./"})
        EXPECT_FALSE(is_loopback_name(host_of(url))) << url;
}

}  // namespace
}  // namespace svc::base
