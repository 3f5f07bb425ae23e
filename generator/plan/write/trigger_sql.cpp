#include "plan/write/trigger_sql.hpp"

#include "plan/names.hpp"

namespace svc::plan {

std::string by_caller(const model::Entity& entity) {
    return "row_security_active(" + literal(table(entity.name)) + "::regclass)";
}

std::string raise(std::string_view code, const std::string& message, const std::string& column) {
    std::string out =
        "raise exception using errcode = '" + std::string(code) + "', message = " + message;
    if (!column.empty()) out += ", column = " + literal(column);
    return out + ";\n";
}

Routine trigger(const model::Entity& entity, const std::string& name, const std::string& when,
                const std::string& condition, const std::string& call) {
    Routine out;
    out.kind = Routine::Kind::trigger;
    out.name = entity.name + "_" + name;
    out.table = entity.name;
    out.create = "create trigger " + ident(out.name) + " before " + when + " on " +
                 table(entity.name) + " for each row" +
                 (condition.empty() ? "" : "\n    when (" + condition + ")") +
                 "\n    execute function svc." + call;
    out.drop = "drop trigger if exists " + ident(out.name) + " on " + table(entity.name);
    return out;
}

Routine trigger_function(const model::Entity& entity, const std::string& purpose,
                         const std::string& body, Rights rights) {
    Routine out;
    out.kind = Routine::Kind::function;
    out.name = entity.name + "_" + purpose;
    const std::string name = "svc." + ident(out.name) + "()";
    const bool definer = rights == Rights::owner;
    out.create = "create function " + name + " returns trigger language plpgsql" +
                 (definer ? std::string(" security definer\n") + kSafePath : "") + " as " +
                 dollar_quoted("begin\n" + body + "end\n") + ";\nrevoke all on function " + name +
                 " from public";
    out.drop = "drop function if exists " + name + " cascade";
    return out;
}

}  // namespace svc::plan
