#include "postgres/scram.hpp"

#include <gtest/gtest.h>
#include <libpq-fe.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace svc::devapi {
namespace {

using Connection = std::unique_ptr<PGconn, decltype(&PQfinish)>;

TEST(ScramVerifier, IsWhatPostgresKeepsAndHasAnotherSaltEachTime) {
    const char* url = std::getenv("SVC_TEST_DATABASE_URL");
    if (url == nullptr) GTEST_SKIP() << "needs a PostgreSQL";
    const Connection connection(PQconnectdb(url), PQfinish);
    const std::string verifier = scram_verifier("a long key");
    EXPECT_NE(verifier, scram_verifier("a long key"));
    const auto run = [&](const std::string& sql) {
        const std::unique_ptr<PGresult, decltype(&PQclear)> result(
            PQexec(connection.get(), sql.c_str()), PQclear);
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
