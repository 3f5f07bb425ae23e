// The transaction of the clone in which access is tried. Only policies apply to callers in it:
// constraints are dropped and triggers are disabled. Everything is rolled back.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/sql_state.hpp"
#include "verify/oracle/oracle.hpp"
#include "verify/subject.hpp"

namespace svc::devapi::verification {

using Row = std::map<std::string, std::string>;

class Bench {
  public:
    enum class Triggers { on, off };
    Bench(Subject& subject, Triggers triggers);

    // The result of the statement as the owner, with dates and times in the app's time zone.
    std::vector<std::string> ask(const std::string& sql);
    // Rolls back what `work` does.
    template <class Work>
    void rolled_back(Work work) {
        db_.run("savepoint bench");
        try {
            work();
        } catch (const pqxx::broken_connection&) {
            throw;
        } catch (const pqxx::sql_error&) {
            db_.run("rollback to savepoint bench; release savepoint bench");
            throw;
        }
        db_.run("rollback to savepoint bench; release savepoint bench");
    }
    // Runs each statement by itself as this caller, and rolls it back. Gives how many rows each
    // statement reached, or the SQLSTATE and the message of its refusal.
    std::vector<std::string> tried(const VerifyCaller& caller,
                                   const std::vector<std::string>& statements);
    // As tried(), with the owner's rights while this caller is set: without policies.
    std::vector<std::string> tried_past_policies(const VerifyCaller& caller,
                                                 const std::vector<std::string>& statements);

    // svc_verify.made: possible rows, numbered by _n; _f may name a field.
    void begin_made(const model::Entity& entity);
    void end_made();
    // The columns that a statement may write, as a list, without those in `but`.
    std::string columns(const model::Entity& entity, const std::vector<std::string>& but = {});

    // "order 0198… of customer (1)"
    std::string describe(const model::Entity& entity, const std::string& id,
                         const VerifyCaller& caller, const std::string& table = {});

    CloneConnection& db() { return db_; }

  private:
    std::vector<std::string> each(const std::vector<std::string>& statements);
    std::string owner_words(const model::Entity& entity, const std::string& source,
                            const std::string& which, const VerifyCaller& caller);

    Subject& subject_;
    CloneConnection& db_;
    RollbackScope rollback_;
    std::map<std::string, std::vector<std::string>> columns_;
};

// False for all but one of the callers who differ only by a role in an organisation, if no
// condition uses the role.
bool asks_for_itself(const VerifyCaller& caller, const model::Entity& entity);

inline bool is_refusal(const std::string& answer) {
    return answer.starts_with(base::sqlstate::kForbidden) ||
           answer.starts_with(base::sqlstate::kFieldForbidden) ||
           answer.starts_with(base::sqlstate::kRowForbidden) || answer == "0";
}

}  // namespace svc::devapi::verification
