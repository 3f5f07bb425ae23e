// Names that may be published under, who has one, and what a deployment becomes.
#include "platform/project/deployments.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/uuid.hpp"

namespace svc::devapi {
namespace {

TEST(Subdomain, IsOneLabel) {
    for (const char* good : {"a", "shop", "shop-2", "0", "a--b"}) EXPECT_TRUE(is_subdomain(good));
    for (const char* bad : {"", "-a", "a-", "A", "a.b", "a_b", "preview-a", "sch\u00f6n", "a b"})
        EXPECT_FALSE(is_subdomain(bad)) << bad;
    EXPECT_TRUE(is_subdomain(std::string(63, 'a')));
    EXPECT_FALSE(is_subdomain(std::string(64, 'a')));
}

class PlatformDeployments : public testing::Test {
  protected:
    void SetUp() override {
        const char* url = std::getenv("SVC_TEST_DATABASE_URL");
        if (!url) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
        store_ = std::make_unique<Store>(url, 4);
        deployments_ = std::make_unique<Deployments>(*store_);
        workspace_ = base::new_uuid();
        run("insert into workspace (id, name) values ('" + workspace_ + "', 'W')");
        mine_ = project("mine-" + workspace_.substr(24));
        other_ = project("other-" + workspace_.substr(24));
    }
    void TearDown() override {
        if (store_) run("delete from project where workspace_id = '" + workspace_ + "'");
    }

    void run(const std::string& sql) {
        store_->transact([&](pqxx::work& tx) { tx.exec(sql); });
    }
    std::string project(const std::string& slug) {
        const std::string id = base::new_uuid();
        run("insert into project (id, workspace_id, name, slug) values ('" + id + "', '" +
            workspace_ + "', 'P', '" + slug + "')");
        return id;
    }
    std::string begin(const std::string& name) {
        Deployment one;
        one.id = base::new_uuid();
        one.project_id = mine_;
        one.env = Env::prod;
        one.subdomain = name;
        one.version = 1;
        one.contract = "{}";
        run("insert into account (id, email) values ('" + one.id + "', '" + one.id + "@x')");
        deployments_->begin(one, one.id);
        return one.id;
    }
    void live(const std::string& id, bool rollback) {
        store_->transact([&](pqxx::work& tx) { Deployments::live(tx, id, rollback); });
    }
    void failed(const std::string& id, const std::string& error) {
        store_->transact([&](pqxx::work& tx) { Deployments::failed(tx, id, error); });
    }
    std::string status(const std::string& id) const {
        return std::string(base::word(deployments_->find(mine_, id).value().status));
    }

    std::unique_ptr<Store> store_;
    std::unique_ptr<Deployments> deployments_;
    std::string workspace_, mine_, other_;
};

TEST_F(PlatformDeployments, ANameIsOneEnvironments) {
    const std::string name = "name-" + workspace_.substr(24);
    EXPECT_TRUE(deployments_->hold(mine_, Env::prod, name));
    EXPECT_TRUE(deployments_->hold(mine_, Env::prod, name));
    EXPECT_FALSE(deployments_->hold(mine_, Env::preview, name));
    EXPECT_FALSE(deployments_->hold(other_, Env::prod, name));
    EXPECT_FALSE(deployments_->hold(mine_, Env::prod, "other-" + workspace_.substr(24)));
    EXPECT_EQ(deployments_->live_name(mine_, Env::prod), "");
    deployments_->let_go(mine_, Env::prod);
    EXPECT_TRUE(deployments_->hold(other_, Env::prod, name));
    EXPECT_EQ(deployments_->free_name(mine_, name), name + "-2");
}

TEST_F(PlatformDeployments, OneIsLiveUnderOneName) {
    const std::string tail = workspace_.substr(24), a = "a-" + tail, b = "b-" + tail;
    ASSERT_TRUE(deployments_->hold(mine_, Env::prod, a));
    const std::string first = begin(a);
    EXPECT_TRUE(deployments_->list(mine_, false, 10).empty()) << "it has no end yet";
    live(first, false);
    live(first, false);
    EXPECT_EQ(deployments_->live_name(mine_, Env::prod), a);
    ASSERT_TRUE(deployments_->hold(mine_, Env::prod, b));
    const std::string second = begin(b);
    live(second, false);
    EXPECT_EQ(deployments_->live_name(mine_, Env::prod), b);
    EXPECT_EQ(status(first), "superseded");
    live(first, true);
    EXPECT_EQ(status(first), "live");
    EXPECT_EQ(status(second), "rolled_back");
    EXPECT_EQ(deployments_->live_name(mine_, Env::prod), b) << "a rollback keeps the name";
    failed(first, "too late");
    EXPECT_EQ(status(first), "live");
    const std::string third = begin(b);
    failed(third, "why");
    EXPECT_EQ(deployments_->find(mine_, third)->error, "why");
    EXPECT_EQ(deployments_->live_one(mine_, Env::prod)->id, first);
    EXPECT_EQ(deployments_->list(mine_, false, 2).size(), 2U);
    EXPECT_FALSE(deployments_->find(other_, first));
}

}  // namespace
}  // namespace svc::devapi
