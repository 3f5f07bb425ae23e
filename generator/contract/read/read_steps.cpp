#include <algorithm>

#include "contract/keys/key_shapes.hpp"
#include "contract/read/read_flow.hpp"

namespace svc::contract {
namespace {

std::optional<Repeat> read_repeat(const Reader& in) {
    const Value* value = in.find("for");
    if (value == nullptr) return std::nullopt;
    Repeat repeat;
    repeat.as = in.text("as");
    repeat.path = value->path;
    if (value->is(Value::Kind::string)) {
        repeat.list = Text{value->text, value->path};
    } else {
        const Reader rows(*value);
        repeat.entity = rows.text("entity");
        repeat.where = rows.maybe_value("where");
        repeat.limit = rows.maybe_value("limit");
    }
    return repeat;
}

void read_branches(const Reader& in, Step& step) {
    for (const Member& member : in.members("cases")) {
        step.cases.emplace_back(Text{member.name, name_of(member.value.path)},
                                read_steps(member.value.items));
    }
    step.otherwise = read_steps(in.items("else"));
}

Step read_step(const Value& value) {
    const Reader in(value);
    Step step;
    step.id = in.text("id");
    step.condition = in.maybe_text("if");
    step.repeat = read_repeat(in);
    step.retry = read_retry(in);
    step.timeout = in.maybe_text("timeout");
    step.idempotency = in.maybe_text("idempotency");
    step.run_as = in.maybe_text("runAs");
    step.on_error = in.maybe_text("onError");
    step.path = in.path();
    for (const std::string_view action : kStep.one_key_of) {
        const Value* body = in.find(action);
        if (body == nullptr) continue;
        step.action = action;
        step.body = *body;
        if (action == "switch") read_branches(Reader(*body), step);
    }
    return step;
}

}  // namespace

std::optional<Retry> read_retry(const Reader& in) {
    const Value* value = in.find("retry");
    if (value == nullptr) return std::nullopt;
    const Reader retry(*value);
    return Retry{retry.maybe_value("max"), retry.maybe_value("factor"), retry.maybe_text("base"),
                 retry.maybe_text("cap")};
}

std::vector<Step> read_steps(const std::vector<Value>& items) {
    std::vector<Step> out;
    out.reserve(items.size());
    for (const Value& item : items) out.push_back(read_step(item));
    return out;
}

}  // namespace svc::contract
