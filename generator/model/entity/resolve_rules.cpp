#include <algorithm>

#include "model/expr/typing.hpp"
#include "model/names.hpp"
#include "model/parts.hpp"

namespace svc::model {
namespace {

void events(const contract::Rule& in, Rule& out) {
    for (const contract::Text& event : in.on) {
        out.on_create = out.on_create || event.text == "create";
        out.on_update = out.on_update || event.text == "update";
        out.on_delete = out.on_delete || event.text == "delete";
    }
}

Rule rule(Work work, std::size_t entity, const contract::Rule& in) {
    Rule out;
    out.path = in.path;
    events(in, out);
    if (in.on.empty()) {
        work.findings.missing("BAD_RULE", contract::child(in.path, "on"), in.path,
                              "This rule has no event.", "add create, update or delete to \"on\"");
    }
    if (in.message.text.empty()) {
        work.findings.error("BAD_MESSAGE", in.message.path, "The message is empty.",
                            "write what was refused and why");
    }
    const ExprScope scope{.model = work.out,
                          .entity = entity,
                          .row = false,
                          .has_new = !out.on_delete,
                          .has_old = !out.on_create};
    out.refuse = read_condition(in.refuse, scope, work.findings);
    out.message = read_message(in.message, scope, work.findings);
    if (in.field) out.field = resolve_own_field(work, entity, *in.field);
    return out;
}

}  // namespace

void resolve_rules(Work work) {
    for (std::size_t e = 0; e < work.in.entities.size(); ++e) {
        for (const contract::Rule& in : work.in.entities[e].rules) {
            work.out.entities[e].rules.push_back(rule(work, e, in));
        }
    }
}

}  // namespace svc::model
