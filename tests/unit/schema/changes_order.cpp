// Readers of svc.change miss nothing and read nothing twice, in an order that fits what happened.
#include <atomic>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "unit/schema/changes_fixture.hpp"

namespace svc::migrate {
namespace {

class ChangesOrderTest : public ChangesTest {
  protected:
    // A transaction that is under way.
    struct Open {
        explicit Open(const std::string& url) : connection(url), work(connection) {}
        pqxx::connection connection;
        pqxx::work work;
    };

    static std::string add(const std::string& sku) {
        return "insert into public.product (sku, title, price) values ('" + sku + "', 't', 1)";
    }
    static std::string retitle(const std::string& sku, const std::string& title) {
        return "update public.product set title = '" + title + "' where sku = '" + sku + "'";
    }

    // Titles or skus in the order in which they were read.
    std::string read_all(std::string& cursor, const std::string& column) {
        pqxx::connection connection(target_.url);
        std::string out;
        for (const Written& one : read(connection, cursor, 1000)) {
            out += (out.empty() ? "" : " ") + value(one.now, column);
        }
        return out;
    }
};

TEST_F(ChangesOrderTest, who_takes_long_keeps_nobody_waiting_and_is_not_missed) {
    std::string at = cursor();
    Open slow(target_.url);
    slow.work.exec(add("SLOW"));
    query(add("QUICK"));
    EXPECT_EQ(read_all(at, "sku"), "QUICK");
    EXPECT_EQ(read_all(at, "sku"), "");
    query(add("LATER"));
    slow.work.commit();
    EXPECT_EQ(read_all(at, "sku"), "SLOW LATER");
    EXPECT_EQ(read_all(at, "sku"), "");
}

// The first to begin is the last to write: its number is smaller, its change is the later one.
TEST_F(ChangesOrderTest, a_row_changes_in_the_order_in_which_it_changed) {
    query(add("CUP"));
    std::string at = cursor();
    Open first(target_.url);
    first.work.exec(add("OTHER"));
    query(retitle("CUP", "one"));
    first.work.exec(retitle("CUP", "two"));
    first.work.commit();
    EXPECT_EQ(read_all(at, "title"), "t one two");
}

TEST_F(ChangesOrderTest, a_page_that_is_full_goes_on_where_it_ended) {
    const std::string at = cursor();
    for (const char* sku : {"A", "B", "C", "D", "E"}) query(add(sku));
    for (const int limit : {1, 2, 4, 5, 6}) {
        std::set<std::int64_t> seen;
        const auto changes = since(at, limit);
        for (const Written& one : changes) EXPECT_TRUE(seen.insert(one.seq).second);
        EXPECT_EQ(changes.size(), 5U) << limit;
    }
    // From any row on: what comes after it, what happened since included.
    const auto all = since(at, 3);
    query(add("F"));
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(since(all[i].next, 2).size(), all.size() - i) << i;
    }
}

TEST_F(ChangesOrderTest, a_page_that_is_half_read_does_not_take_in_what_ends_meanwhile) {
    std::string at = cursor();
    Open slow(target_.url);
    slow.work.exec(add("SLOW"));
    for (const char* sku : {"A", "B"}) query(add(sku));
    pqxx::connection connection(target_.url);
    EXPECT_EQ(read(connection, at, 1).size(), 1U);
    slow.work.commit();
    EXPECT_EQ(read_all(at, "sku"), "B");
    EXPECT_EQ(read_all(at, "sku"), "SLOW");
}

// Every transaction that was open at its begin has ended, so no earlier one keeps it from going on.
TEST_F(ChangesOrderTest, who_hears_nothing_for_long_goes_on_when_all_of_before_is_thrown_away) {
    std::string at;
    {
        Open other(target_.url);
        other.work.exec("select pg_current_xact_id()");
        query(add("CUP"));
        at = cursor();
    }
    EXPECT_EQ(read_all(at, "sku"), "");
    query(
        "insert into svc.change_floor (xid) select xid from svc.change order by xid desc limit 1");
    EXPECT_EQ(read_all(at, "sku"), "");
    query(add("LATER"));
    EXPECT_EQ(read_all(at, "sku"), "LATER");
}

TEST_F(ChangesOrderTest, cursors_that_are_none_are_refused) {
    for (const char* bad :
         {"x", "1:2", "9:1:", "1:1:/y", "1:1:/1:1:/z", "/", "1:1:/1:1:/ 1 or 1"}) {
        EXPECT_THROW(since(bad), pqxx::data_exception) << bad;
    }
}

// Writers at once, some slow, some that give up, on rows that they share and rows of their own; two
// readers meanwhile.
class Crowd {
  public:
    Crowd(std::string url, unsigned seed) : url_(std::move(url)), dice_(seed) {}

