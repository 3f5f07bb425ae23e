// How long changes are kept, and how a database comes to record them.
#include <chrono>
#include <future>

#include "unit/schema/changes_fixture.hpp"

namespace svc::migrate {
namespace {

constexpr const char* kCount = "select count(*) from svc.change";

class ChangesKeptTest : public ChangesTest {
  protected:
    // Changes of the slot that is emptied next.
    void add_old() {
        query("insert into svc." + slot(1) +
              " (at, table_name, event, row_id) select now() - interval '30 hours', 'product',"
              " 'deleted', svc.new_id() from generate_series(1, 3)");
    }
    std::string purge_as_system() {
        return query("begin; set local role " + target_.system_role + "; " + kPurge);
    }
    void commit_purge() {
        pqxx::connection connection(target_.url);
        pqxx::work work(connection);
        work.exec0("set local role " + target_.system_role);
        EXPECT_TRUE(work.exec1(kPurge)[0].as<bool>());
        work.commit();
    }
};

TEST_F(ChangesKeptTest, what_is_older_than_a_day_goes_and_the_rest_stays) {
    EXPECT_EQ(purge_as_system(), "f");
    add_old();
    EXPECT_EQ(query(kCount), "4");
    commit_purge();
    EXPECT_EQ(query(kCount), "1");
    EXPECT_EQ(purge_as_system(), "f");
}

TEST_F(ChangesKeptTest, every_slot_but_the_next_is_kept) {
    for (int n = 0; n < 4; ++n)
        query("insert into svc." + slot(n) +
              " (table_name, event, row_id) values ('product', 'deleted', svc.new_id())");
    commit_purge();
    EXPECT_EQ(query("select count(distinct tableoid) from svc.change"), "3");
    EXPECT_EQ(query("select count(*) from svc." + slot(1)), "0");
}

TEST_F(ChangesKeptTest, a_cursor_from_before_what_was_thrown_away_is_refused) {
    const std::string before = cursor();
    add_old();
    const std::string after = cursor();
    EXPECT_EQ(since(before).size(), 3U);
    commit_purge();
    try {
        since(before);
        FAIL() << "It was taken.";
    } catch (const pqxx::sql_error& error) {
        EXPECT_EQ(error.sqlstate(), "SV410");
    }
    query("update public.product set title = 'Tea'");
    EXPECT_EQ(events(since(after)), "updated product");
    EXPECT_EQ(query("select count(*) from svc.changes_since(null)"), "2");  // all that there is
}

// Perhaps in another database of the same server: numbers of transactions are common to all.
TEST_F(ChangesKeptTest, a_transaction_that_stays_open_for_days_takes_no_cursor_away) {
    pqxx::connection other(target_.url);
    pqxx::work open(other);
    open.exec("select pg_current_xact_id()");
    add_old();
    const std::string before = cursor();
    commit_purge();
    EXPECT_EQ(events(since(before)), "");
    query("update public.product set title = 'Tea'");
    const std::string after = cursor();
    EXPECT_EQ(events(since(before)), "updated product");
    open.exec("update public.product set price = 1");
    open.commit();
    EXPECT_EQ(events(since(before)), "updated product, updated product");
    EXPECT_EQ(events(since(after)), "updated product");
}

// Or who starts runs would be told that its place is no longer kept, and would start none any more.
TEST_F(ChangesKeptTest, a_purge_waits_until_who_starts_runs_knows_what_has_ended) {
    pqxx::connection other(target_.url);
    {
        pqxx::work open(other);
        open.exec("select pg_current_xact_id()");
        add_old();
        query("insert into svc.consumer (name, cursor) values ('runs', svc.change_cursor())");
    }
    EXPECT_EQ(purge_as_system(), "f");
    EXPECT_EQ(query(kCount), "4");
    query("update svc.consumer set cursor = svc.change_cursor()");
    commit_purge();
    EXPECT_EQ(events(since(query("select cursor from svc.consumer"))), "");
}

TEST_F(ChangesKeptTest, who_reads_them_is_not_interrupted_and_writers_do_not_wait) {
    add_old();
    pqxx::connection reading(target_.url);
    pqxx::work reader(reading);
    reader.exec("select * from svc.changes_since(null)");
    EXPECT_EQ(purge_as_system(), "f");
    pqxx::connection emptying(target_.url);
    pqxx::work purge(emptying);
    reader.commit();
    EXPECT_TRUE(purge.exec1(kPurge)[0].as<bool>());
    query("set lock_timeout = '100ms'; update public.product set title = 'Tea'");
    purge.commit();
}

// Another server that waited would go on when the first has moved on to a slot, and empty the next
// one too.
TEST_F(ChangesKeptTest, two_servers_do_not_empty_two_slots_at_once) {
    for (const int n : {1, 2})
        query("insert into svc." + slot(n) +
              " (table_name, event, row_id) values ('product', 'deleted', svc.new_id())");
    query("update svc.change_slot set since = now() - interval '13 hours'");
    pqxx::connection one(target_.url);
    pqxx::work first(one);
    EXPECT_TRUE(first.exec1(kPurge)[0].as<bool>());
    std::future<std::string> second =
        std::async(std::launch::async, [this] { return query(kPurge); });
    const auto done = [&] {
        return second.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    };
    const auto waits = [this] {
        return query("select exists (select from pg_locks where not granted)") == "t";
    };
    while (!done() && !waits())
        ;
    first.commit();
    EXPECT_EQ(second.get(), "f");
}

// As after a restore from another server, whose transactions had greater numbers.
TEST_F(ChangesKeptTest, changes_of_another_server_are_no_changes_here) {
    query("insert into svc." + slot(0) +
          " (xid, table_name, event, row_id)"
          " values ('90000000', 'product', 'deleted', svc.new_id())");
    query("insert into svc.change_floor (xid) values ('90000000')");
    EXPECT_THROW(since("1:1:"), pqxx::sql_error);
    EXPECT_EQ(query(kPurge), "f");
    EXPECT_EQ(events(since("1:1:")), "created product");  // the seed
    EXPECT_EQ(query(kCount), "1");
}

TEST_F(ChangesKeptTest, a_database_of_an_earlier_compiler_begins_to_record) {
    query(
        "drop table svc.change, svc.change_floor, svc.topic_message cascade;"
        " drop sequence svc.change_seq cascade;"
        " drop function svc.record_change, svc.change_cursor, svc.changes_since,"
        " svc.purge_changes, svc.feed_since, svc.publish cascade");
    query(
        "delete from svc.managed where kind = 'trigger' and name ~ '_(created|updated|deleted)$'");
    query("update svc.managed set hash = '' where kind = 'system'");
    query("insert into public.product (sku, title, price) values ('OLD', 'Old', 1)");
    const auto shown = preview(plan_, target_);
    const auto result = apply(plan_, 2);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(result.changes.size(), 9U);  // three of each of the three tables
    EXPECT_EQ(shown.changes.size(), 9U);
    query("update public.product set title = 'Tea' where sku = 'OLD'");
    EXPECT_EQ(events(since("1:1:")), "updated product");
    EXPECT_TRUE(apply(plan_, 3).changes.empty());
}

TEST_F(ChangesKeptTest, a_connection_that_has_written_records_a_new_column_too) {
    pqxx::connection connection(target_.url);
    const auto write = [&](const std::string& sql) {
        pqxx::work work(connection);
        work.exec(sql);
        work.commit();
    };
    write("insert into public.product (sku, title, price) values ('A', 'A', 1)");
    plan::Plan wider = plan_;
    wider.tables[0].columns.push_back(column("colour", "text"));
    ASSERT_TRUE(apply(wider, 2).ok);
    const std::string before = cursor();
    write("insert into public.product (sku, title, price, colour) values ('B', 'B', 1, 'red')");
    write("update public.product set colour = 'blue' where sku = 'A'");
    write("delete from public.product where sku = 'B'");
    const auto changes = since(before);
    ASSERT_EQ(events(changes), "created product, updated product, deleted product");
    EXPECT_EQ(value(changes[0].now, "colour"), "red");
    EXPECT_EQ(value(changes[1].now, "colour"), "blue");
    EXPECT_EQ(value(changes[2].old, "colour"), "red");
}

TEST_F(ChangesKeptTest, a_table_that_left_the_contract_is_recorded_no_more) {
    plan::Plan without = plan_;
    const auto of_line = [](const auto& one) { return one.table == "order_line"; };
    std::erase_if(without.tables, [](const auto& one) { return one.name == "order_line"; });
    std::erase_if(without.routines, of_line);
    EXPECT_EQ(query("select count(*) from pg_trigger where tgname like 'order_line_%ed'"), "4");
    ASSERT_TRUE(preview(without, target_).ok);
    std::erase_if(without.routines, [](const auto& one) { return one.name == "order_transition"; });
    without.entities.clear();
    without.queries.clear();
    const auto result = apply(without, 2);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(query("select count(*) from pg_trigger where tgname like 'order_line_%ed'"), "0");
}

}  // namespace
}  // namespace svc::migrate
