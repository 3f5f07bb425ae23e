#include "connector/reply.hpp"

#include <charconv>

#include "run/http_step.hpp"

namespace svc::connector {

using json::Value;

std::string Reply::words() const {
    if (!problem.empty()) return problem;
    return "The tool server answered with an error" + run::begin_of(error.text_of("message"));
}

bool Reply::take(std::string_view message) {
    const json::Parsed parsed = json::parse(message);
    if (!parsed.error.empty() || !parsed.value.is(Value::Kind::object)) return false;
    const Value* given = parsed.value.find("result");
    const Value* refused = parsed.value.find("error");
    const Value* id = parsed.value.find("id");
    if (refused && refused->is(Value::Kind::object)) {
        const Value* number = refused->find("code");
        if (number)
            std::from_chars(number->text.data(), number->text.data() + number->text.size(), code);
        if (code == 0) code = -1;
        error = *refused;
        return true;
    }
    if (!given || !given->is(Value::Kind::object) || !id || id->text != "1") return false;
    result = *given;
    return true;
}

}  // namespace svc::connector
