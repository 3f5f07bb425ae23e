#include "verify/access/writes.hpp"

#include "plan/names.hpp"

namespace svc::devapi::verification {
namespace {

constexpr const char* kMade = "svc_verify.made";

class Writes {
  public:
    Writes(Subject& subject, Bench& bench, std::size_t index, VerifyCheck& out)
        : subject_(subject),
          bench_(bench),
          index_(index),
          entity_(subject.model.entities[index]),
          table_(plan::table(entity_.name)),
          out_(out) {}

    void run() {
        bench_.begin_made(entity_);
        for (const VerifyCaller& caller : subject_.callers) {
            if (!asks_for_itself(caller, entity_)) continue;
            Oracle oracle(subject_.model, caller);
            make_new_rows(caller);
            attempt(caller,
                    "(" + oracle.may(Operation::create, index_, "r") + " and " +
                        oracle.stamped(index_, "r") + ")",
                    Operation::create);
            make_changed_rows(oracle);
            attempt(caller, oracle.may(Operation::update, index_, "r"), Operation::update);
        }
        bench_.end_made();
    }

  private:
    void clear() { bench_.db().run("delete from svc_verify.made"); }

    // Uses rows as they are, and as if the caller owned them.
    void make_new_rows(const VerifyCaller& caller) {
        bench_.db().act_as_owner();
        clear();
        const std::string columns = bench_.columns(entity_, {"id"});
        const std::string into = std::string("insert into ") + kMade + " (id, " + columns +
                                 ") select gen_random_uuid(), ";
        const std::string from =
            " from (select * from " + table_ + " order by md5(id::text) limit 16) t";
        bench_.db().run(into + columns + from);
        std::vector<std::string> owners;
        std::string stamp;
        const auto stamped = [&](const char* column, const std::string& value) {
            owners.emplace_back(column);
            stamp += ", " + (value.empty() ? "null" : plan::literal(value) + "::uuid");
        };
        if (entity_.owner.user) stamped("user_id", caller.id);
        if (entity_.owner.org) stamped("org_id", caller.org);
        if (!owners.empty()) {
            auto rest = owners;
            rest.emplace_back("id");
            const std::string others = bench_.columns(entity_, rest);
            std::string names;
            for (const auto& owner : owners) names += ", " + owner;
            bench_.db().run(std::string("insert into ") + kMade + " (id, " + others + names +
                            ") select gen_random_uuid(), " + others + stamp + from);
        }
        bench_.db().reset_role();
    }

    // Rows that they may change, each with what other rows have; once all of it, once under the
    // owner that it has.
    void make_changed_rows(Oracle& oracle) {
        const std::string columns = bench_.columns(entity_, {"id"});
        std::vector<std::string> owners;
        if (entity_.owner.user) owners.emplace_back("user_id");
        if (entity_.owner.org) owners.emplace_back("org_id");
        std::string kept;
        for (const auto& owner : owners) kept += ", own." + owner;
        auto rest = owners;
        rest.emplace_back("id");
        const std::string others = bench_.columns(entity_, rest);
        std::string into = others;
        for (const auto& owner : owners) into += ", " + owner;
        std::string sql = std::string("with gone as (delete from ") + kMade +
                          "), own as materialized (select r.* from " + table_ + " r where " +
                          oracle.may(Operation::update, index_, "r") +
                          " order by md5(r.id::text) limit 3), other as materialized (select * "
                          "from " +
                          table_ + " order by md5(id::text || 'b') limit 12)";
        if (!owners.empty())
            sql += std::string(", under as (insert into ") + kMade + " (id, " + into +
                   ") select own.id, " + of("other", others) + kept + " from own, other)";
        bench_.ask(sql + " insert into " + kMade + " (id, " + columns + ") select own.id, " +
                   of("other", columns) + " from own, other");
    }

    static std::string of(const std::string& alias, const std::string& columns) {
        std::string out = alias + ".";
        for (const char c : columns) {
            out += c;
            if (c == ' ') out += alias + ".";
        }
        return out;
    }

    std::string statement(Operation operation, const std::string& n) {
        const std::string made = std::string(" from ") + kMade + " where _n = " + n;
        if (operation == Operation::create) {
            const std::string columns = bench_.columns(entity_);
            return "insert into " + table_ + " (" + columns + ") select " + columns + made;
        }
        const std::string columns = bench_.columns(entity_, {"id"});
        return "update " + table_ + " set (" + columns + ") = (select " + columns + made +
               ") where id = (select id" + made + ")";
    }

    // Some of those that they may and some of those that they may not.
    void attempt(const VerifyCaller& caller, const std::string& may, Operation operation) {
        const auto picked = bench_.ask(
            "select n || ' ' || may from (select _n as n, may, row_number() over (partition by "
            "may order by md5(_n::text || " +
            plan::literal(caller.name) + ")) as place from (select r._n, " + may + " as may from " +
            kMade + " r) a) b where place <= 4 order by n");
        std::vector<std::string> statements;
        statements.reserve(picked.size());
        for (const auto& line : picked)
            statements.push_back(statement(operation, line.substr(0, line.find(' '))));
        const auto answers = bench_.tried(caller, statements);
        for (std::size_t i = 0; i < answers.size(); ++i) {
            const std::string n = picked[i].substr(0, picked[i].find(' '));
            judge(caller, operation, n, picked[i][n.size() + 1] == 't', answers[i]);
        }
    }

    // A failure for another reason says nothing about access.
    void judge(const VerifyCaller& caller, Operation operation, const std::string& n, bool allowed,
               const std::string& answer) {
        const bool done = answer == "1", refused = is_refusal(answer);
        if (!done && !refused) return;
        if (allowed == done) return out_.good();
        out_.bad(out_.failures > 0 ? "" : sentence(caller, operation, n, done));
    }

    std::string sentence(const VerifyCaller& caller, Operation operation, const std::string& n,
                         bool done) {
        const std::string what = bench_.describe(entity_, n, caller, kMade);
        return caller.name + (done ? " can " : " cannot ") +
               (operation == Operation::create ? "make " + what
                                               : "change a row of theirs into " + what) +
               (done ? "; the contract does not let them. Look at the policies of "
                     : ", although the contract lets them. Look at the policies of ") +
               entity_.name + ".";
    }

    Subject& subject_;
    Bench& bench_;
    const std::size_t index_;
    const model::Entity& entity_;
    const std::string table_;
    VerifyCheck& out_;
};

}  // namespace

void try_writes(Subject& subject, Bench& bench, std::size_t entity, VerifyCheck& out) {
    Writes(subject, bench, entity, out).run();
}

}  // namespace svc::devapi::verification
