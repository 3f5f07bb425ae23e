#include "plan/sql/path.hpp"

#include <algorithm>
#include <vector>

#include "plan/access.hpp"
#include "plan/names.hpp"
#include "plan/sql/context_path.hpp"
#include "plan/types.hpp"

namespace svc::plan {
namespace {

using model::CallerAttribute;
using model::Expr;
using model::Root;
using model::Step;

constexpr const char* kNotWritten = "new.";

std::string prefix(Root root, const Scope& scope, bool inside) {
    switch (root) {
        case Root::row:
            return inside ? scope.nested : scope.row;
        case Root::new_:
            return scope.new_row;
        case Root::old_:
            return scope.old_row;
        case Root::user:
        case Root::part:
        case Root::input:
        case Root::step:
        case Root::local:  // within $1
            return {};
    }
    return {};
}

std::string column(const Step& step, const Scope& scope) {
    return ident(step.builtin.empty() ? scope.model.entities[step.entity].fields[step.field].name
                                      : step.builtin);
}

// from …, joined step by step; `at` becomes the prefix of the row that the walk reaches.
struct Walk {
    std::string from, where, at;
};

// A caller's own statement reads external rows as its policies show them.
std::string source_of(const model::Entity& target, const Scope& scope) {
    return scope.context == Scope::Context::caller ? table(target.name) : rows_of(target);
}

Walk walk(const Expr& path, const Scope& scope) {
    Walk out;
    const bool flow = scope.context != Scope::Context::none;
    const std::size_t begin = flow ? steps_within_context(path) : 0;
    std::string before = prefix(path.root, scope, true);
    for (std::size_t i = begin; i < path.steps.size(); ++i) {
        const Step& step = path.steps[i];
        if (step.kind == Step::Kind::field || step.kind == Step::Kind::member) break;
        const auto above = [&](const std::string& name) {
            const bool first = flow && i == begin;
            return first ? id_in_context(path, begin, name, scope) : before + ident(name);
        };
        const std::string alias = kAlias + "t" + std::to_string(++scope.aliases);
        const model::Entity& target = scope.model.entities[step.target];
        const std::string link =
            step.kind == Step::Kind::ref
                ? alias +
                      ".id = " + above(scope.model.entities[step.entity].fields[step.field].name)
                : alias + "." + ident(target.fields[step.field].name) + " = " + above("id");
        const std::string source = source_of(target, scope) + " " + alias;
        if (out.from.empty()) {
            out.from = source;
            out.where = link;
        } else {
            out.from += " join " + source + " on " + link;
        }
        before = alias + ".";
        if (scope.readable_only) {
            Scope there{scope.model, before, before};
            there.caller = scope.caller;
            there.aliases = scope.aliases;
            out.where +=
                " and (" + access_predicate(scope.model, target, Operation::read, there) + ")";
            scope.aliases = there.aliases;
        }
    }
    out.at = before;
    return out;
}

bool is_float(const Step& step, const Scope& scope) {
    return step.kind == Step::Kind::field && step.builtin.empty() &&
           scope.model.entities[step.entity].fields[step.field].type == model::FieldType::float_;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
        text.replace(at, what.size(), with);
        at += with.size();
    }
    return text;
}

std::string selected(const Expr& path, const Scope& scope, const std::string& what,
                     bool as_numeric) {
    const Walk way = walk(path, scope);
    std::size_t end = path.steps.size();  // past the column
    while (path.steps[end - 1].kind == Step::Kind::member) --end;
    const Step& last = path.steps[end - 1];
    std::string value = way.at + (last.kind == Step::Kind::field ? column(last, scope) : "id");
    if (as_numeric && is_float(last, scope)) value += "::numeric";
    const std::string row = way.at.substr(0, way.at.size() - 1);
    return "(select " +
           replaced(replaced(what, "$row", row), "$column", member_value(path, end, value)) +
           " from " + way.from + " where " + way.where + ")";
}

// A column of the row itself. Triggers run before it is written, when its computed columns are not
// there yet.
std::string own_value(const Step& step, const std::string& at, const Scope& scope) {
    if (at == kNotWritten && step.builtin.empty()) {
        const model::Field& field = scope.model.entities[step.entity].fields[step.field];
        if (field.computed) {
            return "(" + sql_value(*field.computed, {scope.model, at, at}) +
                   ")::" + std::string(type_names(field.type).sql);
        }
    }
    return at + column(step, scope);
}

}  // namespace

std::string user_value(CallerAttribute attribute, const Scope& scope) {
    const bool own = scope.caller.empty();
    const auto got = [own](const std::string& value) {
        return own ? "(select " + value + ")" : "(" + value + ")";
    };
    if (attribute == CallerAttribute::id) return got(own ? "svc.user_id()" : scope.caller + ".id");
    const std::string name = literal(std::string(base::word(attribute)));
    const std::string claim =
        own ? "svc.claim(" + name + ")" : "(" + scope.caller + ".claims ->> " + name + ")";
    if (attribute == CallerAttribute::is_admin)
        return got("coalesce(" + claim + "::boolean, false)");
    return got(attribute == CallerAttribute::org ? claim + "::uuid" : claim);
}

bool crosses_many(const Expr& path) {
    return std::any_of(path.steps.begin(), path.steps.end(),
                       [](const Step& step) { return step.kind == Step::Kind::many; });
}

std::string stored_value(const Expr& path, const Scope& scope) {
    if (scope.context != Scope::Context::none && !leaves_context(path))
        return context_value(path, scope);
    if (path.root == Root::user) return user_value(path.attribute, scope);
    if (path.steps.size() > 1) return selected(path, scope, "$column", false);
    return own_value(path.steps.back(), prefix(path.root, scope, false), scope);
}

std::string path_value(const Expr& path, const Scope& scope) {
    if (scope.context != Scope::Context::none && !leaves_context(path))
        return context_value(path, scope);
    if (path.steps.size() > 1) return many_select(path, scope, "$column");
    const bool floating = path.root != Root::user && is_float(path.steps.back(), scope);
    return stored_value(path, scope) + (floating ? "::numeric" : "");
}

std::string many_select(const Expr& path, const Scope& scope, const std::string& what) {
    return selected(path, scope, what, true);
}

std::string many_column(const Expr& path, const Scope& scope) {
    return many_select(path, scope, "$column");
}

}  // namespace svc::plan
