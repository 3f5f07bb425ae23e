#include "run/run_body.hpp"

#include <utility>
#include <vector>

#include "json/formats.hpp"
#include "json/value.hpp"

namespace svc::run {
namespace {

using json::Value;

constexpr std::size_t kMostIds = 1000;

Error wrong(std::string message, std::string field = {}) {
    return {Code::params_invalid, std::move(message), std::move(field)};
}

// The member of that name of a body that has no other; null where it is not there.
boost::system::result<Value, Error> member_of(std::string_view body, const std::string& name) {
    if (body.find_first_not_of(" \t\r\n") == std::string_view::npos) return Value();
    json::Parsed parsed = json::parse(body);
    if (!parsed.error.empty()) return wrong(parsed.error);
    if (!parsed.value.is(Value::Kind::object))
        return wrong("The body is an object: {\"" + name + "\": …}.");
    Value out;
    for (auto& member : parsed.value.members) {
        if (member.name != name)
            return wrong("\"" + member.name +
                             "\" is not a member of this body. The body takes only " + name + ".",
                         member.name);
        out = std::move(member.value);
    }
    return out;
}

}  // namespace

boost::system::result<std::string, Error> read_input(std::string_view body) {
    const auto input = member_of(body, "input");
    if (!input) return input.error();
    if (input->is(Value::Kind::null)) return "{}";
    if (!input->is(Value::Kind::object)) return wrong("input must be an object.", "input");
    std::string text = input->shown();
    if (!json::numbers_in_range(text))
        return wrong("A number in the input has too many digits.", "input");
    return text;
}

boost::system::result<std::string, Error> read_ids(std::string_view body) {
    const auto ids = member_of(body, "ids");
    if (!ids) return ids.error();
    if (ids->is(Value::Kind::null)) return "";
    if (!ids->is(Value::Kind::array) || ids->items.size() > kMostIds)
        return wrong("ids must be a list of at most 1,000 ids of runs.", "ids");
    std::vector<std::string> out;
    for (const Value& id : ids->items) {
        if (!id.is(Value::Kind::string) || !json::is_uuid(id.text))
            return wrong(id.shown() + " is not the id of a run.", "ids");
        out.push_back(id.text);
    }
    return json::array_literal(out);
}

}  // namespace svc::run
