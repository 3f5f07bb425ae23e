// Every write to a managed table is recorded in its own transaction, whatever role made it.
#include "unit/schema/changes_fixture.hpp"

namespace svc::migrate {
namespace {

constexpr const char* kManager = "manager,staff,signed_in";
constexpr const char* kClerk = "clerk,staff,signed_in";
constexpr const char* kCustomer = "customer,consumer,signed_in";
constexpr const char* kMug =
    "insert into public.product (sku, title, price, cost) values ('MUG', 'Mug', 900, 400)";

class ChangesWritersTest : public ChangesTest {
  protected:
    void SetUp() override {
        ChangesTest::SetUp();
        if (!IsSkipped()) ann_ = account("ann@example.test");
    }

    // An order of ann's with one line, from before `cursor()`.
    std::string order() {
        const std::string id =
            as(kCustomer, ann_,
               "insert into public.\"order\" (user_id) values ('" + ann_ + "') returning id");
        as(kCustomer, ann_,
           "insert into public.order_line (order_id, product_id) select '" + id +
               "', id from public.product limit 1");
        return id;
    }

    std::string ann_;
};

TEST_F(ChangesWritersTest, a_create_has_the_whole_row_and_who_made_it) {
    const std::string before = cursor();
    const std::string id = as(kManager, ann_, std::string(kMug) + " returning id");
    const auto changes = since(before);
    ASSERT_EQ(events(changes), "created product");
    EXPECT_EQ(changes[0].row, id);
    EXPECT_EQ(changes[0].actor, ann_);
    EXPECT_EQ(changes[0].old, "");
    EXPECT_EQ(changes[0].transition, "");
    EXPECT_EQ(value(changes[0].now, "title"), "Mug");
    EXPECT_EQ(value(changes[0].now, "stock"), "0");   // a default
    EXPECT_EQ(value(changes[0].now, "cost"), "400");  // masked from most readers
    EXPECT_EQ(value(changes[0].now, "id"), id);
}

TEST_F(ChangesWritersTest, an_update_has_both_rows_and_one_that_changes_nothing_is_none) {
    const std::string id = as(kManager, ann_, std::string(kMug) + " returning id");
    const std::string before = cursor();
    as(kClerk, ann_, "update public.product set stock = 5 where id = '" + id + "'");
    as(kClerk, ann_, "update public.product set stock = 5 where id = '" + id + "'");
    as(kCustomer, ann_, "update public.product set stock = 6 where id = '" + id + "'");
    const auto changes = since(before);
    ASSERT_EQ(events(changes), "updated product");
    EXPECT_EQ(value(changes[0].old, "stock"), "0");
    EXPECT_EQ(value(changes[0].now, "stock"), "5");
}

TEST_F(ChangesWritersTest, a_delete_has_the_row_and_those_that_went_with_it) {
    const std::string id = order();
    const std::string before = cursor();
    as(kCustomer, ann_, "delete from public.\"order\" where id = '" + id + "'");
    const auto changes = since(before);
    ASSERT_EQ(changes.size(), 2U);
    for (const Written& one : changes) {
        EXPECT_EQ(one.event, "deleted");
        EXPECT_EQ(one.actor, ann_);
        EXPECT_EQ(one.now, "");
        EXPECT_EQ(value(one.old, one.table == "order" ? "id" : "order_id"), id);
    }
    EXPECT_NE(changes[0].table, changes[1].table);
}

TEST_F(ChangesWritersTest, rows_that_lose_their_reference_are_updated) {
    const std::string id = order();
    const std::string before = cursor();
    query("delete from svc.account where id = '" + ann_ + "'");
    const auto changes = since(before);
    ASSERT_EQ(events(changes), "updated order");
    EXPECT_EQ(changes[0].row, id);
    EXPECT_EQ(value(changes[0].old, "user_id"), ann_);
    EXPECT_EQ(value(changes[0].now, "user_id"), "null");
    EXPECT_EQ(changes[0].actor, kNobody);
}

TEST_F(ChangesWritersTest, a_transition_is_named_and_what_follows_it_is_not) {
    const std::string id = order();
    const std::string before = cursor();
    as(kCustomer, ann_,
       "select svc.order_transition('" + id +
           "', 'place'); update public.\"order\" set note = 'x' where id = '" + id + "'");
    as(kManager, ann_, "update public.\"order\" set note = 'soon' where id = '" + id + "'");
    const auto changes = since(before);
    ASSERT_EQ(events(changes), "updated order, updated order");
    EXPECT_EQ(changes[0].transition, "place");
    EXPECT_EQ(value(changes[0].old, "status"), "draft");
    EXPECT_EQ(value(changes[0].now, "status"), "placed");
    EXPECT_EQ(changes[1].transition, "");
}

TEST_F(ChangesWritersTest, a_transition_that_is_followed_by_a_write_in_its_transaction) {
    const std::string id = order();
    const std::string before = cursor();
    as(kManager + std::string(",clerk,customer"), ann_,
       "select svc.order_transition('" + id +
           "', 'place'); update public.\"order\" set note = 'x' where id = '" + id + "'");
    const auto changes = since(before);
    ASSERT_EQ(events(changes), "updated order, updated order");
    EXPECT_EQ(changes[0].transition, "place");
    EXPECT_EQ(changes[1].transition, "");
}

TEST_F(ChangesWritersTest, seeds_and_people_at_the_database_are_writers_like_others) {
    const auto all = since("1:1:");
    ASSERT_EQ(events(all), "created product");  // the seed
    EXPECT_EQ(all[0].actor, kNobody);
    const std::string before = cursor();
    query("update public.product set title = 'Black tea'");
    query("begin; set local role " + target_.owner_role +
          "; insert into public.product (sku, title, price) values ('X', 'X', 1); commit");
    query("copy public.product (sku, title, price) from program 'printf \"Y\\tY\\t2\\n\"'");
    EXPECT_EQ(events(since(before)), "updated product, created product, created product");
}

TEST_F(ChangesWritersTest, one_statement_that_does_several_things) {
    const std::string before = cursor();
    const std::string price = " values ('TEA-1', 'Tea', 5), ('CUP', 'Cup', 7)";
    as(kManager + std::string(",clerk"), ann_,
       "insert into public.product (sku, title, price)" + price +
           " on conflict (sku) do update set price = excluded.price");
    as(kManager + std::string(",clerk"), ann_,
       "with made as (insert into public.product (sku, title, price) values ('POT', 'Pot', 9)"
       " returning id), gone as (delete from public.product where sku = 'CUP' returning id)"
       " update public.product set price = 6 where sku = 'TEA-1'");
    std::vector<std::string> seen;
    for (const Written& one : since(before)) {
        const std::string row = one.now.empty() ? one.old : one.now;
        seen.push_back(one.event + " " + value(row, "sku"));
    }
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(seen, (std::vector<std::string>{"created CUP", "created POT", "deleted CUP",
                                              "updated TEA-1", "updated TEA-1"}));
}

TEST_F(ChangesWritersTest, many_rows_of_one_statement) {
    const std::string before = cursor();
    as(kManager, ann_,
       "insert into public.product (sku, title, price)"
       " select 'N-' || n, 'Number', n from generate_series(1, 1000) n");
    as(kManager, ann_, "delete from public.product where title = 'Number'");
    const auto changes = since(before, 300);
    ASSERT_EQ(changes.size(), 2000U);
    EXPECT_EQ(changes[999].event, "created");
    EXPECT_EQ(changes[1000].event, "deleted");
}

TEST_F(ChangesWritersTest, what_is_rolled_back_leaves_nothing) {
    const std::string before = cursor();
    EXPECT_THROW(as(kManager, ann_, std::string(kMug) + "; select 1 / 0"), pqxx::sql_error);
    EXPECT_THROW(as(kCustomer, ann_, kMug), pqxx::sql_error);  // not theirs to make
    as(kManager + std::string(",clerk"), ann_,
       std::string(kMug) +
           "; savepoint s; update public.product set title = 'No' where sku = 'MUG';"
           " rollback to savepoint s; update public.product set title = 'Cup' where sku = 'MUG'");
    const auto changes = since(before);
    ASSERT_EQ(events(changes), "created product, updated product");
    EXPECT_EQ(value(changes[1].now, "title"), "Cup");
    EXPECT_EQ(query("select count(*) from svc.change where new ->> 'title' = 'No'"), "0");
}

TEST_F(ChangesWritersTest, callers_cannot_read_write_or_empty_the_record) {
    for (
        const char* sql :
        {"select * from svc.change", "select * from svc.change_0", "select * from svc.change_floor",
         "insert into svc.change (table_name, event, row_id) values ('x', 'created', svc.new_id())",
         "update svc.change set actor = null", "delete from svc.change", "truncate svc.change",
         "insert into svc.change_0 (table_name, event, row_id)"
         " values ('x', 'created', svc.new_id())",
         "update svc.change_slot set slot = 0", "select svc.record_in(0)",
         "select nextval('svc.change_seq')", "select svc.changes_since(null)",
         "select svc.change_cursor()", "select svc.purge_changes()", "truncate public.product"}) {
        EXPECT_THROW(as(kManager, ann_, sql), pqxx::insufficient_privilege) << sql;
    }
    const std::string system = "begin; set local role " + target_.system_role + "; ";
    EXPECT_EQ(query(system + "select count(*) from svc.changes_since(null)"), "1");
    EXPECT_THROW(query(system + "delete from svc.change"), pqxx::insufficient_privilege);
    EXPECT_THROW(query(system + "insert into svc.change (table_name, event, row_id)"
                                " values ('x', 'created', svc.new_id())"),
                 pqxx::insufficient_privilege);
}

}  // namespace
}  // namespace svc::migrate
