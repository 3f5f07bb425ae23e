// A hub over a gap: changes that it had not read are thrown away, and it cannot begin anew at once.
#include "feed/hub/hub.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>

#include "feed/page.hpp"
#include "unit/app_database.hpp"

namespace svc::feed {
namespace {

class CountingSink : public EventSink {
  public:
    void take(const Events& events, const Cursor& newest) override {
        taken += events.size();
        at = newest;
    }
    void lost(const Cursor& newest) override {
        ++gaps;
        at = newest;
    }
    std::size_t taken = 0, gaps = 0;
    Cursor at;
};

class FeedHubTest : public testing::Test {
  protected:
    void SetUp() override {
        if (test::server_url() == nullptr) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
        database.emplace();
        pool.emplace(io, db::PoolSettings{.url = database->url()});
        judge.emplace(app, cursors, *pool, counts);
        asio::co_spawn(io, read_epoch(*pool),
                       [this](const std::exception_ptr& error, std::string epoch) {
                           if (error) std::rethrow_exception(error);
                           hub.start(io, *pool, *judge, std::move(epoch), [] {});
                           hub.attach(io, sink);
                           hub.enter();
                           started = true;
                       });
        run_until([this] { return started; });
        EXPECT_TRUE(cursor());
    }

    void run_until(const std::function<bool()>& done) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!done() && std::chrono::steady_clock::now() < end)
            io.run_one_for(std::chrono::milliseconds(100));
        ASSERT_TRUE(done());
    }

    // Where the hub has come to; null: the database did not say.
    Cursor cursor() {
        std::optional<Cursor> out;
        hub.sync(io, [&](Cursor at) { out = std::move(at); });
        run_until([&] { return out.has_value(); });
        return *out;
    }

    void publish() { database->sql("select svc.publish('app:a', '1')"); }
    void throw_away() {
        database->sql(
            "insert into svc.change_floor (xid) values (pg_current_xact_id()) on conflict "
            "(only_one) do update set xid = excluded.xid");
    }

    asio::io_context io;
    std::optional<test::AppDatabase> database;
    std::optional<db::Pool> pool;
    App app;
    CursorSealer cursors{"secret"};
    Counts counts;
    Hub hub{counts};
    std::shared_ptr<CountingSink> sink = std::make_shared<CountingSink>();
    std::optional<Judge> judge;
    bool started = false;
};

TEST_F(FeedHubTest, who_cannot_begin_anew_after_a_gap_tries_until_it_can_and_tells_it_once) {
    publish();
    run_until([this] { return sink->taken == 1; });
    database->sql("alter function svc.change_cursor() rename to real_cursor");
    database->sql(
        "create function svc.change_cursor() returns text language plpgsql as"
        " 'begin raise exception ''not now''; end'");
    publish();
    throw_away();
    run_until([this] { return !cursor(); });
    for (int again = 0; again < 3; ++again) EXPECT_FALSE(cursor());
    publish();
    EXPECT_EQ(sink->gaps, 0U) << "there is no cursor yet behind which all comes";

    database->sql("drop function svc.change_cursor()");
    database->sql("alter function svc.real_cursor() rename to change_cursor");
    run_until([this] { return sink->gaps == 1; });
    const std::size_t before = sink->taken;
    publish();
    run_until([&] { return sink->taken == before + 1; });
    EXPECT_EQ(sink->gaps, 1U);
    EXPECT_EQ(*cursor(), *sink->at);
}

TEST_F(FeedHubTest, a_gap_that_nobody_waits_for_any_more_is_told_to_nobody) {
    publish();
    run_until([this] { return sink->taken == 1; });
    hub.leave();
    run_until([this] { return hub.read_at() == 0; });
    publish();
    throw_away();
    hub.enter();
    EXPECT_TRUE(cursor());
    EXPECT_EQ(sink->gaps, 0U);
    publish();
    run_until([this] { return sink->taken == 2; });
}

}  // namespace
}  // namespace svc::feed
