// The host that a secret may be sent to is the one that libcurl sends it to.
#include <gtest/gtest.h>

#include "base/ascii.hpp"
#include "identity/project_secret.hpp"
#include "outgoing/fetch.hpp"

namespace svc::identity {
namespace {

TEST(SecretHost, IsTheOneThatIsCalled) {
    const std::pair<const char*, const char*> hosts[] = {
        {"https://good.example/x", "good.example"},
        {"https://Good.Example:8443?x", "good.example"},
        {"https://good.example@evil.example/", "evil.example"},
        {"https://good.example\\@evil.example/", "evil.example"},
        {"https://good.example\\\\@evil.example", "evil.example"},
        {"https://good.example:1\\@evil.example:2/", "evil.example"},
        {"https://evil.example/\\@good.example", "evil.example"},
        {"https://evil.example#@good.example", "evil.example"},
        {"https://a@good.example@evil.example/", "evil.example"},
        {"good.example", ""},
    };
    for (const auto& [url, host] : hosts) {
        EXPECT_EQ(host_of(url), host) << url;
        EXPECT_EQ(base::lower(outgoing::host_of(url)), host) << url;
    }
}

}  // namespace
}  // namespace svc::identity
