// Named queries over HTTP: who may run them, what rows they give them, and who reads past row-level
// security where they ask for it.
#include <algorithm>

#include "base/sql_state.hpp"
#include "plan/names.hpp"
#include "verify/app/app_session.hpp"
#include "verify/app/server.hpp"
#include "verify/clone/fixtures.hpp"
#include "verify/query/query_rows.hpp"
#include "verify/query/query_text.hpp"
#include "verify/query/query_values.hpp"

namespace svc::devapi::verification {
namespace {

constexpr std::size_t kMostCompared = 256 * 1024;  // bytes of an answer

struct SignedInCaller {
    VerifyCaller caller;
    RequestOptions options;
};

class Queries {
  public:
    Queries(Subject& subject, VerifyCheck& out) : subject_(subject), out_(out) {}

    void run() {
        sign_in_callers();
        // Queries that write come last, because the results of the others are compared with the
        // present rows.
        for (const bool writes : {false, true}) {
            for (const auto& query : subject_.model.queries)
                if (query.writes == writes && can_be_run(query)) ask_all(query);
            if (!writes) compare_rows(subject_, answers_, out_);
        }
        report_not_run();
    }

  private:
    // App sessions, which alone read past row-level security: of administrators, and of one who is
    // none in each persona.
    void sign_in_callers() {
        auto people = all_admins(subject_.model);
        for (const VerifyCaller& caller : subject_.callers)
            if (!caller.id.empty() && !caller.is_admin && caller.org_role.empty() &&
                std::ranges::none_of(people, [&](const VerifyCaller& other) {
                    return !other.is_admin && other.persona == caller.persona;
                }))
                people.push_back(caller);
        for (VerifyCaller& caller : people) {
            caller.org.clear();
            caller.name += " in a session";
            signed_in_.push_back(
                {caller, {.session = begin_app_session(subject_.connection, caller.id)}});
        }
    }

    bool can_be_run(const model::Query& query) {
        const model::Model& model = subject_.model;
        const bool here = std::ranges::all_of(
            entities_in(model, query.sql),
            [&](std::size_t index) { return can_be_tried(model, model.entities[index]); });
        if (!here) not_run_ += (not_run_.empty() ? "" : ", ") + query.name;
        return here;
    }

    void report_not_run() {
        if (!not_run_.empty())
            out_.warnings.push_back(
                "Not run, because they may read rows of another database: " + not_run_ + ".");
    }

    void ask_all(const model::Query& query) {
        const auto& all = subject_.plan.queries;
        planned_ = &*std::ranges::find(all, query.name, &plan::Query::name);
        for (const VerifyCaller& caller : subject_.callers) ask(query, {caller, {}});
        if (query.writes) return;
        for (const SignedInCaller& signed_in : signed_in_) {
            ask(query, signed_in);
            ask_elevated(query, signed_in);
        }
        for (const VerifyCaller& caller : subject_.callers) ask_elevated(query, {caller, {}});
    }

    static bool may_run(const model::Query& query, const VerifyCaller& caller) {
        return query.end_user || caller.is_any(query.allow);
    }

    HttpAnswer answer(const model::Query& query, const SignedInCaller& signed_in) {
        return subject_.server->call(signed_in.caller, "POST", "/queries/" + query.name,
                                     body_of(query), signed_in.options);
    }

    // A caller who may run it gets rows. A write may be refused for what it would write, and the
    // check's value may be one that the query cannot take.
    void ask(const model::Query& query, const SignedInCaller& signed_in) {
        const HttpAnswer answered = answer(query, signed_in);
        const std::string what = "The query " + query.name + ", run by " + signed_in.caller.name +
                                 ", answers " + std::to_string(answered.status);
        const bool forbidden = answered.status == 403;
        if (!may_run(query, signed_in.caller))
            return forbidden ? out_.good()
                             : out_.bad(what + "; the contract does not let them run it.");
        if (answered.status >= 500 || answered.status == 404 || (forbidden && !query.writes))
            return out_.bad(what +
                            ", although the contract lets them: " + answered.body.substr(0, 200));
        out_.good();
        if (answered.status == 400 && out_.warnings.size() < 20)
            out_.warnings.push_back(what + " to " + body_of(query) + ": " +
                                    answered.body.substr(0, 200));
        if (!query.writes) keep(query, signed_in.caller, false, answered);
    }

    // All of them are kept until the server has been asked.
    void keep(const model::Query& query, const VerifyCaller& caller, bool elevated,
              const HttpAnswer& answered) {
        if (answered.status == 200 && answered.body.size() <= kMostCompared)
            answers_.push_back({&query, planned_, caller, elevated, answered.body});
    }

    // Only an administrator in a session of their own, and only what they may run.
    void ask_elevated(const model::Query& query, SignedInCaller signed_in) {
        if (planned_->elevated.name.empty()) return;
        signed_in.options.as_admin = true;
        const bool may = may_run(query, signed_in.caller) && signed_in.caller.is_admin &&
                         !signed_in.options.session.empty();
        const HttpAnswer answered = answer(query, signed_in);
        const std::string what = "The query " + query.name + ", run by " + signed_in.caller.name +
                                 " past row-level security, answers " +
                                 std::to_string(answered.status);
        if (!may && answered.status != 403)
            return out_.bad(what + ", but only administrators in a session may do that.");
        const bool taken = answered.status == 200 || answered.status == 400;  // the check's value
        if (may && !taken)
            return out_.bad(
                what + ", although they are an administrator: " + answered.body.substr(0, 200));
        out_.good();
        if (may) keep(query, signed_in.caller, true, answered);
        hold_function(query, signed_in.caller);
    }

    // The function behind it asks for itself, whatever a server says.
    void hold_function(const model::Query& query, const VerifyCaller& caller) {
        const std::string& sql = planned_->elevated.sql;
        const std::string call =
            "select from " + function_of(sql) + "(" + arguments_of(query, *planned_) + ")";
        RollbackScope rollback(subject_.connection);
        subject_.connection.act_as(caller);
        for (const bool asks : {false, true}) {
            if (asks && caller.is_admin) continue;
            subject_.connection.run(std::string("select set_config('svc.elevated', '") +
                                    (asks ? "yes" : "") + "', true)");
            const std::string outcome =
                subject_.connection.text("select svc_verify.tried(" + plan::literal(call) + ")");
            outcome.starts_with(base::sqlstate::kRowForbidden)
                ? out_.good()
                : out_.bad("The function that the query " + query.name +
                           " uses past row-level security lets " + caller.name + " in" +
                           (asks ? ", who is not an administrator." : ", who did not ask for it."));
        }
    }

    // The function of "select … from svc.elevated_…($1, …)".
    static std::string function_of(const std::string& sql) {
        const auto begin = sql.rfind(" from ") + 6;
        return sql.substr(begin, sql.find('(', begin) - begin);
    }

    Subject& subject_;
    VerifyCheck& out_;
    std::vector<SignedInCaller> signed_in_;
    std::vector<Answer> answers_;
    const plan::Query* planned_ = nullptr;
    std::string not_run_;
};

}  // namespace

void check_queries(Subject& subject, VerifyCheck& out) {
    if (subject.model.queries.empty()) return not_run(out, "The contract has no named queries.");
    if (!subject.server) return not_served(out);
    Queries(subject, out).run();
    out.said = std::to_string(subject.model.queries.size()) +
               " named queries, run over HTTP by each caller, and past row-level security by "
               "administrators. Their rows are compared with those that the SQL finds among the "
               "rows that the contract shows.";
}

}  // namespace svc::devapi::verification
