// A connection to the clone, with its transactions in hand: most of what is tried is taken back.
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
    bool yes(const std::string& sql) { return text(sql) == "t"; }
    std::string quote(const std::string& text) const { return work_.quote(text); }

    // Until back(): callers' statements as this caller, in a transaction.
    void become(const VerifyCaller& caller);
    void become_owner();
    void back() { run("set local role none"); }

    // Triggers of the app's tables do not fire between hush() and unhush(), or of this one those
    // that do more than keep its words; those that were off before stay off.
    void hush(const std::string& table = {});
    void unhush();

    const AppDatabase& database() const { return database_; }

  private:
    const AppDatabase& database_;
    pqxx::connection connection_;
    mutable pqxx::nontransaction work_;
    std::vector<std::string> hushed_;  // alter table … enable trigger …
};

// Rolls back everything that is done in it.
class Undone {
  public:
    explicit Undone(CloneConnection& session) : session_(session) { session_.run("begin"); }
    ~Undone();
    Undone(const Undone&) = delete;
    Undone& operator=(const Undone&) = delete;

  private:
    CloneConnection& session_;
};

// The array of texts as SQL: '{"a","b"}'::text[].
std::string text_array(const std::vector<std::string>& texts);

}  // namespace svc::devapi::verification
