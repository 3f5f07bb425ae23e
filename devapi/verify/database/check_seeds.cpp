// Seeds change nothing a second time, and still can be made in a database without rows.
#include "migrate/seed/seeds.hpp"

#include <pqxx/pqxx>

#include "plan/names.hpp"
#include "verify/clone/fixtures.hpp"

namespace svc::devapi::verification {
namespace {

class SeedCheck {
  public:
    SeedCheck(Subject& subject, VerifyCheck& out)
        : subject_(subject),
          out_(out),
          connection_(subject.clone.database().admin_url),
          tx_(connection_) {
        for (const char* setting : {"search_path = public", "timezone = 'UTC'",
                                    "datestyle = 'ISO, YMD'", "client_min_messages = 'error'"})
            tx_.exec0(std::string("set local ") + setting);
        tx_.exec0("set local role " + plan::ident(subject.clone.database().owner_role));
        for (const auto& table : subject.plan.tables)
            if (!table.external) tables_.push_back(plan::table(table.name));
    }

    void again() {
        std::vector<std::string> before;
        for (const auto& table : tables_) before.push_back(content(table));
        const bool applied = apply_seeds("Applying the seeds again");
        for (std::size_t i = 0; applied && i < tables_.size(); ++i) {
            if (content(tables_[i]) == before[i])
                out_.good();
            else
                out_.bad("Applying the seeds again changes rows of " + tables_[i] + ".");
        }
    }

    // Seeds as a deploy to a new database does.
    void from_nothing() {
        const auto triggers = list(
            "select format('alter table %s %%s trigger %I', g.tgrelid::regclass, g.tgname) from "
            "pg_trigger g join pg_class t on t.oid = g.tgrelid where not g.tgisinternal and "
            "g.tgenabled = 'O' and t.relnamespace = 'public'::regnamespace and t.relkind = 'r'");
        switch_all(triggers, "disable");
        std::string all;
        for (const auto& table : tables_) all += (all.empty() ? "" : ", ") + table;
        if (!all.empty()) tx_.exec0("truncate " + all + " cascade");
        tx_.exec0("delete from svc.seed");
        tx_.exec0("delete from svc.account");
        switch_all(triggers, "enable");
        if (apply_seeds("Seeding a new database")) out_.cases += subject_.plan.seed_rows.size();
    }

  private:
    bool apply_seeds(const std::string& what) {
        diag::Findings findings;
        migrate::seed(tx_, subject_.plan, {}, findings);
        for (const auto& finding : findings.all())
            if (finding.severity == diag::Severity::error)
                out_.bad(what + " fails at " + finding.path + ": " + finding.message);
        return !findings.has_errors();
    }

    std::string content(const std::string& table) {
        return tx_
            .exec1("select md5(coalesce(string_agg(row(t.*)::text, '' order by id), '')) from " +
                   table + " t")[0]
            .c_str();
    }

    std::vector<std::string> list(const std::string& sql) {
        std::vector<std::string> out;
        for (const auto& row : tx_.exec(sql)) out.emplace_back(row[0].c_str());
        return out;
    }

    void switch_all(const std::vector<std::string>& triggers, const char* verb) {
        for (std::string statement : triggers)
            tx_.exec0(statement.replace(statement.find("%s"), 2, verb));
    }

    Subject& subject_;
    VerifyCheck& out_;
    pqxx::connection connection_;
    pqxx::work tx_;  // never committed
    std::vector<std::string> tables_;
};

}  // namespace

void check_seeds(Subject& subject, VerifyCheck& out) {
    const auto& plan = subject.plan;
    if (plan.seeds_unchanged)
        return not_run(
            out,
            "The seeds of this contract are UNCHANGED, so the contract does not contain them.");
    if (plan.seed_rows.empty() && plan.seed_users.empty())
        return not_run(out, "The contract has no seeds.");
    SeedCheck(subject, out).again();
    SeedCheck(subject, out).from_nothing();
    out.said = std::to_string(plan.seed_rows.size()) + " rows and " +
               std::to_string(plan.seed_users.size()) +
               " accounts, applied again, and applied to an empty database.";
}

}  // namespace svc::devapi::verification
