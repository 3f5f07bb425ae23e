#include "postgres/scram.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "pq/connection.hpp"

namespace svc::devapi {
namespace {

TEST(ScramVerifier, IsWhatPostgresKeepsAndHasAnotherSaltEachTime) {
    const char* url = std::getenv("SVC_TEST_DATABASE_URL");
    if (url == nullptr) GTEST_SKIP() << "needs a PostgreSQL";
    const pq::Connection connection(url);
    const std::string verifier = scram_verifier("a long key");
    EXPECT_NE(verifier, scram_verifier("a long key"));
    const auto run = [&](const std::string& sql) {
        const pq::Result result = connection.run(sql);
        return std::string(PQntuples(result.get()) > 0 ? PQgetvalue(result.get(), 0, 0)
                                                       : PQresultErrorMessage(result.get()));
    };
    EXPECT_EQ(run("create role scram_test login password '" + verifier + "'"), "");
    // Kept as it was sent: what it did not know for a verifier it would have hashed.
    EXPECT_EQ(run("select rolpassword from pg_authid where rolname = 'scram_test'"), verifier);
    EXPECT_EQ(run("drop role scram_test"), "");
}

}  // namespace
}  // namespace svc::devapi
