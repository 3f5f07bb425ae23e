#include "apps/lease/lease.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "apps/apply/apply.hpp"
#include "base/uuid.hpp"

namespace svc::devapi {
namespace {

// A project of its own in the platform's database of the test server.
class AppsLease : public testing::Test {
  protected:
    void SetUp() override {
        const char* url = std::getenv("SVC_TEST_DATABASE_URL");
        if (!url) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
        store_ = std::make_unique<Store>(url, 4);
        const std::string workspace = base::new_uuid();
        project_ = {base::new_uuid(), "lease-" + workspace};
        run("insert into workspace (id, name) values ('" + workspace + "', 'W')");
        run("insert into project (id, workspace_id, name, slug) values ('" + project_.id + "', '" +
            workspace + "', 'P', '" + project_.slug + "')");
    }
    void TearDown() override {
        if (store_) run("delete from project where id = '" + project_.id + "'");
    }

    void run(const std::string& sql) {
        store_->transact([&](pqxx::work& tx) { tx.exec(sql); });
    }
    std::string ask(const std::string& what) {
        return store_->transact([&](pqxx::work& tx) -> std::string {
            const auto rows = tx.exec("select " + what + " from apply_run where project_id = '" +
                                      project_.id + "' order by started_at desc limit 1");
            return rows.empty() || rows[0][0].is_null() ? "" : rows[0][0].c_str();
        });
    }
    void let_it_run_out() {
        run("update apply_run set expires_at = now() - interval '1 second' where project_id = '" +
            project_.id + "'");
    }

    std::unique_ptr<Store> store_;
    ProjectRef project_;
    const Purpose apply_{LeaseKind::apply, ""};
};

TEST_F(AppsLease, OneHolderAProject) {
    Leases here(*store_, "here"), there(*store_, "there");
    auto lease = here.take(project_, apply_);
    ASSERT_TRUE(lease);
    EXPECT_FALSE(here.take(project_, apply_));
    EXPECT_FALSE(there.take(project_, apply_));
    EXPECT_TRUE(there.take_over(project_.id).empty());
    EXPECT_TRUE(here.take_over(project_.id).empty());
    lease->reach(LeaseStage::built);
    lease->finish({LeaseEnd::applied, 3, ""});
    EXPECT_EQ(ask("concat_ws(' ', stage, status, version, recovered)"), "built applied 3");
    EXPECT_TRUE(there.take(project_, apply_));
}

TEST_F(AppsLease, ALeaseThatRanOutIsTakenOverAndItsHolderFenced) {
    Leases here(*store_, "here"), there(*store_, "there");
    auto stale = here.take(project_, apply_);
    stale->will_make_database();
    let_it_run_out();
    auto taken = there.take_over(project_.id);
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(taken[0]->row().id, stale->row().id);
    EXPECT_EQ(taken[0]->row().project.slug, project_.slug);
    EXPECT_TRUE(taken[0]->row().makes_database);
    EXPECT_GT(taken[0]->row().token, stale->row().token);
    bool ran = false;
    EXPECT_THROW(stale->reach(LeaseStage::migrated), LeaseLost);
    EXPECT_THROW(stale->guarded([&] { ran = true; }), LeaseLost);
    EXPECT_THROW(stale->finish({LeaseEnd::applied, 1, ""}), LeaseLost);
    EXPECT_THROW(stale->remove_project(), LeaseLost);
    EXPECT_THROW(stale->commit([&](pqxx::work&) { ran = true; }), LeaseLost);
    EXPECT_THROW(mark_failed(*stale, "late"), LeaseLost);
    EXPECT_FALSE(ran);
    taken[0]->guarded([&] { ran = true; });
    EXPECT_TRUE(ran);
    taken[0]->finish({LeaseEnd::failed, 0, "Interrupted.", Recovered::backwards});
    EXPECT_EQ(ask("recovered"), "backwards");
}

TEST_F(AppsLease, WhatAnEarlierProcessOfTheSameFolderHeldNeedsNoWaiting) {
    std::unique_ptr<Lease> left;
    Leases earlier(*store_, "here"), now(*store_, "here"), other(*store_, "there");
    left = earlier.take(project_, apply_);
    EXPECT_TRUE(other.take_over(project_.id).empty());
    EXPECT_EQ(now.take_over(project_.id).size(), 1U);
}

TEST_F(AppsLease, OneWithoutAnEndIsRecovered) {
    Leases here(*store_, "here");
    here.take(project_, apply_).reset();  // its database was away, say
    EXPECT_FALSE(here.take(project_, apply_));
    auto left = here.take_over(project_.id);
    ASSERT_EQ(left.size(), 1U);
    EXPECT_TRUE(here.take_over(project_.id).empty()) << "it is being recovered";
    left[0]->finish({LeaseEnd::failed, 0, "", Recovered::backwards});
    EXPECT_TRUE(here.take(project_, apply_));
}

}  // namespace
}  // namespace svc::devapi
