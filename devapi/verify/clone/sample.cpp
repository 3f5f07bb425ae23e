#include "verify/clone/sample.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "plan/names.hpp"
#include "verify/clone/clone_connection.hpp"

namespace svc::devapi::verification {
namespace {

constexpr const char* kAccounts = "svc.account";
// The system tables that a clone needs: the contract's records, and its functions and workflows.
// The others (sessions, mails, links, secrets, changes, runs, schedules) are not copied.
constexpr const char* kWhole[] = {"svc.contract", "svc.managed",    "svc.pending", "svc.seed",
                                  "svc.persona",  "svc.definition", "svc.flow",    "svc.payments"};

struct Reference {
    std::string table, column, to;
};

class Sampler {
  public:
    Sampler(const plan::Plan& plan, const AppDatabase& source, const AppDatabase& clone)
        : from_(source), to_(clone) {
        tables_.emplace_back(kAccounts);
        for (const plan::Table& table : plan.tables)
            if (!table.external) tables_.push_back(plan::table(table.name));
        for (const plan::Routine& routine : plan.routines)
            if (routine.kind == plan::Routine::Kind::words)
                words_["svc." + plan::ident(routine.name)] = plan::table(routine.table);
    }

    std::vector<CopiedTable> run() {
        from_.run("begin isolation level repeatable read, read only");
        from_.act_as_owner();
        choose();
        close_over_references();
        std::vector<CopiedTable> out = fill();
        from_.run("commit");
        return out;
    }

  private:
    // False if somebody dropped it by hand, which another check reports.
    bool is_there(const std::string& table) {
        const std::string there = "select to_regclass(" + plan::literal(table) + ") is not null";
        return from_.is_true(there) && to_.is_true(there);
    }

    void choose() {
        std::erase_if(tables_, [this](const std::string& table) { return !is_there(table); });
        for (const std::string& table : tables_) {
            const std::string some = "select id::text from " + table + " order by id desc limit ";
            auto ids = from_.list(some + std::to_string(kMostRows + 1));
            if (ids.size() <= kMostRows) continue;
            ids.pop_back();
            parts_[table] = {ids.begin(), ids.end()};
        }
    }

    std::string which(const std::string& table) const {
        const auto part = parts_.find(table);
        if (part == parts_.end()) return "true";
        return "id = any (" + text_array({part->second.begin(), part->second.end()}) + "::uuid[])";
    }

    // A row that is taken takes along what it refers to.
    void close_over_references() {
        const auto references = read_references();
        for (bool grew = true; grew;) {
            grew = false;
            for (const Reference& one : references) {
                const auto part = parts_.find(one.to);
                if (part == parts_.end()) continue;
                const std::size_t before = part->second.size();
                for (auto& id :
                     from_.list("select distinct " + one.column + "::text from " + one.table +
                                " where " + one.column + " is not null and " + which(one.table)))
                    part->second.insert(std::move(id));
                grew = grew || part->second.size() > before;
            }
        }
    }

    std::vector<Reference> read_references() {
        std::vector<Reference> out;
        const std::set<std::string> ours(tables_.begin(), tables_.end());
        const auto name = [](const pqxx::row& row, int at) {
            return std::string(row[at].c_str()) + "." + plan::ident(row[at + 1].c_str());
        };
        for (const auto& row :
             from_.run("select tn.nspname, t.relname, a.attname, fn.nspname, f.relname "
                       "from pg_constraint c join pg_class t on t.oid = c.conrelid "
                       "join pg_namespace tn on tn.oid = t.relnamespace "
                       "join pg_class f on f.oid = c.confrelid "
                       "join pg_namespace fn on fn.oid = f.relnamespace "
                       "join pg_attribute a on a.attrelid = t.oid and a.attnum = c.conkey[1] "
                       "where c.contype = 'f' and cardinality(c.conkey) = 1")) {
            Reference one{name(row, 0), plan::ident(row[2].c_str()), name(row, 3)};
            if (ours.contains(one.table) && ours.contains(one.to)) out.push_back(std::move(one));
        }
        return out;
    }

    std::vector<CopiedTable> fill() {
        to_.run("begin");
        to_.act_as_owner();
        const auto references = to_.list(
            "select format('alter table %s add constraint %I %s', conrelid::regclass, conname, "
            "pg_get_constraintdef(oid)) from pg_constraint where contype = 'f' "
            "and conrelid in (select oid from pg_class where relnamespace in "
            "('public'::regnamespace, 'svc'::regnamespace))");
        for (const auto& drop : to_.list(
                 "select format('alter table %s drop constraint %I', conrelid::regclass, conname) "
                 "from pg_constraint where contype = 'f' and conrelid in (select oid from pg_class "
                 "where relnamespace in ('public'::regnamespace, 'svc'::regnamespace))"))
            to_.run(drop);
        to_.disable_triggers();
        for (const char* table : kWhole)
            if (is_there(table)) copy(table, "true");
        std::vector<CopiedTable> out;
        for (const std::string& table : tables_)
            out.push_back({table, copy(table, which(table)), !parts_.contains(table)});
        for (const auto& [words, table] : words_)
            if (is_there(words)) copy(words, which(table));
        to_.run(std::string("update ") + kAccounts + " set password_hash = null");
        to_.enable_triggers();
        for (const std::string& add : references) to_.run(add);
        go_on_counting();
        to_.run("commit");
        to_.run("analyze");
        return out;
    }

    // Rows travel as PostgreSQL writes them whole. What is computed is computed there.
    std::int64_t copy(const std::string& table, const std::string& which) {
        const std::string columns = to_.text(
            "select string_agg('(r).' || quote_ident(attname), ', ' order by attnum) "
            "from pg_attribute where attrelid = " +
            plan::literal(table) +
            "::regclass and attnum > 0 and not attisdropped "
            "and attgenerated = ''");
        std::string names = columns;
        for (auto at = names.find("(r)."); at != std::string::npos; at = names.find("(r).", at))
            names.erase(at, 4);
        // Not t::text: of a table with a column t that would be the column.
        const auto rows = from_.list("select row(t.*)::text from " + table + " t where " + which);
        for (std::size_t at = 0; at < rows.size(); at += 500) {
            const std::vector<std::string> some(
                rows.begin() + static_cast<std::ptrdiff_t>(at),
                rows.begin() + static_cast<std::ptrdiff_t>(std::min(at + 500, rows.size())));
            to_.run("insert into " + table + " (" + names + ") overriding system value select " +
                    columns + " from (select unnest(" + text_array(some) + ")::" + table +
                    " as r offset 0) as sent");
        }
        return static_cast<std::int64_t>(rows.size());
    }

    void go_on_counting() {
        for (const auto& row :
             from_.run("select schemaname, sequencename, last_value from pg_sequences "
                       "where schemaname in ('public', 'svc') and last_value is not null")) {
            const std::string name =
                plan::literal(std::string(row[0].c_str()) + "." + plan::ident(row[1].c_str()));
            to_.run("select setval(" + name + ", " + row[2].c_str() + ") where to_regclass(" +
                    name + ") is not null");
        }
    }

    CloneConnection from_, to_;
    std::vector<std::string> tables_;
    std::map<std::string, std::string>
        words_;  // of full-text search, as they are kept: of which table
    std::map<std::string, std::set<std::string>> parts_;  // of large tables: ids that are taken
};

}  // namespace

std::vector<CopiedTable> copy_rows(const plan::Plan& plan, const AppDatabase& source,
                                   const AppDatabase& clone) {
    return Sampler(plan, source, clone).run();
}

}  // namespace svc::devapi::verification
