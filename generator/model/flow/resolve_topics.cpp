// Topics, and their names wherever they stand.
#include <algorithm>

#include "base/ascii.hpp"
#include "contract/shape.hpp"
#include "model/flow/flow_work.hpp"

namespace svc::model {
namespace {

std::optional<std::vector<Principal>> principals(Work work,
                                                 const std::optional<contract::Texts>& in) {
    if (!in) return std::nullopt;
    std::vector<Principal> out;
    for (const contract::Text& name : *in) {
        if (auto known = resolve_principal(work, name)) out.push_back(std::move(*known));
    }
    return out;
}

// The name with its holes left out; nothing where a brace has no partner.
std::optional<std::string> plain(const std::string& name) {
    std::string out;
    for (std::size_t at = 0; at < name.size();) {
        const std::size_t open = name.find_first_of("{}", at);
        out += name.substr(at, open - at);
        if (open == std::string::npos) break;
        const std::size_t close = name.find_first_of("{}", open + 1);
        if (name[open] == '}' || close == std::string::npos || name[close] == '{') {
            return std::nullopt;
        }
        at = close + 1;
    }
    return out;
}

bool is_topic_text(const std::string& text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return base::is_alphanumeric(c) ||
               std::string_view("_:.-").find(c) != std::string_view::npos;
    });
}

void bad_topic(Work work, const contract::Text& name, const std::string& message,
               const std::string& fix) {
    work.findings.error("BAD_TOPIC", name.path, message, fix);
}

// {id}: names, each once.
void check_holes(Work work, const contract::Text& name) {
    std::vector<std::string> seen;
    for (std::size_t at = 0; (at = name.text.find('{', at)) != std::string::npos; ++at) {
        const std::string hole = name.text.substr(at + 1, name.text.find('}', at) - at - 1);
        if (!contract::is_identifier(hole)) {
            bad_topic(work, name, "\"{" + hole + "}\" has no name in it.",
                      "write {name} for any text: \"app:order:{id}\"");
        } else if (contains(seen, hole)) {
            bad_topic(work, name, "\"{" + hole + "}\" stands there twice.",
                      "give each its own name");
        }
        seen.push_back(hole);
    }
}

}  // namespace

void check_topic(Work work, const contract::Text& name) {
    const std::optional<std::string> text = plain(name.text);
    if (!text) return;  // a template says so itself
    if (name.text.empty() || name.text.ends_with(':') || !is_topic_text(*text)) {
        return bad_topic(work, name, "\"" + name.text + "\" cannot be the name of a topic.",
                         "use letters, digits and _ : . -, and no : at the end");
    }
    const std::size_t colon = name.text.find(':');
    if (colon == std::string::npos) return;
    const std::string prefix = name.text.substr(0, colon);
    if (prefix == "app" || prefix.find('{') != std::string::npos) return;
    if (prefix != "row-changed") {
        return bad_topic(work, name, "\"" + prefix + ":\" is no kind of topics.",
                         "begin with app:, or use no colon");
    }
    const std::string entity = name.text.substr(colon + 1);
    if (entity.find('{') == std::string::npos) resolve_entity(work, {entity, name.path});
}

void check_topic_name(Work work, const contract::Text& name) {
    check_topic(work, name);
    if (plain(name.text)) return check_holes(work, name);
    bad_topic(work, name, "A brace of this name has no partner.", "write {name} for any text");
}

void resolve_topics(Work work) {
    std::vector<std::string> seen;
    for (const contract::Topic& in : work.in.flows.topics) {
        if (std::find(seen.begin(), seen.end(), in.name.text) != seen.end()) {
            work.findings.error("NAME_TAKEN", in.name.path,
                                "There is another \"" + in.name.text + "\" already.",
                                "choose another name");
        }
        seen.push_back(in.name.text);
        check_topic_name(work, in.name);
        if (in.name.text.starts_with("row-changed")) {
            bad_topic(work, in.name, "Who may read an entity may listen to its changes.",
                      "say it in the entity's \"access\"");
        }
        Topic out;
        out.name = in.name.text;
        out.publish = principals(work, in.publish);
        out.subscribe = principals(work, in.subscribe);
        out.path = in.path;
        work.out.flows.topics.push_back(std::move(out));
    }
}

}  // namespace svc::model
