// A database of its own for each test of migrations, and plans made by hand.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <pqxx/pqxx>
#include <string>
#include <vector>

#include "migrate/migrate.hpp"

namespace svc::migrate {

class MigrateTest : public ::testing::Test {
  protected:
    void SetUp() override {
        const char* url = std::getenv("SVC_TEST_DATABASE_URL");
        if (url == nullptr) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
        admin_url_ = url;
        static int count = 0;
        name_ = "svc_test_" + std::to_string(getpid()) + "_" + std::to_string(++count);
        target_ = {with_database(admin_url_, name_), name_ + "_owner", name_ + "_data",
                   name_ + "_system"};
        pqxx::connection admin(admin_url_);
        pqxx::nontransaction work(admin);
        for (const auto& role : {target_.owner_role, target_.data_role, target_.system_role}) {
            work.exec("create role " + role + " nologin");
        }
        work.exec("create database " + name_ + " owner " + target_.owner_role);
    }

    void TearDown() override {
        if (name_.empty()) return;
        pqxx::connection admin(admin_url_);
        pqxx::nontransaction work(admin);
        work.exec("drop database " + name_ + " with (force)");
        for (const auto& role : {target_.owner_role, target_.data_role, target_.system_role}) {
            work.exec("drop role " + role);
        }
    }

    Result apply(const plan::Plan& plan, std::int64_t version = 1) {
        return migrate::apply(plan, target_, {version, "{}", "hash", "/bin/app"});
    }

    // The first value of a query, as the administrator.
    std::string query(const std::string& sql) {
        pqxx::connection connection(target_.url);
        pqxx::nontransaction work(connection);
        const auto rows = work.exec(sql);
        return rows.empty() || rows[0].size() == 0 ? "" : rows[0][0].as<std::string>("null");
    }

    static plan::Column column(const std::string& name, const std::string& type) {
        plan::Column column;
        column.name = name;
        column.sql_type = type;
        column.path = "/entities/0/fields/" + name;
        return column;
    }

    // product (id, title) with a policy on its rows.
    static plan::Plan product() {
        plan::Plan plan;
        plan::Table table;
        table.name = "product";
        table.path = "/entities/0";
        auto id = column("id", "uuid");
        id.not_null = true;
        id.default_sql = "gen_random_uuid()";
        table.columns = {id, column("title", "text")};
        plan.tables = {table};
        plan.routines = {
            {plan::Routine::Kind::function, "product_may_select", "",
             "create function svc.product_may_select() returns boolean language sql stable as "
             "'select true'; grant execute on function svc.product_may_select to :data_role",
             "drop function if exists svc.product_may_select() cascade"},
            {plan::Routine::Kind::policy, "product_select", "product",
             "create policy product_select on public.product for select to :data_role using "
             "(svc.product_may_select())",
             "drop policy if exists product_select on public.product"},
            {plan::Routine::Kind::grant, "product", "product",
             "grant select on public.product to :data_role", ""}};
        return plan;
    }

    // product (id, a, b, …) of texts; "b<a" is b renamed from a.
    static plan::Plan product_of(const std::vector<std::string>& names) {
        auto plan = product();
        plan.tables[0].columns.pop_back();
        for (const auto& text : names) {
            const auto from = text.find('<');
            plan.tables[0].columns.push_back(column(text.substr(0, from), "text"));
            if (from != std::string::npos)
                plan.tables[0].columns.back().renamed_from = text.substr(from + 1);
        }
        return plan;
    }

    static const diag::Finding& only(const Result& result) {
        static const diag::Finding kNone;
        EXPECT_FALSE(result.ok);
        EXPECT_EQ(result.findings.all().size(), 1U);
        return result.findings.all().empty() ? kNone : result.findings.all().front();
    }

    Target target_;

  private:
    // The URI or the connection string, for another database.
    static std::string with_database(const std::string& url, const std::string& name) {
        if (url.find("://") == std::string::npos) return url + " dbname=" + name;
        const auto begin = url.find('/', url.find("://") + 3);
        const auto query = url.find('?');
        if (begin == std::string::npos || begin > query) {
            return url.substr(0, query) + "/" + name +
                   (query == std::string::npos ? "" : url.substr(query));
        }
        return url.substr(0, begin + 1) + name +
               (query == std::string::npos ? "" : url.substr(query));
    }

    std::string admin_url_, name_;
};

inline std::string described(const Result& result) {
    std::string text;
    for (const auto& finding : result.findings.all()) {
        text +=
            finding.code + " " + finding.path + " " + finding.message + " | " + finding.fix + "\n";
    }
    return text;
}

}  // namespace svc::migrate
