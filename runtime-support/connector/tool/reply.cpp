#include "connector/tool/reply.hpp"

#include <algorithm>

#include "base/number.hpp"
#include "run/call/http_step.hpp"

namespace svc::connector {

using json::Value;

namespace {

bool take_one(const Value& message, Reply& out) {
    if (!message.is(Value::Kind::object)) return false;
    const Value* given = message.find("result");
    const Value* refused = message.find("error");
    const Value* id = message.find("id");
    if (refused && refused->is(Value::Kind::object)) {
        const Value* number = refused->find("code");
        if (number) out.code = base::number_of(number->text, out.code);
        if (out.code == 0) out.code = -1;
        out.error = *refused;
        return true;
    }
    if (!given || !given->is(Value::Kind::object) || !id || id->text != "1") return false;
    out.result = *given;
    return true;
}

}  // namespace

std::string Reply::words() const {
    if (!problem.empty()) return problem;
    return "The tool server answered with an error" + run::begin_of(error.text_of("message"));
}

// The protocol of 2025-03-26 lets a server put its messages into a list.
bool Reply::take(std::string_view message) {
    const json::Parsed parsed = json::parse(message);
    if (!parsed.error.empty()) return false;
    if (!parsed.value.is(Value::Kind::array)) return take_one(parsed.value, *this);
    return std::ranges::any_of(parsed.value.items,
                               [this](const Value& one) { return take_one(one, *this); });
}

}  // namespace svc::connector
