#include "apps/database/provision.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <pqxx/pqxx>

#include "apps/keys.hpp"

namespace svc::devapi {
namespace {

// A database of its own on the administrator's server, gone at the end.
class AppsProvision : public testing::Test {
  protected:
    void SetUp() override {
        const char* url = std::getenv("SVC_TEST_DATABASE_URL");
        if (!url) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
        config_.admin_url = url;
        config_.master_key = std::string(32, 'k');
        database_ = app_database(config_, "00000000-0000-7000-8000-00000a115e57", Env::dev);
        drop(config_, database_);
    }
    void TearDown() override {
        if (!database_.name.empty()) drop(config_, database_);
    }

    std::string ask(const std::string& url, const std::string& sql) {
        pqxx::connection connection(url);
        pqxx::work work(connection);
        const auto rows = work.exec(sql);
        return rows.empty() || rows[0][0].is_null() ? "" : rows[0][0].c_str();
    }

    AppsConfig config_;
    AppDatabase database_;
};

TEST_F(AppsProvision, MakesTheDatabaseOnceAndMayRunAgain) {
    EXPECT_TRUE(provision(config_, database_));
    EXPECT_FALSE(provision(config_, database_));
    EXPECT_TRUE(app_databases(config_).contains(database_.name));
    EXPECT_EQ(ask(database_.data_url, "select current_user"), database_.data_role);
    EXPECT_EQ(ask(database_.system_url, "select current_user"), database_.system_role);
    EXPECT_EQ(read_record(database_), std::nullopt);
}

TEST_F(AppsProvision, RolesHaveNoMoreThanTheyNeed) {
    provision(config_, database_);
    for (const auto& role : {database_.data_role, database_.system_role})
        EXPECT_EQ(
            ask(database_.admin_url,
                "select rolsuper or rolbypassrls or rolcreatedb or rolcreaterole from pg_roles "
                "where rolname = '" +
                    role + "'"),
            "f");
    EXPECT_EQ(ask(database_.admin_url, "select rolcanlogin from pg_roles where rolname = '" +
                                           database_.owner_role + "'"),
              "f");
    EXPECT_EQ(
        ask(database_.admin_url, "set role \"" + database_.owner_role + "\"; select current_user"),
        database_.owner_role);
    EXPECT_EQ(ask(database_.data_url,
                  "select has_database_privilege(current_database(), 'temp, create')"),
              "f");
}

TEST_F(AppsProvision, StatementsAreBounded) {
    provision(config_, database_);
    const auto shows = [&](const std::string& url, const std::string& setting) {
        return ask(url, "show " + setting);
    };
    EXPECT_EQ(shows(database_.data_url, "statement_timeout"), "30s");
    EXPECT_EQ(shows(database_.data_url, "lock_timeout"), "3s");
    EXPECT_EQ(shows(database_.system_url, "statement_timeout"), "30s");
    EXPECT_EQ(shows(database_.system_url, "lock_timeout"), "0");
    const bool superuser = ask(database_.admin_url,
                               "select rolsuper from pg_roles where rolname = current_user") == "t";
    EXPECT_EQ(shows(database_.data_url, "temp_file_limit"), superuser ? "1GB" : "-1");
    EXPECT_THROW(ask(database_.data_url, "set temp_file_limit = -1"), pqxx::insufficient_privilege);
}

TEST_F(AppsProvision, DropLeavesNothing) {
    provision(config_, database_);
    drop(config_, database_);
    EXPECT_FALSE(app_databases(config_).contains(database_.name));
}

TEST_F(AppsProvision, KeysAreWhatThePlatformLastSaid) {
    provision(config_, database_);
    ask(database_.admin_url, "select 1");
    {
        pqxx::connection connection(database_.admin_url);
        pqxx::work work(connection);
        work.exec(
            "create schema svc; create table svc.app_key (id uuid primary key, kind text, hash "
            "bytea "
            "unique, prefix text, origins text[], tools text[], models text[], expires_at "
            "timestamptz)");
        work.commit();
    }
    KeyRecord old{"00000000-0000-7000-8000-000000000001",
                  KeyKind::browser,
                  "aa",
                  "dpk_c_",
                  {"*"},
                  {},
                  {},
                  ""};
    KeyRecord fresh{"00000000-0000-7000-8000-000000000002",
                    KeyKind::server,
                    "bb",
                    "dpk_s_",
                    {"http://a \"b\", c"},
                    std::vector<std::string>{},
                    {},
                    "2030-01-01T00:00:00Z"};
    KeyBook book{[](const std::string&, std::vector<KeyRecord>&) {}};
    EXPECT_TRUE(book.set("p", {old}).empty());
    book.write("p", database_);
    EXPECT_EQ(ask(database_.admin_url, "select string_agg(prefix, ' ') from svc.app_key"),
              "dpk_c_");
    EXPECT_TRUE(book.set("p", {fresh}).contains(database_.name));
    book.offer("p", {old});  // an apply that began before the key was revoked
    book.write("p", database_);
    EXPECT_EQ(
        ask(database_.admin_url,
            "select string_agg(concat_ws(' ', prefix, origins[1], tools, models is null, hash), "
            "'') from svc.app_key"),
        "dpk_s_ http://a \"b\", c {} t \\xbb");
}

}  // namespace
}  // namespace svc::devapi
