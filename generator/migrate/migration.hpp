// One try to bring a database to a plan.
#pragma once

#include <optional>
#include <pqxx/pqxx>
#include <string>

#include "migrate/diff/diff.hpp"
#include "migrate/migrate.hpp"
#include "migrate/refusal/refusal.hpp"

namespace svc::migrate {

class Migration {
  public:
    Migration(const plan::Plan& plan, const Target& target, Result& result)
        : plan_(plan), target_(target), result_(result), connection_(target.url) {}

    void preview();
    void apply(const Record& record);

    // The table that the failed try waited for. Empty: another migration, or a row.
    const std::string& waiting() const { return waiting_; }
    // After a failed try: undoes what was built ahead, and reports which connection blocked it.
    void give_up();
    std::string who_holds_it();

  private:
    // ---- before the transaction ----
    void prepare_large();
    void build(pqxx::nontransaction& work, const Step& step);
    bool drop_builds(pqxx::nontransaction& work);

    // ---- within it ----
    void begin(pqxx::work& tx);
    void settings(pqxx::transaction_base& tx, const char* local);
    void try_probes();
    void try_probe(const plan::TableObject& object);
    void bring_system_schema();
    void bring_caller_rights();
    bool has_caller_rights(const std::string& hash);
    void stand_before(const Record& record);
    void compare(pqxx::dbtransaction& tx);
    bool reach();
    void leave();
    void list_changes();
    void stop_deferred();
    void run(const Step& step);
    void remember();
    void remember_rename(const Step& step);
    void remember_keep_times();
    void warn_of_deleted(pqxx::dbtransaction& tx);
    void remember_later();
    void print_found();
    std::string grant_table(const std::string& grant) const;
    void prepare_statements();
    void keep(const Record& record);

    bool failed() const { return result_.findings.has_errors(); }
    void trace(const std::string& sql) const {
        if (target_.trace) target_.trace(sql);
    }
    std::string quoted(const std::string& name) { return connection_.quote_name(name); }
    std::string row(std::initializer_list<std::string> texts, const std::string& more);
    void become(const std::string& role) { tx_->exec0("set local role " + quoted(role)); }

    const plan::Plan& plan_;
    const Target& target_;
    Result& result_;
    pqxx::connection connection_;
    std::optional<pqxx::work> tx_;
    Schema schema_;
    Diff diff_;
    std::vector<Change> reached_, left_;            // servers of other databases
    std::map<std::string, std::string> key_types_;  // of externals, by entity
    std::string waiting_;
};

}  // namespace svc::migrate
