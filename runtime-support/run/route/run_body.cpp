#include "run/route/run_body.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include "base/formats.hpp"
#include "json/formats.hpp"
#include "json/value.hpp"

namespace svc::run {
namespace {

using json::Value;

constexpr std::size_t kMostIds = 1000;

Error wrong(std::string message, std::string field = {}) {
    return {Code::params_invalid, std::move(message), std::move(field)};
}

using Members = std::map<std::string, Value, std::less<>>;

// The members of a body, which has no others than those of these names.
boost::system::result<Members, Error> members_of(std::string_view body,
                                                 std::initializer_list<std::string_view> names) {
    Members out;
    if (body.find_first_not_of(" \t\r\n") == std::string_view::npos) return out;
    json::Parsed parsed = json::parse(body);
    if (!parsed.error.empty()) return wrong(parsed.error);
    std::string all;
    for (const std::string_view name : names) all.append(all.empty() ? "" : ", ").append(name);
    if (!parsed.value.is(Value::Kind::object))
        return wrong("The body is an object: {\"" + std::string(*names.begin()) + "\": …}.");
    for (auto& member : parsed.value.members) {
        if (std::ranges::find(names, member.name) == names.end())
            return wrong("\"" + member.name +
                             "\" is not a member of this body. The body takes only " + all + ".",
                         member.name);
        if (!member.value.is(Value::Kind::null)) out[member.name] = std::move(member.value);
    }
    return out;
}

// The JSON of a member that must be an object; nothing where it is not given.
boost::system::result<std::optional<std::string>, Error> object_of(const Members& members,
                                                                   const std::string& name) {
    const auto found = members.find(name);
    if (found == members.end()) return std::optional<std::string>();
    if (!found->second.is(Value::Kind::object)) return wrong(name + " must be an object.", name);
    std::string text = found->second.shown();
    if (!json::numbers_in_range(text))
        return wrong("A number in " + name + " has too many digits.", name);
    return std::optional(std::move(text));
}

}  // namespace

boost::system::result<StartBody, Error> read_start(std::string_view body) {
    const auto members = members_of(body, {"input", "row", "old"});
    if (!members) return members.error();
    StartBody out;
    auto input = object_of(*members, "input");
    if (!input) return input.error();
    if (*input) out.input = std::move(**input);
    auto old = object_of(*members, "old");
    if (!old) return old.error();
    out.old = std::move(*old);
    const auto row = members->find("row");
    if (row == members->end()) return out;
    if (!row->second.is(Value::Kind::string) || !base::is_uuid(row->second.text))
        return wrong("row must be the id of a row.", "row");
    out.row = row->second.text;
    return out;
}

boost::system::result<std::optional<std::string>, Error> read_ids(std::string_view body) {
    const auto members = members_of(body, {"ids"});
    if (!members) return members.error();
    const auto found = members->find("ids");
    if (found == members->end()) return std::optional<std::string>();
    const Value& ids = found->second;
    if (!ids.is(Value::Kind::array) || ids.items.size() > kMostIds)
        return wrong("ids must be a list of at most 1,000 ids of runs.", "ids");
    std::vector<std::string> out;
    for (const Value& id : ids.items) {
        if (!id.is(Value::Kind::string) || !base::is_uuid(id.text))
            return wrong(id.shown() + " is not the id of a run.", "ids");
        out.push_back(id.text);
    }
    return std::optional(json::array_literal(out));
}

}  // namespace svc::run
