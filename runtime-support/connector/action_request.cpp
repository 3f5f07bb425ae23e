#include "connector/action_request.hpp"

#include <algorithm>
#include <set>

#include "base/json_text.hpp"
#include "base/percent.hpp"

namespace svc::connector {
namespace {

using json::Value;
using Kind = Value::Kind;

bool is_plain(const Value& value) {
    return value.is(Kind::string) || value.is(Kind::number) || value.is(Kind::boolean);
}

// True if a segment would leave the path (".."), also if two properties form it together. Servers
// decode a path before they resolve it, so a slash of a property ends a segment as well.
bool climbs(std::string_view path) {
    const std::string decoded = base::percent_decoded(path);
    for (std::string_view rest = decoded; !rest.empty();) {
        const std::string_view segment = rest.substr(0, rest.find_first_of("/\\"));
        if (segment == "." || segment == "..") return true;
        rest.remove_prefix(std::min(rest.size(), segment.size() + 1));
    }
    return false;
}

// The path with its placeholders filled. `used`: the names of the properties in it.
std::string path_of(const Action& action, const Value& props, std::set<std::string>& used,
                    std::string& problem) {
    std::string out;
    for (std::size_t at = 0; at < action.path.size();) {
        const std::size_t open = action.path.find('{', at);
        out += action.path.substr(at, open - at);
        if (open == std::string::npos) break;
        const std::size_t close = action.path.find('}', open);
        const std::string name = action.path.substr(open + 1, close - open - 1);
        const Value* value = props.find(name);
        if (!value || !is_plain(*value) || value->text.empty()) {
            problem = "\"" + name + "\" must be a number, or a string that is not empty.";
            return out;
        }
        used.insert(name);
        out += base::percent_encoded(value->text);
        at = close + 1;
    }
    if (climbs(out)) problem = "A property of the path may not be \".\" or \"..\".";
    return out;
}

std::string query_of(const Value& props, const std::set<std::string>& used) {
    std::string out;
    for (const auto& [name, value] : props.members) {
        if (used.contains(name) || value.is(Kind::null)) continue;
        const bool list = value.is(Kind::array) && std::ranges::all_of(value.items, is_plain);
        const std::vector<Value> all = list ? value.items : std::vector<Value>{value};
        for (const Value& one : all)
            out += (out.empty() ? "?" : "&") + base::percent_encoded(name) + "=" +
                   base::percent_encoded(is_plain(one) ? one.text : one.shown());
    }
    return out;
}

std::string body_of(const Value& props, const std::set<std::string>& used) {
    std::string out = "{";
    for (const auto& [name, value] : props.members) {
        if (used.contains(name)) continue;
        if (out.size() > 1) out += ',';
        base::append_json(out, name);
        out += ':' + value.shown();
    }
    return out + "}";
}

}  // namespace

ActionRequest request_of(const Integration& integration, const Action& action, const Value& props) {
    constexpr unsigned kSeconds = 30;
    ActionRequest out;
    std::set<std::string> used;
    out.fetch.method = action.method;
    out.fetch.seconds = kSeconds;
    out.fetch.url = integration.base_url + path_of(action, props, used, out.problem);
    if (!out.problem.empty()) return out;
    out.fetch.headers = {"Accept: application/json, */*;q=0.5", "Expect:"};
    if (action.method == "GET" || action.method == "DELETE") {
        out.fetch.url += query_of(props, used);
        return out;
    }
    out.fetch.headers.emplace_back("Content-Type: application/json");
    out.fetch.body = body_of(props, used);
    return out;
}

}  // namespace svc::connector
