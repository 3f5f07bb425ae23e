// The database that the back ends are asked in, its rows full of nulls and edges, and the callers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <pqxx/pqxx>
#include <string>
#include <vector>

#include "dice.hpp"
#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::differential {

inline constexpr std::size_t kThing = 0;  // the entity that expressions are about
inline constexpr int kThings = 110;
// The moment of every decision; back ends say now(), which is replaced by it.
inline constexpr const char* kNow = "2026-11-21 10:00:00+00";

using Cell = std::optional<std::string>;
using Cells = std::vector<Cell>;

struct Person {
    std::string label;
    std::string user_id, principals, claims;  // as the server sets them
    std::uint64_t bits = 0;
    Cell id, persona, org, email;
    bool is_admin = false;
};

std::vector<Person> people(const plan::Plan& plan);

// A change, as the database records it for feeds. Rows are JSON; empty: there was none.
struct Change {
    std::string table, id, before, after;
};

// One character for each row: 1 if the answer is yes.
using Answers = std::string;

class World {
  public:
    // Rows by chance of `dice`.
    World(const std::string& server_url, const plan::Plan& plan, Dice& dice);
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    // Commits what was done: a transaction can hold only so many locks.
    void settle();
    // The ids of rows that `query` gives, asked as each caller in turn.
    std::vector<Answers> ask(const std::string& query, bool as_data_role);
    // The ids of things of which svc.thing_readers names each caller, all in one statement.
    std::vector<Answers> ask_at_once();
    // As ask() for a statement that fires test.refused.
    std::vector<Answers> refused(const std::string& statement);
    // Runs SQL as the owner; :data_role is replaced.
    void run(const std::string& sql);
    // Runs `what`; false, and nothing done, where the database refuses a statement: `problem` says
    // why.
    template <class What>
    bool tried(What what, std::string& problem) {
        work_->exec("savepoint tried");
        try {
            what();
        } catch (const pqxx::sql_error& error) {
            problem = error.what();
            work_->exec("rollback to tried");
            return false;
        }
        work_->exec("release tried");
        return true;
    }

    // Calls with the changes of this statement while they are made, and undoes them. Nothing is
    // done where the database refuses it.
    template <class What>
    void meanwhile(const std::string& statement, What what) {
        work_->exec("savepoint meanwhile");
        std::string problem;
        std::vector<Change> changes;
        if (tried([&] { changes = changes_of(statement); }, problem)) what(changes);
        work_->exec("rollback to meanwhile; release meanwhile");
    }

    const std::string& data_role() const { return data_role_; }
    // The rows of thing, as they are and as an update would make them, in the order of its columns.
    const std::vector<Cells>& before() const { return tables_[kThing]; }
    const std::vector<Cells>& after() const { return after_; }
    // All rows of an entity, by its index in the model.
    const std::vector<Cells>& table(std::size_t entity) const { return tables_[entity]; }
    std::string now() const { return kNow; }
    const std::string& today() const { return today_; }

  private:
    std::vector<Answers> all(const std::string& statement);
    std::vector<Change> changes_of(const std::string& statement);
    void make_database(const plan::Plan& plan);
    void fill(const plan::Plan& plan, Dice& dice);
    void prepare(const plan::Plan& plan);
    std::vector<Cells> cells(const std::string& from, const plan::ServedEntity& entity);

    std::string server_url_, name_, owner_, data_role_, today_;
    std::vector<Person> people_;
    std::unique_ptr<pqxx::connection> connection_;
    std::unique_ptr<pqxx::nontransaction> work_;
    std::vector<Cells> after_;
    std::vector<std::vector<Cells>> tables_;
};

}  // namespace svc::differential
