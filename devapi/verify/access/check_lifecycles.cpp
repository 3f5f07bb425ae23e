// Every transition: from its state, by whom it is for, under its condition; and refused otherwise.
#include "base/sql_state.hpp"
#include "plan/names.hpp"
#include "plan/write/lifecycle.hpp"
#include "verify/access/bench.hpp"
#include "verify/access/expected.hpp"
#include "verify/clone/fixtures.hpp"

namespace svc::devapi::verification {
namespace {

class Moves {
  public:
    Moves(Subject& subject, VerifyCheck& out)
        : subject_(subject), out_(out), bench_(subject, Bench::Triggers::on) {}

    void run() {
        for (std::size_t i = 0; i < subject_.model.entities.size(); ++i) {
            const model::Entity& entity = subject_.model.entities[i];
            if (!can_be_tried(subject_.model, entity) || !entity.lifecycle) continue;
            for (const auto& transition : entity.lifecycle->transitions) {
                reached_ = false;
                for (const VerifyCaller& caller : subject_.callers) ask(i, transition, caller);
                ++moves_;
                if (!reached_)
                    out_.warnings.push_back("No row was found on which the transition \"" +
                                            transition.name + "\" of " + entity.name +
                                            " is possible, so only its refusals were tried.");
            }
        }
    }

    std::size_t moves() const { return moves_; }

  private:
    // A few rows of each state and outcome: hidden, not theirs to do, not possible, done.
    void ask(std::size_t index, const model::Transition& transition, const VerifyCaller& caller) {
        const model::Entity& entity = subject_.model.entities[index];
        const std::string state = "r." + plan::ident(entity.fields[entity.lifecycle->field].name);
        Oracle oracle(subject_.model, caller);
        const std::string possible =
            transition.condition ? oracle.holds(*transition.condition, {.row = "r"}) : "true";
        const std::string outcome =
            "case when not " + oracle.may(Operation::read, index, "r") + " then 'hidden' when " +
            (caller.is_any(transition.by) ? "false" : "true") + " then 'theirs' when " + state +
            " not in (" + plan::state_list(transition) + ") or not " + possible +
            " then 'impossible' else 'done' end";
        const auto picked = bench_.ask(
            "select id || ' ' || o from (select id, o, row_number() over (partition by s, o order "
            "by at desc, md5(id::text)) as place from (select r.id, " +
            state + " as s, " + outcome + " as o, r.created_at as at from " +
            plan::table(entity.name) +
            " r) a) b where place <= case o when 'done' then 12 else 2 end");
        std::vector<std::string> statements;
        statements.reserve(picked.size());
        for (const auto& line : picked)
            statements.push_back("select from svc." + plan::ident(entity.name + "_transition") +
                                 "(" + plan::literal(line.substr(0, line.find(' '))) + ", " +
                                 plan::literal(transition.name) + ") as r where " + state + " = " +
                                 plan::literal(transition.to));
        const auto answers = bench_.tried(caller, statements);
        for (std::size_t i = 0; i < answers.size(); ++i)
            judge(index, transition, caller, picked[i], answers[i]);
    }

    // Rules and constraints may stop one that is possible: that is theirs to say.
    void judge(std::size_t index, const model::Transition& transition, const VerifyCaller& caller,
               const std::string& line, const std::string& answer) {
        const auto [id, expected] = expected_row_of(line);
        const std::string code = answer.substr(0, 5);
        const bool stopped =
            code == base::sqlstate::kRule || base::sqlstate::is_of_constraint(code);
        if (expected == ExpectedOutcome::done && stopped) return;
        const bool fits =
            expected == ExpectedOutcome::done ? answer == "1"
            : expected == ExpectedOutcome::hidden
                ? answer == "0"
                : code == base::sqlstate::kRowForbidden || code == base::sqlstate::kTransition;
        reached_ = reached_ || (expected == ExpectedOutcome::done && fits);
        if (fits) return out_.good();
        out_.bad(out_.failures > 0 ? ""
                                   : sentence(index, transition, caller, id, expected, answer));
    }

    std::string sentence(std::size_t index, const model::Transition& transition,
                         const VerifyCaller& caller, const std::string& id,
                         ExpectedOutcome expected, const std::string& answer) {
        const model::Entity& entity = subject_.model.entities[index];
        const std::string why = expected == ExpectedOutcome::hidden ? "which the caller cannot read"
                                : expected == ExpectedOutcome::theirs
                                    ? "although the contract does not let them"
                                    : "although the row's state does not allow it";
        const std::string row = bench_.describe(entity, id, caller);
        if (expected == ExpectedOutcome::done)
            return caller.name + " cannot \"" + transition.name + "\" " + row +
                   ", although the contract lets them: " + answer + ".";
        return caller.name + (answer == "1" ? " can \"" : " gets the wrong error for \"") +
               transition.name + "\" " + row + ", " + why + " (" + answer + ").";
    }

    Subject& subject_;
    VerifyCheck& out_;
    Bench bench_;
    bool reached_ = false;
    std::size_t moves_ = 0;
};

}  // namespace

void check_lifecycles(Subject& subject, VerifyCheck& out) {
    Moves moves(subject, out);
    moves.run();
    if (moves.moves() == 0) return not_run(out, "The contract has no lifecycles.");
    out.said = std::to_string(moves.moves()) +
               " transitions, tried by each caller from each state that rows are in.";
}

}  // namespace svc::devapi::verification