    void write() {
        pqxx::connection connection(url_);
        pqxx::nontransaction(connection).exec0("set deadlock_timeout = '10ms'");
        for (int i = 0; i < 60; ++i) {
            try {
                transaction(connection);
            } catch (const pqxx::transaction_rollback&) {
                // A deadlock with another of the crowd: nothing was written.
            }
        }
    }

  private:
    int roll(int sides) { return std::uniform_int_distribution<int>(1, sides)(dice_); }

    void transaction(pqxx::connection& connection) {
        pqxx::work work(connection);
        for (int i = roll(4); i > 0; --i) {
            const std::string row = std::to_string(roll(5));
            work.exec(
                roll(3) == 1
                    ? "insert into public.product (sku, title, price)"
                      " select 'C-' || nextval('public.crowd'), '0', 1 from generate_series(1, " +
                          row + ")"
                    : "update public.product set stock = stock + 1 where sku = 'S-" + row + "'");
            if (roll(4) == 1) std::this_thread::sleep_for(std::chrono::milliseconds(roll(6)));
        }
        if (roll(5) != 1) work.commit();
    }

    std::string url_;
    std::minstd_rand dice_;
};

TEST_F(ChangesOrderTest, nothing_is_missed_or_repeated_however_transactions_overlap) {
    query("create sequence public.crowd");
    for (const char* n : {"1", "2", "3", "4", "5"}) query(add("S-" + std::string(n)));
    const std::string start = cursor();
    std::vector<std::thread> writers;
    std::atomic<bool> over = false;
    Open slow(target_.url);
    slow.work.exec(add("SLOW"));
    for (unsigned i = 0; i < 6; ++i)
        writers.emplace_back([&, i] { Crowd(target_.url, i).write(); });
    const auto follow = [&](int limit, std::vector<Written>& seen) {
        pqxx::connection connection(target_.url);
        std::string at = start;
        for (bool last = false;;) {
            const auto page = read(connection, at, limit);
            seen.insert(seen.end(), page.begin(), page.end());
            if (page.empty() && last) return;
            last = over;
        }
    };
    std::vector<Written> seen[2];
    std::thread few([&] { follow(3, seen[0]); });
    std::thread many([&] { follow(500, seen[1]); });
    for (auto& writer : writers) writer.join();
    slow.work.commit();
    over = true;
    few.join();
    many.join();

    for (const auto& changes : seen) {
        std::set<std::int64_t> seqs;
        std::map<std::string, std::string> rows;
        for (const Written& one : changes) {
            EXPECT_TRUE(seqs.insert(one.seq).second) << "twice";
            auto [row, fresh] = rows.try_emplace(one.row, one.now);
            if (one.event == "updated" && !fresh) {
                EXPECT_EQ(one.old, row->second) << "not what the change before it left";
            }
            row->second = one.now;
        }
        EXPECT_EQ(std::to_string(seqs.size()),
                  query("select count(*) - 6 from svc.change"));  // the seed, and the five
        EXPECT_GT(seqs.size(), 300U);
    }
}

}  // namespace
}  // namespace svc::migrate
