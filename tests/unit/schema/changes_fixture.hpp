// The shop sample in a database, callers who write to it, and readers of what they wrote.
#pragma once

#include <string>
#include <vector>

#include "pipeline.hpp"
#include "unit/migrate/fixture.hpp"
#include "unit/sample_text.hpp"

namespace svc::migrate {

constexpr const char* kNobody = "";
constexpr const char* kNew = "select svc.change_cursor()";
constexpr const char* kPurge = "select svc.purge_changes()";

struct Written {
    std::string next, table, event, row, actor, transition, old, now;
    std::int64_t seq = 0;
};

class ChangesTest : public MigrateTest {
  protected:
    void SetUp() override {
        MigrateTest::SetUp();
        if (IsSkipped()) return;
        plan_ = *pipeline::check(tests::sample_text("shop"), target_.url).plan;
        const auto result = apply(plan_);
        ASSERT_TRUE(result.ok) << described(result);
        // A purge waits for who starts runs from changes; no server does here.
        query("delete from svc.consumer");
    }

    // Statements of one transaction by a caller of the app, as its server would run them. The first
    // value of the last one.
    std::string as(const std::string& principals, const std::string& user, const std::string& sql) {
        pqxx::connection connection(target_.url);
        pqxx::work work(connection);
        enter(work, principals, user);
        const auto rows = work.exec(sql);
        work.commit();
        return rows.empty() || rows.columns() == 0 ? "" : rows[0][0].as<std::string>("null");
    }

    void enter(pqxx::transaction_base& work, const std::string& principals,
               const std::string& user) {
        work.exec0("set local role " + target_.data_role);
        work.exec_params(
            "select set_config('svc.principals', $1, true),"
            " set_config('svc.user_id', $2, true), set_config('svc.claims', '{}', true)",
            principals, user);
    }

    std::string cursor() { return query(kNew); }

    // Pages of `limit` until there is nothing new.
    std::vector<Written> since(std::string cursor, int limit = 1000) {
        pqxx::connection connection(target_.url);
        std::vector<Written> all;
        for (;;) {
            const auto page = read(connection, cursor, limit);
            all.insert(all.end(), page.begin(), page.end());
            if (page.empty()) return all;
        }
    }

    // One page; moves the cursor on.
    static std::vector<Written> read(pqxx::connection& connection, std::string& cursor, int limit) {
        pqxx::nontransaction work(connection);
        std::vector<Written> page;
        for (const auto& row :
             work.exec_params("select next, table_name, event, row_id, actor, transition, old, new,"
                              " seq from svc.changes_since($1, $2)",
                              cursor, limit)) {
            cursor = row[0].c_str();
            if (row[8].is_null()) return {};
            page.push_back({row[0].c_str(), row[1].c_str(), row[2].c_str(), row[3].c_str(),
                            row[4].c_str(), row[5].c_str(), row[6].c_str(), row[7].c_str(),
                            row[8].as<std::int64_t>()});
        }
        return page;
    }

    // "created order, updated order"
    static std::string events(const std::vector<Written>& changes) {
        std::string out;
        for (const Written& one : changes) {
            out += (out.empty() ? "" : ", ") + one.event + " " + one.table;
        }
        return out;
    }

    std::string value(const std::string& json, const std::string& column) {
        return query("select '" + json + "'::json ->> '" + column + "'");
    }

    // The table of the slot so many after the one that is written to.
    std::string slot(int after) {
        return query("select 'change_' || (slot + " + std::to_string(after) +
                     ") % 4 from svc.change_slot");
    }

    std::string account(const std::string& email) {
        return query("select id from svc.account where email = '" + email + "'");
    }

    plan::Plan plan_;
};

}  // namespace svc::migrate
