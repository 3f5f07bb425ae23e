#include "identity/secret/sealer.hpp"

#include <gtest/gtest.h>

namespace svc::identity {
namespace {

TEST(Sealer, OpensWhatItSealed) {
    const Sealer sealer("secret", "purpose");
    for (const std::string value :
         {"", "x", "a longer value\nwith lines", std::string(10'000, 'y').c_str()})
        EXPECT_EQ(Sealer("secret", "purpose").unseal(sealer.seal(value)), value);
    EXPECT_NE(sealer.seal("same"), sealer.seal("same"));
}

TEST(Sealer, OpensNothingElse) {
    const Sealer sealer("secret", "purpose");
    const std::string sealed = sealer.seal("value");
    EXPECT_FALSE(Sealer("other", "purpose").unseal(sealed));
    EXPECT_FALSE(Sealer("secret", "other").unseal(sealed));
    for (std::size_t i = 0; i < sealed.size(); ++i) {
        std::string changed = sealed;
        changed[i] = changed[i] == 'A' ? 'B' : 'A';
        EXPECT_FALSE(sealer.unseal(changed)) << i;
        EXPECT_FALSE(sealer.unseal(sealed.substr(0, i))) << i;
    }
}

}  // namespace
}  // namespace svc::identity
