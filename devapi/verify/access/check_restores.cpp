// Deleted rows: each caller restores those that they could delete, and no other.
#include "base/sql_state.hpp"
#include "plan/names.hpp"
#include "verify/access/bench.hpp"
#include "verify/access/expected.hpp"
#include "verify/clone/fixtures.hpp"

namespace svc::devapi::verification {
namespace {

// Rows of one entity, deleted during the check. The oracle judges a copy of them, because an
// expression must not find the row itself in the table.
class Restores {
  public:
    Restores(Subject& subject, VerifyCheck& out, std::size_t index)
        : subject_(subject),
          out_(out),
          index_(index),
          entity_(subject.model.entities[index]),
          bench_(subject, Bench::Triggers::off) {}

    void run() {
        take_away();
        for (const VerifyCaller& caller : subject_.callers) ask(caller);
    }

  private:
    void take_away() {
        const std::string table = plan::table(entity_.name);
        CloneConnection& db = bench_.db();
        db.act_as_owner();
        db.run("create table svc_verify.gone as select * from " + table +
               " order by md5(id::text) limit 40; insert into svc.deleted (table_name, row_id, "
               "held) select " +
               plan::literal(entity_.name) + ", r.id, row_to_json(r) from " + table +
               " r join svc_verify.gone g on g.id = r.id; delete from " + table +
               " where id in (select id from svc_verify.gone)");
        db.reset_role();
    }

    void ask(const VerifyCaller& caller) {
        Oracle oracle(subject_.model, caller);
        const auto picked = bench_.ask(
            "select r.id || ' ' || case when not " + oracle.may(Operation::read, index_, "r") +
            " then 'hidden' when not " + oracle.may(Operation::remove, index_, "r") +
            " then 'theirs' else 'done' end from svc_verify.gone r order by 1");
        std::vector<std::string> statements;
        statements.reserve(picked.size());
        for (const auto& line : picked)
            statements.push_back("select from svc." + plan::ident(entity_.name + "_restore") + "(" +
                                 plan::literal(line.substr(0, line.find(' '))) + ")");
        const auto answers = bench_.tried(caller, statements);
        for (std::size_t i = 0; i < answers.size(); ++i) judge(caller, picked[i], answers[i]);
    }

    void judge(const VerifyCaller& caller, const std::string& line, const std::string& answer) {
        const auto [id, expected] = expected_row_of(line);
        const std::string code = answer.substr(0, 5);
        const bool fits = expected == ExpectedOutcome::done ? answer == "1"
                          : expected == ExpectedOutcome::hidden
                              ? code == base::sqlstate::kNotFound
                              : code == base::sqlstate::kRowForbidden;
        if (fits) return out_.good();
        const std::string row = bench_.describe(entity_, id, caller, "svc_verify.gone");
        const std::string why = expected == ExpectedOutcome::hidden ? "which the caller cannot read"
                                                                    : "which they may not delete";
        out_.bad(expected == ExpectedOutcome::done
                     ? caller.name + " cannot restore " + row +
                           ", although the contract lets them delete it: " + answer + "."
                     : caller.name + (answer == "1" ? " restores " : " gets a wrong refusal of ") +
                           row + ", " + why + " (" + answer + ").");
    }

    Subject& subject_;
    VerifyCheck& out_;
    const std::size_t index_;
    const model::Entity& entity_;
    Bench bench_;
};

}  // namespace

void check_restores(Subject& subject, VerifyCheck& out) {
    std::size_t entities = 0;
    for (std::size_t i = 0; i < subject.model.entities.size(); ++i) {
        const model::Entity& entity = subject.model.entities[i];
        if (!entity.soft_delete || !can_be_tried(subject.model, entity)) continue;
        Restores(subject, out, i).run();
        ++entities;
    }
    if (entities == 0) return not_run(out, "No entity keeps deleted rows.");
    out.said = "Deleted rows of " + std::to_string(entities) +
               " entities, restored by each caller who may delete them.";
}

}  // namespace svc::devapi::verification
