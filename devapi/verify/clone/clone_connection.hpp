// A connection to the clone that controls its transactions: most changes are rolled back.
#pragma once

#include <pqxx/pqxx>
#include <string>
#include <vector>

#include "apps/database/database.hpp"
#include "verify/verify_caller.hpp"

namespace svc::devapi::verification {

class CloneConnection {
  public:
    explicit CloneConnection(const AppDatabase& database);

    pqxx::result run(const std::string& sql) { return work_.exec(sql); }
    std::string text(const std::string& sql);               // the one value; "" for null
    std::vector<std::string> list(const std::string& sql);  // of the first column
    bool is_true(const std::string& sql) { return text(sql) == "t"; }
    std::string quote(const std::string& text) const { return work_.quote(text); }

    // Until reset_role(): callers' statements as this caller, in a transaction.
    void act_as(const VerifyCaller& caller);
    void act_as_owner();
    void reset_role() { run("set local role none"); }

    // Triggers of the app's tables do not fire between disable_triggers() and enable_triggers(), or
    // of this one those that do more than keep its words; those that were off before stay off.
    void disable_triggers(const std::string& table = {});
    void enable_triggers();

    const AppDatabase& database() const { return database_; }

  private:
    const AppDatabase& database_;
    pqxx::connection connection_;
    mutable pqxx::nontransaction work_;
    std::vector<std::string> disabled_;  // alter table … enable trigger …
};

// Rolls back everything that is done in it.
class RollbackScope {
  public:
    explicit RollbackScope(CloneConnection& connection) : connection_(connection) {
        connection_.run("begin");
    }
    ~RollbackScope();
    RollbackScope(const RollbackScope&) = delete;
    RollbackScope& operator=(const RollbackScope&) = delete;

  private:
    CloneConnection& connection_;
};

// The array of texts as SQL: '{"a","b"}'::text[].
std::string text_array(const std::vector<std::string>& texts);

}  // namespace svc::devapi::verification
