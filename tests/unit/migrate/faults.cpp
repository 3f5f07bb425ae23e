// A migration that is killed at any statement, or whose PostgreSQL is, leaves old or new; faults of
// locks and machines are distinguished from those of contracts.
#include <sys/wait.h>

#include <csignal>
#include <future>
#include <optional>
#include <random>

#include "migrate/schema/schema.hpp"
#include "unit/migrate/fixture.hpp"

namespace svc::migrate {
namespace {

class FaultTest : public MigrateTest {
  protected:
    static plan::Plan before() {
        auto plan = product();
        plan.tables[0].columns.push_back(column("stock", "text"));
        return plan;
    }
    static plan::Plan after() {
        auto plan = product();
        auto renamed = column("name", "text");
        renamed.renamed_from = "title";
        renamed.not_null = true;
        plan.tables[0].columns[1] = renamed;
        plan.tables[0].columns.push_back(column("stock", "bigint"));
        plan.tables[0].constraints = {
            {"product_name_key",
             "alter table public.product add constraint product_name_key unique (name)",
             "/entities/0", ""},
            {"product_stock_min",
             "alter table public.product add constraint product_stock_min check (stock >= 0)",
             "/entities/0", ""}};
        for (const char* columns : {"stock", "name", "name, stock", "stock, name"}) {
            const std::string name =
                "product_" + std::to_string(plan.tables[0].indexes.size()) + "_idx";
            plan.tables[0].indexes.push_back(
                {name, "create index " + name + " on public.product (" + columns + ")",
                 "/entities/0", ""});
        }
        auto note = plan.tables[0];
        note.name = "note";
        note.columns[1].renamed_from.clear();
        note.constraints.clear();
        note.indexes.clear();
        plan.tables.push_back(note);
        plan.seed_rows = {{"product", "tea", "hash", {"name", "stock"}, {{}, {}}, "/seeds/0"}};
        plan.seed_rows[0].values[0].text = "tea";
        plan.seed_rows[0].values[1].text = "3";
        return plan;
    }
    void begin() {
        ASSERT_TRUE(apply(before()).ok);
        query("insert into public.product (title, stock) values ('a', '1'), ('b', '2')");
    }
    // Everything that the migration changes.
    std::string state() {
        pqxx::connection connection(target_.url);
        pqxx::work tx(connection);
        tx.exec0("set local search_path = public");
        std::string out = tx.exec1("select version || contract from svc.contract")[0].c_str();
        for (const auto& [key, found] : read_found(tx, target_.data_role)) {
            const bool build = key.second.starts_with("svc_build");
            if (!build) out += key.second + found.printed + "\n";
        }
        for (const char* sql :
             {"select kind, name, hash from svc.managed order by 1, 2",
              "select entity, key from svc.seed",
              "select to_jsonb(p) - 'id' from public.product p order by 1::text"}) {
            for (const auto& row : tx.exec(sql)) {
                for (const auto& value : row) out += value.c_str() + std::string("|");
            }
        }
        return out;
    }
    Result finish() {
        const auto result = apply(after(), 2);
        EXPECT_TRUE(result.ok) << described(result);
        EXPECT_TRUE(run_deferred(target_).empty());
        EXPECT_TRUE(apply(after(), 2).changes.empty());
        EXPECT_EQ(query("select string_agg(name || stock, ' ' order by name) from public.product"),
                  "a1 b2 tea3");
        return result;
    }
    // A process that applies, and kills itself before statement number `at`. True if it died.
    bool dies_at(unsigned at) {
        const pid_t child = fork();
        if (child == 0) {
            unsigned count = 0;
            target_.trace = [&](const std::string&) {
                if (++count == at) kill(getpid(), SIGKILL);
            };
            _exit(apply(after(), 2).ok ? 0 : 1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
        return WIFSIGNALED(status);
    }
    // Its backend may live a moment longer than the process.
    void await_alone() {
        while (query("select count(*) from pg_stat_activity where datname = current_database() and "
                     "pid <> pg_backend_pid()") != "0") {
            std::this_thread::yield();
        }
    }
    // PostgreSQL ends every connection where a process of its was killed, though not at once.
    static void await_end_of(pqxx::connection& connection) {
        try {
            while (true) pqxx::nontransaction(connection).exec("select 1");
        } catch (const pqxx::failure&) {
        }
    }

    void await_server() {
        while (true) {
            try {
                query("select 1");
                return;
            } catch (const pqxx::failure&) {
                std::this_thread::yield();
            }
        }
    }
};

TEST_F(FaultTest, a_process_that_is_killed_leaves_old_or_new) {
    begin();
    const std::string old = state();
    unsigned at = 1;
    for (; dies_at(at); ++at) {
        await_alone();
        EXPECT_EQ(state(), old) << at;
    }
    EXPECT_GT(at, 12U);
    EXPECT_NE(state(), old);
    finish();
}

TEST_F(FaultTest, a_process_that_is_killed_while_it_builds_leaves_old_or_new) {
    target_.limits.large_rows = 0;
    begin();
    const std::string old = state();
    unsigned at = 1;
    for (; dies_at(at); ++at) {
        await_alone();
        EXPECT_EQ(state(), old) << at;
    }
    EXPECT_EQ(query("select count(*) from pg_class where relname like 'svc_build%'"), "0");
    finish();
}

TEST_F(FaultTest, postgresql_that_is_killed_leaves_old_or_new) {
    begin();
    const std::string old = state();
    std::mt19937 random(7);
    for (int round = 0; round < 3; ++round) {
        const unsigned at = 1 + random() % 12;
        unsigned count = 0;
        std::optional<pqxx::connection> bystander;
        target_.trace = [&](const std::string&) {
            if (++count != at) return;
            const auto pid = query(
                "select pid from pg_stat_activity where datname = "
                "current_database() and pid <> pg_backend_pid()");
            bystander.emplace(target_.url);
            kill(std::stoi(pid), SIGKILL);
        };
        EXPECT_THROW(apply(after(), 2), pqxx::failure);
        target_.trace = {};
        await_end_of(*bystander);
        await_server();
        EXPECT_EQ(state(), old) << at;
    }
    finish();
}

TEST_F(FaultTest, who_keeps_a_table_locked_is_named_and_readers_pass) {
    begin();
    target_.limits.lock_ms = 50;
    target_.limits.tries = 3;
    pqxx::connection slow(target_.url);
    pqxx::work holder(slow);
    holder.exec("select count(*) from public.product");
    auto applying = std::async(std::launch::async, [&] {
        try {
            apply(after(), 2);
            return std::string();
        } catch (const Failure& failure) {
            return failure.code + " " + failure.what();
        }
    });
    // Readers wait behind the migration no longer than it waits itself.
    while (applying.wait_for(std::chrono::milliseconds(0)) != std::future_status::ready) {
        EXPECT_EQ(query("set lock_timeout = '10s'; select count(*) from public.product"), "2");
    }
    const std::string described = applying.get();
    EXPECT_TRUE(described.starts_with("DATABASE_BUSY ")) << described;
    EXPECT_NE(described.find("process " + std::to_string(slow.backendpid())), std::string::npos)
        << described;
    EXPECT_NE(described.find("select count(*) from public.product"), std::string::npos)
        << described;
    EXPECT_NE(described.find("idle in transaction"), std::string::npos) << described;
}

TEST_F(FaultTest, a_lock_that_goes_is_waited_for_again_and_again) {
    begin();
    target_.limits.lock_ms = 20;
    target_.limits.tries = 12;
    pqxx::connection slow(target_.url);
    auto holder = std::make_unique<pqxx::work>(slow);
    holder->exec("lock table public.product in access share mode");
    auto applying = std::async(std::launch::async, [&] { return apply(after(), 2).ok; });
    std::set<std::string> tries;
    while (tries.size() < 3) {
        const auto pid = query("select pid from pg_locks where not granted limit 1");
        if (!pid.empty()) tries.insert(pid);
    }
    holder.reset();
    EXPECT_TRUE(applying.get());
}

TEST_F(FaultTest, faults_of_the_database_are_no_findings) {
    begin();
    query("alter table public.product owner to postgres");
    try {
        apply(after(), 2);
        ADD_FAILURE() << "it was let";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.code, "DATABASE_FAILED");
    }
    query("alter table public.product owner to " + target_.owner_role);
    auto wrong = after();
    wrong.routines[1].create = "create policy product_select on public.product using (nonsense)";
    EXPECT_EQ(only(apply(wrong, 2)).code, "MIGRATION_FAILED");
}

}  // namespace
}  // namespace svc::migrate
