// The slots that changes are written to in turn, and how a database comes to have them.
#include <future>

#include "unit/schema/changes_fixture.hpp"

namespace svc::migrate {
namespace {

// As an earlier compiler made them.
constexpr const char* kPartitions = R"(
drop table svc.change, svc.change_slot cascade;
drop function svc.record_in;
create table svc.change (
    seq bigint not null default nextval('svc.change_seq'),
    xid xid8 not null default pg_current_xact_id(),
    at timestamptz not null default now(),
    slot smallint not null default date_part('epoch', now())::bigint / 43200 % 4,
    table_name text not null, event text not null, row_id uuid not null, actor uuid,
    transition text, old json, new json
) partition by list (slot);
create table svc.change_0 partition of svc.change for values in (0);
create table svc.change_1 partition of svc.change for values in (1);
create table svc.change_2 partition of svc.change for values in (2);
create table svc.change_3 partition of svc.change for values in (3);
create index change_seq_idx on svc.change (seq);
create index change_xid_idx on svc.change (xid);
create or replace function svc.record_change() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if tg_op = 'INSERT' then
        insert into svc.change (table_name, event, row_id, new)
        select tg_table_name, 'created', _row.id, row_to_json(_row) from new_rows _row;
    end if;
    return null;
end
$$;
update svc.managed set hash = '' where kind = 'system';
)";

std::string add(const std::string& sku) {
    return "insert into public.product (sku, title, price) values ('" + sku + "', 'one', 1)";
}

class ChangesSlotsTest : public ChangesTest {
  protected:
    void let_pass(const std::string& time) {
        query("update svc.change_slot set since = since - interval '" + time + "'");
    }
    void purge() { query(kPurge); }
    // Entries of indexes that were read so far, also by this connection.
    static int passed(pqxx::connection& connection) {
        pqxx::nontransaction work(connection);
        work.exec("select pg_stat_force_next_flush()");
        return work
            .exec1(
                "select sum(idx_tup_read) from pg_stat_user_indexes where relname ~ '^change_'"
                " and schemaname = 'svc'")[0]
            .as<int>();
    }
    void make_partitions() {
        query("set role " + target_.owner_role + ";" + kPartitions);
        query("grant select on svc.change to " + target_.system_role + ", " + target_.data_role);
    }
};

TEST_F(ChangesSlotsTest, slots_are_filled_in_turn_each_for_twelve_hours) {
    const std::string before = cursor();
    const std::string first = slot(0), second = slot(1);
    pqxx::connection connection(target_.url);
    const auto write = [&](const std::string& title) {
        pqxx::work work(connection);
        work.exec("update public.product set title = '" + title + "'");
        work.commit();
    };
    write("one");
    let_pass("11 hours 59 minutes");
    purge();
    write("two");
    EXPECT_EQ(query("select count(*) from svc." + first), "3");  // the seed too
    let_pass("1 minute");
    EXPECT_EQ(query(kPurge), "f");
    write("three");
    EXPECT_EQ(slot(0), second);
    EXPECT_EQ(query("select count(*) from svc." + second), "1");
    EXPECT_EQ(since(before).size(), 3U);
    for (int turn = 0; turn < 2; ++turn) {  // a day after the last that the first one took in
        EXPECT_EQ(query(kPurge), "f") << turn;
        let_pass("12 hours");
        EXPECT_EQ(query(kPurge), "f") << turn;
    }
    EXPECT_EQ(slot(1), first);
    EXPECT_EQ(query(kPurge), "t");
    EXPECT_EQ(query("select count(*) from svc.change"), "1");
}

TEST_F(ChangesSlotsTest, a_writer_who_takes_long_delays_neither_the_next_slot_nor_its_writers) {
    const std::string before = cursor();
    pqxx::connection connection(target_.url);
    pqxx::work slow(connection);
    slow.exec(add("SLOW"));
    let_pass("12 hours");
    EXPECT_EQ(query("set role " + target_.system_role + "; " + kPurge), "f");
    query("set lock_timeout = '100ms'; update public.product set title = 'Tea'");
    slow.exec("update public.product set title = 'two' where sku = 'SLOW'");
    slow.commit();
    EXPECT_EQ(events(since(before)), "created product, updated product, updated product");
    EXPECT_EQ(query("select count(distinct tableoid) from svc.change"), "2");
}

TEST_F(ChangesSlotsTest, a_slot_that_somebody_still_writes_to_is_not_emptied) {
    const std::string old =
        "insert into svc." + slot(1) +
        " (table_name, event, row_id) values ('product', 'deleted', svc.new_id())";
    query(old);
    pqxx::connection connection(target_.url);
    pqxx::work slow(connection);
    slow.exec(old);
    let_pass("12 hours");
    const std::string present = slot(0);
    EXPECT_EQ(query(kPurge), "f");
    EXPECT_EQ(slot(0), present);
    slow.commit();
    EXPECT_EQ(query(kPurge), "t");
    EXPECT_NE(slot(0), present);
}

TEST_F(ChangesSlotsTest,
       a_page_reads_few_rows_of_a_slot_that_was_not_analysed_since_it_was_emptied) {
    const std::string fill = "insert into svc." + slot(0) +
                             " (table_name, event, row_id) select 'product', 'deleted',"
                             " svc.new_id() from generate_series(1, ";
    query(fill + "1000); analyze svc." + slot(0) + "; truncate svc." + slot(0));
    std::string at = cursor();
    query(fill + "50000)");
    pqxx::connection connection(target_.url);
    EXPECT_EQ(read(connection, at, 1000).size(), 1000U);
    const int before = passed(connection);
    EXPECT_EQ(read(connection, at, 1000).size(), 1000U);
    EXPECT_LT(passed(connection) - before, 5000);
}

// It may be one of another database of the server, such as a long import.
TEST_F(ChangesSlotsTest, who_reads_passes_nothing_known_however_long_a_transaction_stays_open) {
    pqxx::connection other(target_.url);
    pqxx::work open(other);
    open.exec("select pg_current_xact_id()");
    query("insert into svc." + slot(0) +
          " (table_name, event, row_id) select 'product', 'deleted', svc.new_id()"
          " from generate_series(1, 5000)");
    std::string at = cursor();
    pqxx::connection connection(target_.url);
    const auto read_all = [&] {
        EXPECT_TRUE(read(connection, at, 1000).empty());
        pqxx::nontransaction work(connection);
        work.exec_params("select from svc.feed_since($1)", at);
    };
    read_all();
    const int before = passed(connection);
    read_all();
    EXPECT_LT(passed(connection) - before, 1000);
    open.commit();
    read_all();
}

TEST_F(ChangesSlotsTest, nothing_stands_outside_of_the_slots) {
    EXPECT_THROW(query("insert into svc.change (table_name, event, row_id)"
                       " values ('product', 'deleted', svc.new_id())"),
                 pqxx::check_violation);
}

TEST_F(ChangesSlotsTest, partitions_of_an_earlier_compiler_become_slots_with_their_rows) {
    make_partitions();
    const std::string before = cursor();
    query(add("A"));
    query(
        "insert into svc.change (slot, table_name, event, row_id)"
        " select n, 'product', 'deleted', svc.new_id() from generate_series(0, 3) n");
    pqxx::connection connection(target_.url);
    std::string half = before;
    EXPECT_EQ(read(connection, half, 2).size(), 2U);
    const auto result = apply(plan_, 2);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_TRUE(result.changes.empty());
    query(add("B"));
    EXPECT_EQ(since(before).size(), 6U);
    EXPECT_EQ(since(half).size(), 4U);
    for (const std::string& role : {target_.system_role, target_.data_role})
        EXPECT_EQ(query("set role " + role + "; select count(*) from svc.change"), "6");
    EXPECT_EQ(query("select count(*) from pg_indexes where tablename ~ '^change_.$'"), "8");
    // The one that was written to goes on; of the next all are a day old.
    EXPECT_EQ(query("select slot = date_part('epoch', now())::bigint / 43200 % 4 from"
                    " svc.change_slot"),
              "t");
    EXPECT_EQ(query("select count(*) from svc." + slot(0)), "3");
    EXPECT_EQ(query(kPurge), "t");
    EXPECT_TRUE(apply(plan_, 3).changes.empty());
    EXPECT_EQ(query("select count(*) from svc.change"), "5");
}

TEST_F(ChangesSlotsTest, who_writes_while_they_become_slots_is_recorded_all_the_same) {
    make_partitions();
    const std::string before = cursor();
    pqxx::connection connection(target_.url);
    pqxx::work slow(connection);
    slow.exec(add("SLOW"));
    auto applied = std::async(std::launch::async, [&] { return apply(plan_, 2); });
    const auto until_waiting = [&](const std::string& mode) {
        for (int i = 0; i < 1000; ++i) {
            if (query("select exists (select from pg_locks l join pg_database d on d.oid ="
                      " l.database where d.datname = current_database() and not l.granted"
                      " and l.mode = '" +
                      mode + "')") == "t")
                return;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        ADD_FAILURE() << mode;
    };
    until_waiting("ShareRowExclusiveLock");
    auto written = std::async(std::launch::async, [&] { query(add("LATER")); });
    until_waiting("RowExclusiveLock");
    slow.exec(add("SLOWER"));
    slow.commit();
    const auto result = applied.get();
    ASSERT_TRUE(result.ok) << described(result);
    written.get();
    EXPECT_EQ(events(since(before)), "created product, created product, created product");
    EXPECT_EQ(query("select count(*) from svc." + slot(0)), "3");  // the last one too
}

}  // namespace
}  // namespace svc::migrate
