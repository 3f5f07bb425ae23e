#include "backends.hpp"

#include <regex>

#include "emit/data/condition.hpp"
#include "model/expr/typing.hpp"
#include "plan/access.hpp"
#include "plan/condition/condition.hpp"
#include "plan/names.hpp"
#include "plan/sql/expr.hpp"
#include "plan/write/triggers.hpp"

namespace svc::differential {
namespace {

constexpr std::size_t kSettled = 40;  // cases in one transaction
constexpr const char* kGiven = "select string_agg(right(a.id::text, 3), '' order by a.id) from ";

// The refusal in the real trigger. Here it records the row and continues.
const std::regex kRaise("raise exception using errcode = 'SV422'[^;]*;");
constexpr const char* kRemember =
    "perform set_config('test.refused', current_setting('test.refused') || right(new.id::text, 3), "
    "true);";

void replace(std::string& text, const std::string& what, const std::string& with) {
    for (auto at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size())) {
        text.replace(at, what.size(), with);
    }
}

model::ExprPtr read(const model::Model& model, const std::string& text, bool rule) {
    diag::Findings findings;
    const model::ExprScope scope{
        .model = model, .entity = kThing, .row = !rule, .has_new = rule, .has_old = rule};
    return model::read_condition({text, "/if"}, scope, findings);
}

}  // namespace

const char* name_of(Backend backend) {
    switch (backend) {
        case Backend::sql:
            return "sql";
        case Backend::policy:
            return "policy";
        case Backend::crowd:
            return "all callers at once";
        case Backend::trigger:
            return "trigger";
        case Backend::cpp:
            return "c++";
        case Backend::meaning:
            return "the contract";
    }
    return "";
}

std::optional<Case> read_case(const model::Model& model, const Written& written, bool rule) {
    Case out;
    out.written = written;
    out.rule = rule;
    out.in_rule = read(model, with_rows(written.text, "new."), true);
    if (!rule) out.on_row = read(model, with_rows(written.text, ""), false);
    const bool sound = out.in_rule && (rule || out.on_row);
    return sound ? std::optional<Case>(std::move(out)) : std::nullopt;
}

std::string Backends::sql(const Case& one) const {
    if (!one.rule) {
        const plan::Scope scope{model_, "", "a."};
        return kGiven + std::string("public.thing a where ") + plan::sql_true(*one.on_row, scope);
    }
    const plan::Scope scope{model_, "", "", "a.", "b."};
    return kGiven + std::string("test.after a join public.thing b on b.id = a.id where ") +
           plan::sql_true(*one.in_rule, scope);
}

void Backends::grant(const Case& one) {
    model_.entities[kThing].access.read = {{{model::Principal::Kind::any, ""}, one.on_row, {}, ""}};
}

std::vector<std::string> Backends::policy(const Case& one) {
    grant(one);
    std::vector<std::string> out;
    for (const plan::Routine& each : plan::plan_policies(model_, model_.entities[kThing])) {
        if (each.name != "thing_select" && each.name != "thing_may_select") continue;
        out.push_back(each.drop);
        out.push_back(each.create);
    }
    return out;
}

std::vector<std::string> Backends::crowd(const Case& one) {
    grant(one);
    const plan::Routine readers = plan::plan_readers(model_, model_.entities[kThing]);
    return {readers.drop, readers.create};
}

std::vector<std::string> Backends::trigger(const Case& one) {
    model::Rule rule;
    rule.on_update = true;
    rule.refuse = one.in_rule;
    rule.message = {{"no", nullptr}};
    model_.entities[kThing].rules = {rule};
    std::vector<std::string> out;
    for (const plan::Routine& each : plan::plan_rules(model_, model_.entities[kThing])) {
        out.push_back(each.drop);
        out.push_back(each.kind == plan::Routine::Kind::function
                          ? std::regex_replace(each.create, kRaise, kRemember)
                          : each.create);
    }
    return out;
}

std::optional<std::string> Backends::cpp(const Case& one) const {
    const plan::ConditionPtr condition =
        plan::server_condition(one.rule ? *one.in_rule : *one.on_row, model_);
    return condition ? std::optional(emit::condition_text(*condition)) : std::nullopt;
}

std::string Backends::put(Backend backend, std::string text, const Fault* fault) const {
    replace(text, "now()", "timestamptz '" + std::string(kNow) + "'");
    if (fault != nullptr && fault->backend == backend) replace(text, fault->from, fault->to);
    return text;
}

void Backends::make(const std::vector<std::string>& statements, Backend backend,
                    const Fault* fault) {
    std::string all;
    for (const std::string& each : statements) all += put(backend, each, fault) + ";\n";
    world_.run(all);
}

std::vector<Decisions> Backends::decide(const std::vector<Case>& cases, const Fault* fault) {
    std::vector<Decisions> out(cases.size());
    std::vector<CppCase> compiled;
    const std::string same = "update public.thing set qty = qty";
    std::string moved;
    for (const model::Field& field : model_.entities[kThing].fields) {
        moved += (moved.empty() ? "" : ", ") + plan::ident(field.name) + " = a." +
                 plan::ident(field.name);
    }
    moved = "update public.thing t set " + moved +
            ", user_id = a.user_id, created_at = a.created_at from test.after a where a.id = t.id";
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (i % kSettled == 0) world_.settle();
        const Case& one = cases[i];
        const auto answer = [&](Backend backend, const auto& how) {
            std::string problem;
            if (!world_.tried([&] { out[i][backend] = how(); }, problem))
                out[i][backend] = {problem};
        };
        answer(Backend::sql, [&] { return world_.ask(put(Backend::sql, sql(one), fault), false); });
        if (!one.rule) {
            answer(Backend::policy, [&] {
                make(policy(one), Backend::policy, fault);
                return world_.ask(kGiven + std::string("public.thing a"), true);
            });
            answer(Backend::crowd, [&] {
                make(crowd(one), Backend::crowd, fault);
                return world_.ask_at_once();
            });
        }
        answer(Backend::trigger, [&] {
            make(trigger(one), Backend::trigger, fault);
            return world_.refused(one.rule ? moved : same);
        });
        const model::Expr& tree = one.rule ? *one.in_rule : *one.on_row;
        if (auto answers = interpreter_.answers(tree, one.rule)) {
            out[i][Backend::meaning] = std::move(*answers);
        }
        if (const auto condition = cpp(one)) {
            compiled.push_back({static_cast<int>(i), *condition});
        }
    }
    const bool in_cpp = fault != nullptr && fault->backend == Backend::cpp;
    if (compiled.empty() || (fault != nullptr && !in_cpp)) return out;  // the others tell
    const auto answers = compiled_.run(
        world_, compiled,
        in_cpp ? std::make_pair(fault->from, fault->to) : std::pair<std::string, std::string>());
    for (const auto& [number, each] : answers) {
        out[static_cast<std::size_t>(number)][Backend::cpp] = each;
    }
    return out;
}

std::string Backends::text(const Case& one, Backend backend) {
    switch (backend) {
        case Backend::sql:
            return sql(one);
        case Backend::policy:
            return one.rule ? "" : policy(one).back();
        case Backend::crowd:
            return one.rule ? "" : crowd(one).back();
        case Backend::trigger:
            return trigger(one)[1];
        case Backend::cpp:
            return cpp(one).value_or("");
        case Backend::meaning:
            return with_rows(one.written.text, one.rule ? "new." : "");
    }
    return "";
}

}  // namespace svc::differential
