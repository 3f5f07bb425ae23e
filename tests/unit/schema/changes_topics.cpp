// Messages of topics stand among changes: one order, one cursor, one upkeep.
#include "unit/schema/changes_fixture.hpp"

namespace svc::migrate {
namespace {

class ChangesTopicsTest : public ChangesTest {
  protected:
    void publish(const std::string& topic, const std::string& payload) {
        as("guest", kNobody, "select svc.publish('" + topic + "', '" + payload + "')");
    }
    // "created product, app:a 1": pages of `limit` until there is nothing new.
    std::string feed(std::string cursor, int limit = 1000) {
        pqxx::connection connection(target_.url);
        std::string out;
        for (bool more = true; more;) {
            pqxx::nontransaction work(connection);
            more = false;
            for (const auto& row :
                 work.exec_params("select next, seq, event, table_name, topic, payload from"
                                  " svc.feed_since($1, $2)",
                                  cursor, limit)) {
                cursor = row[0].c_str();
                if (row[1].is_null()) continue;
                more = true;
                const bool message = !row[4].is_null();
                out += (out.empty() ? "" : ", ") + std::string(row[message ? 4 : 2].c_str()) + " " +
                       row[message ? 5 : 3].c_str();
            }
        }
        return out;
    }
};

TEST_F(ChangesTopicsTest, changes_and_messages_come_in_one_order) {
    const std::string before = cursor();
    publish("app:a", "1");
    query("update public.product set title = 'Tea'");
    publish("app:b", R"({"b": 2})");
    query("update public.product set title = 'Green tea'");
    const std::string all = R"(app:a 1, updated product, app:b {"b": 2}, updated product)";
    EXPECT_EQ(feed(before), all);
    EXPECT_EQ(feed(before, 1), all);
    EXPECT_EQ(feed(before, 3), all);
    EXPECT_EQ(events(since(before)), "updated product, updated product");
}

TEST_F(ChangesTopicsTest, a_cursor_of_one_is_good_for_the_other) {
    const std::string before = cursor();
    publish("app:a", "1");
    query("update public.product set title = 'Tea'");
    publish("app:b", "2");
    query("update public.product set title = 'Green tea'");
    EXPECT_EQ(feed(query("select next from svc.changes_since('" + before + "', 1)")),
              "app:b 2, updated product");
    EXPECT_EQ(events(since(query("select next from svc.feed_since('" + before + "', 2) offset 1"))),
              "updated product");
}

TEST_F(ChangesTopicsTest, a_late_commit_is_not_missed) {
    pqxx::connection late(target_.url);
    pqxx::work work(late);
    enter(work, "guest", kNobody);
    work.exec("select svc.publish('app:late', '1')");
    publish("app:early", "2");
    const std::string between = cursor();
    EXPECT_EQ(feed(between), "");
    work.commit();
    EXPECT_EQ(feed(between), "app:late 1");
}

TEST_F(ChangesTopicsTest, what_is_rolled_back_was_never_published) {
    const std::string before = cursor();
    {
        pqxx::connection connection(target_.url);
        pqxx::work work(connection);
        enter(work, "guest", kNobody);
        work.exec("select svc.publish('app:a', '1')");
    }
    EXPECT_EQ(feed(before), "");
}

TEST_F(ChangesTopicsTest, who_published_stands_beside_it) {
    const std::string ann = account("ann@example.test");
    as("customer,consumer,signed_in", ann, "select svc.publish('app:a', '1')");
    EXPECT_EQ(query("select actor from svc.topic_message"), ann);
}

TEST_F(ChangesTopicsTest, they_go_with_the_changes_of_their_time) {
    const std::string before = cursor();
    const std::string next =
        query("select 'topic_message_' || (slot + 1) % 4 from svc.change_slot");
    query("insert into svc." + next + " (topic, payload) values ('app:old', '1')");
    publish("app:new", "2");
    EXPECT_EQ(feed(before), "app:old 1, app:new 2");
    EXPECT_EQ(query(kPurge), "t");
    EXPECT_THROW(feed(before), pqxx::sql_error);
    EXPECT_EQ(query("select string_agg(topic, ',') from svc.topic_message"), "app:new");
    query("update svc.change_slot set since = now() - interval '13 hours'");
    query(kPurge);
    publish("app:next", "3");
    EXPECT_EQ(query("select topic from svc." + next), "app:next");
}

TEST_F(ChangesTopicsTest, callers_read_none_of_it) {
    for (const std::string sql :
         {"select * from svc.topic_message", "insert into svc.topic_message_0 (topic) values ('a')",
          "select svc.feed_since(null)", "select svc.publish_in(0)"}) {
        EXPECT_THROW(as("staff,signed_in", kNobody, sql), pqxx::insufficient_privilege) << sql;
    }
}

}  // namespace
}  // namespace svc::migrate
