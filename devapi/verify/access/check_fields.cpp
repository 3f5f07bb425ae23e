// Who may write which fields: triggers, on rows that the caller may change.
#include "plan/names.hpp"
#include "verify/access/bench.hpp"
#include "verify/clone/fixtures.hpp"

namespace svc::devapi::verification {
namespace {

constexpr const char* kBecomes = "svc_verify.made";

class FieldWrites {
  public:
    FieldWrites(Subject& subject, VerifyCheck& out)
        : subject_(subject), out_(out), bench_(subject, Bench::Triggers::on) {}

    void run() {
        for (std::size_t i = 0; i < subject_.model.entities.size(); ++i) {
            if (!can_be_tried(subject_.model, subject_.model.entities[i])) continue;
            bench_.begin_made(subject_.model.entities[i]);
            for (const VerifyCaller& caller : subject_.callers)
                if (asks_for_itself(caller, entity(i))) ask(i, caller);
            bench_.end_made();
        }
    }

  private:
    const model::Entity& entity(std::size_t index) const { return subject_.model.entities[index]; }

    // Some rows that they may change, each field of them with what another row has.
    void ask(std::size_t index, const VerifyCaller& caller) {
        Oracle oracle(subject_.model, caller);
        const std::string table = plan::table(entity(index).name);
        const auto own = bench_.ask("select id::text from " + table + " r where " +
                                    oracle.may(Operation::update, index, "r") +
                                    " order by md5(r.id::text) limit 2");
        if (own.empty()) return;
        std::string rows = std::string("delete from ") + kBecomes, may = "case r._f";
        const auto add = [&](const std::string& field, const std::string& allowed) {
            rows += "; " + changed_rows(index, field, own);
            may += " when " + plan::literal(field) + " then " + allowed;
        };
        for (std::size_t f = 0; f < entity(index).fields.size(); ++f)
            if (!entity(index).fields[f].computed)
                add(entity(index).fields[f].name, oracle.may_change(index, f, "b", "r"));
        if (entity(index).owner.user) add("user_id", caller.server ? "true" : "false");
        if (entity(index).owner.org) add("org_id", caller.server ? "true" : "false");
        bench_.ask(rows);
        attempt(index, caller,
                bench_.ask("select concat_ws(' ', r._n, r._f, (" + may + " end and " +
                           oracle.may(Operation::update, index, "r") + ")) from " + kBecomes +
                           " r join " + table + " b on b.id = r.id order by r._n"));
    }

    std::string changed_rows(std::size_t index, const std::string& field,
                             const std::vector<std::string>& own) {
        const std::string table = plan::table(entity(index).name), name = plan::ident(field);
        const std::string rest = bench_.columns(entity(index), {"id", field});
        return std::string("insert into ") + kBecomes + " (_f, id, " + rest + ", " + name +
               ") select " + plan::literal(field) + ", id, " + rest +
               ", _other from (select own.*, (select t." + name + " from " + table + " t where t." +
               name + "::text is distinct from own." + name +
               "::text order by md5(t.id::text) limit 1) as _other from " + table +
               " own where id = any (" + text_array(own) +
               "::uuid[])) x where _other::text is "
               "distinct from " +
               name + "::text";
    }

    // Lines of number, field and whether it may be.
    void attempt(std::size_t index, const VerifyCaller& caller,
                 const std::vector<std::string>& lines) {
        std::vector<std::string> statements;
        for (const auto& line : lines) {
            const auto space = line.find(' ');
            const std::string field =
                plan::ident(line.substr(space + 1, line.rfind(' ') - space - 1));
            const std::string from =
                std::string(" from ") + kBecomes + " where _n = " + line.substr(0, space) + ")";
            statements.push_back("update " + plan::table(entity(index).name) + " set " + field +
                                 " = (select " + field + from + " where id = (select id" + from);
        }
        const auto answers = bench_.tried(caller, statements);
        for (std::size_t i = 0; i < answers.size(); ++i) {
            const bool allowed = lines[i].ends_with(" t"), done = answers[i] == "1";
            if (!done && !is_refusal(answers[i])) continue;
            if (allowed == done)
                out_.good();
            else
                out_.bad(out_.failures > 0 ? "" : sentence(index, caller, lines[i], done));
        }
    }

    std::string sentence(std::size_t index, const VerifyCaller& caller, const std::string& line,
                         bool done) {
        const auto space = line.find(' ');
        const std::string field = line.substr(space + 1, line.rfind(' ') - space - 1);
        const std::string id = bench_.db().text(std::string("select id from ") + kBecomes +
                                                " where _n = " + line.substr(0, space));
        return caller.name + (done ? " can" : " cannot") + " change " + field + " of " +
               bench_.describe(entity(index), id, caller) +
               (done ? "; the contract does not let them." : ", although the contract lets them.") +
               " Look at the triggers of " + entity(index).name + ".";
    }

    Subject& subject_;
    VerifyCheck& out_;
    Bench bench_;
};

}  // namespace

void check_fields(Subject& subject, VerifyCheck& out) {
    FieldWrites(subject, out).run();
    out.said = "Each caller, tried on each field of the rows that they may change.";
}

}  // namespace svc::devapi::verification
