// Where access is tried: a transaction of the clone in which nothing but policies stands between a
// caller and the rows. Constraints are gone, triggers are off, and all of it is taken back.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "verify/oracle.hpp"
#include "verify/subject.hpp"

namespace svc::devapi::verification {

using Row = std::map<std::string, std::string>;

class Bench {
  public:
    enum class Triggers { on, off };
    Bench(Subject& subject, Triggers triggers);

    // What the statement selects as the owner, days and moments being those of the app's timezone.
    std::vector<std::string> ask(const std::string& sql);
    // Takes back what `work` does.
    template <class Work>
    void undone(Work work) {
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
    // Each statement by itself as this caller, and taken back: how many rows it reached, or the
    // SQLSTATE and words of the refusal.
    std::vector<std::string> tried(const VerifyCaller& caller,
                                   const std::vector<std::string>& statements);
    // The same with the owner's rights, while this caller is the caller: past policies.
    std::vector<std::string> tried_past_policies(const VerifyCaller& caller,
                                                 const std::vector<std::string>& statements);

    // svc_verify.made: rows that might be, told apart by _n; _f may say of which field.
    void begin_made(const model::Entity& entity);
    void end_made();
    // Columns that a statement may write, as a list; `but` are left out.
    std::string columns(const model::Entity& entity, const std::vector<std::string>& but = {});

    // "order 0198… of customer (1)"
    std::string describe(const model::Entity& entity, const std::string& id,
                         const VerifyCaller& caller, const std::string& table = {});

    Session& db() { return db_; }

  private:
    std::vector<std::string> each(const std::vector<std::string>& statements);
    std::string owner_words(const model::Entity& entity, const std::string& source,
                            const std::string& which, const VerifyCaller& caller);

    Subject& subject_;
    Session& db_;
    Undone undone_;
    std::map<std::string, std::vector<std::string>> columns_;
};

// Of those who differ by a role in an organisation alone, some is enough if nothing asks for it.
bool asks_for_itself(const VerifyCaller& caller, const model::Entity& entity);

inline bool is_refusal(const std::string& answer) {
    return answer.starts_with("42501") || answer.starts_with("SV432") ||
           answer.starts_with("SV403") || answer == "0";
}

}  // namespace svc::devapi::verification
