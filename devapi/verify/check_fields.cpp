// Who may write which fields: triggers, on rows that the caller may change.
#include "plan/names.hpp"
#include "verify/bench.hpp"
#include "verify/fixtures.hpp"

namespace svc::devapi::verification {
namespace {

constexpr const char* kBecomes = "svc_verify.made";

class FieldWrites {
  public:
    FieldWrites(Subject& subject, VerifyCheck& out)
        : subject_(subject), out_(out), bench_(subject, Bench::Triggers::on) {}

    void run() {
        for (std::size_t i = 0; i < subject_.model.entities.size(); ++i) {
            if (!is_table(subject_.model.entities[i])) continue;
            bench_.begin_made(subject_.model.entities[i]);
            for (const Asker& asker : subject_.askers) ask(i, asker);
            bench_.end_made();
        }
    }

  private:
    const model::Entity& entity(std::size_t index) const { return subject_.model.entities[index]; }

    // Two rows that he may change, each field of them with what another row has.
    void ask(std::size_t index, const Asker& asker) {
        Oracle oracle(subject_.model, asker);
        const std::string table = plan::table(entity(index).name);
        bench_.ask(std::string("delete from ") + kBecomes);
        std::vector<std::string> fields, expected;
        for (std::size_t f = 0; f < entity(index).fields.size(); ++f) {
            const model::Field& field = entity(index).fields[f];
            if (field.computed) continue;
            add(oracle, index, field.name);
            label(oracle, field.name, oracle.may_change(index, f, "b", "r"), index, fields,
                  expected);
        }
        for (const char* owner : {"user_id", "org_id"}) {
            if (std::string_view(owner) == "user_id" ? !entity(index).owner.user
                                                     : !entity(index).owner.org)
                continue;
            add(oracle, index, owner);
            label(oracle, owner, asker.server ? "true" : "false", index, fields, expected);
        }
        attempt(index, asker, fields, expected);
    }

    void add(Oracle& oracle, std::size_t index, const std::string& field) {
        const std::string table = plan::table(entity(index).name), name = plan::ident(field);
        const std::string rest = bench_.columns(entity(index), {"id", field});
        bench_.ask("with own as (select r.* from " + table + " r where " +
                   oracle.may(Deed::update, index, "r") +
                   " order by md5(r.id::text) limit 2) insert into " + kBecomes + " (id, " + rest +
                   ", " + name + ") select id, " + rest + ", " +
                   "other from (select own.*, (select t." + name + " from " + table +
                   " t where t." + name + "::text is distinct from own." + name +
                   "::text order by md5(t.id::text) limit 1) as other from own) x where "
                   "other::text is distinct from " +
                   name + "::text");
    }

    // What was just added: which field, and whether it may be.
    void label(Oracle& oracle, const std::string& field, const std::string& may_change,
               std::size_t index, std::vector<std::string>& fields,
               std::vector<std::string>& expected) {
        const std::string table = plan::table(entity(index).name);
        const auto lines = bench_.ask("select concat_ws(' ', r._n, (" + may_change + " and " +
                                      oracle.may(Deed::update, index, "r") + ")) from " + kBecomes +
                                      " r join " + table + " b on b.id = r.id where r._n > " +
                                      std::to_string(last_) + " order by r._n");
        for (const auto& line : lines) {
            last_ = std::stol(line);
            fields.push_back(field);
            expected.push_back(line);
        }
    }

    void attempt(std::size_t index, const Asker& asker, const std::vector<std::string>& fields,
                 const std::vector<std::string>& expected) {
        std::vector<std::string> statements;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            const std::string n = expected[i].substr(0, expected[i].find(' '));
            const std::string from = std::string(" from ") + kBecomes + " where _n = " + n + ")";
            statements.push_back("update " + plan::table(entity(index).name) + " set " +
                                 plan::ident(fields[i]) + " = (select " + plan::ident(fields[i]) +
                                 from + " where id = (select id" + from);
        }
        const auto answers = bench_.tried(asker, statements);
        for (std::size_t i = 0; i < answers.size(); ++i) {
            const bool allowed = expected[i].ends_with(" t"), done = answers[i] == "1";
            if (!done && !is_refusal(answers[i])) continue;
            if (allowed == done) {
                out_.good();
            } else {
                out_.bad(out_.failures > 0 ? ""
                                           : sentence(index, asker, fields[i], expected[i], done));
            }
        }
    }

    std::string sentence(std::size_t index, const Asker& asker, const std::string& field,
                         const std::string& expected, bool done) {
        const std::string id =
            bench_.db().text(std::string("select id from ") + kBecomes +
                             " where _n = " + expected.substr(0, expected.find(' ')));
        return asker.name + (done ? " can" : " cannot") + " change " + field + " of " +
               bench_.describe(entity(index), id, asker) +
               (done ? "; the contract does not let them." : ", although the contract lets them.") +
               " Look at the triggers of " + entity(index).name + ".";
    }

    Subject& subject_;
    VerifyCheck& out_;
    Bench bench_;
    long last_ = 0;
};

}  // namespace

void check_fields(Subject& subject, VerifyCheck& out) {
    FieldWrites(subject, out).run();
    out.said = "Each caller at each field of rows that they may change.";
}

}  // namespace svc::devapi::verification
