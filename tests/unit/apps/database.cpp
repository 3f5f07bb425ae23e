#include "apps/database/database.hpp"

#include <gtest/gtest.h>

#include "postgres/conninfo.hpp"

namespace svc::devapi {
namespace {

AppsConfig config_with(const std::string& admin_url) {
    AppsConfig config;
    config.admin_url = admin_url;
    config.master_key = std::string(32, 'k');
    return config;
}

const std::string kProject = "019aa3c4-0000-7000-8abc-0123456789ab";

TEST(AppsDatabase, NamesComeFromTheRandomEndOfTheId) {
    const auto database =
        app_database(config_with("postgresql://admin@localhost/"), kProject, Env::dev);
    EXPECT_EQ(database.name, "svc_0123456789ab_dev");
    EXPECT_EQ(database.owner_role, "svc_0123456789ab_dev_owner");
    EXPECT_EQ(database.data_role, "svc_0123456789ab_dev_data");
    EXPECT_EQ(database.system_role, "svc_0123456789ab_dev_system");
}

TEST(AppsDatabase, ARestoreChangesTheDatabaseAndNothingElse) {
    auto config = config_with("postgresql://admin@localhost/");
    config.generations = std::make_shared<Generations>();
    const AppDatabase first = app_database(config, kProject, Env::prod);
    config.generations->set({kProject, Env::prod}, 3);
    const AppDatabase now = app_database(config, kProject, Env::prod);
    EXPECT_EQ(now.name, "svc_0123456789ab_prod_g3");
    EXPECT_EQ(conninfo_value(now.data_url, "dbname"), now.name);
    EXPECT_EQ(now.stem, first.name);
    EXPECT_EQ(now.owner_role, first.owner_role);
    EXPECT_EQ(now.data_role, first.data_role);
    EXPECT_EQ(now.system_role, first.system_role);
    EXPECT_EQ(app_database(config, kProject, Env::dev).name, "svc_0123456789ab_dev");
    EXPECT_EQ(app_database(config, {kProject, Env::prod}, 1).name, first.name);
}

TEST(AppsDatabase, APreviewHasTheSecretsOfDev) {
    EXPECT_EQ(secrets_env(Env::preview), SecretEnv::dev);
    EXPECT_EQ(secrets_env(Env::prod), SecretEnv::prod);
}

TEST(AppsDatabase, RolesConnectWithTheirOwnPasswordAlone) {
    const auto config =
        config_with("postgresql://admin:secret@db.example:6432/postgres?sslmode=require&sslkey=/k");
    const auto database = app_database(config, kProject, Env::dev);
    EXPECT_EQ(conninfo_value(database.data_url, "host"), "db.example");
    EXPECT_EQ(conninfo_value(database.data_url, "port"), "6432");
    EXPECT_EQ(conninfo_value(database.data_url, "sslmode"), "require");
    EXPECT_EQ(conninfo_value(database.data_url, "sslkey"), "");
    EXPECT_EQ(conninfo_value(database.data_url, "dbname"), database.name);
    EXPECT_EQ(conninfo_value(database.data_url, "user"), database.data_role);
    EXPECT_EQ(conninfo_value(database.data_url, "password"),
              role_password(config.master_key, database.data_role));
    EXPECT_EQ(conninfo_value(database.admin_url, "password"), "secret");
}

TEST(AppsDatabase, PasswordsDependOnKeyAndRole) {
    const std::string key(32, 'k'), other(32, 'o');
    EXPECT_EQ(role_password(key, "a"), role_password(key, "a"));
    EXPECT_NE(role_password(key, "a"), role_password(key, "b"));
    EXPECT_NE(role_password(key, "a"), role_password(other, "a"));
    EXPECT_EQ(role_password(key, "a").size(), 43u);
}

TEST(AppsDatabase, WorkOnTheServerItselfNeedsSomeDatabase) {
    EXPECT_EQ(conninfo_value(maintenance_url(config_with("user=admin")), "dbname"), "postgres");
    EXPECT_EQ(conninfo_value(maintenance_url(config_with("dbname=main")), "dbname"), "main");
}

}  // namespace
}  // namespace svc::devapi
