// Topics, and their names wherever they stand.
#include <algorithm>

#include "base/ascii.hpp"
#include "contract/shape/shape.hpp"
#include "model/flow/flow_work.hpp"
#include "model/flow/topic_name.hpp"

namespace svc::model {
namespace {

constexpr std::size_t kMaxTopicName = 200;  // bytes, as calls may have it

std::optional<std::vector<TopicGrant>> grants(
    Work work, const Topic& topic, const std::optional<std::vector<contract::Grant>>& in) {
    if (!in) return std::nullopt;
    const ExprScope scope{.model = work.out, .entity = 0, .row = false, .parts = &topic.parts};
    std::vector<TopicGrant> out;
    for (const contract::Grant& given : *in) {
        TopicGrant grant{{}, nullptr, given.path};
        if (given.condition) {
            grant.condition = read_condition(*given.condition, scope, work.findings);
        }
        if (std::optional<Principal> to = resolve_principal(work, given.to)) {
            grant.to = std::move(*to);
            out.push_back(std::move(grant));
        }
    }
    return out;
}

// The name with its placeholders left out; nothing if a brace has no partner.
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
void check_placeholders(Work work, const contract::Text& name) {
    std::vector<std::string> seen;
    for (std::size_t at = 0; (at = name.text.find('{', at)) != std::string::npos; ++at) {
        const std::string placeholder = name.text.substr(at + 1, name.text.find('}', at) - at - 1);
        if (placeholder == "user") {
            bad_topic(work, name,
                      "\"{user}\" cannot be a part of a topic's name: in conditions, \"user\" is "
                      "the caller.",
                      "choose another name: {user_id}");
        } else if (!contract::is_identifier(placeholder)) {
            bad_topic(work, name, "\"{" + placeholder + "}\" does not contain a valid name.",
                      "write {name} for any string: \"app:order:{id}\"");
        } else if (contains(seen, placeholder)) {
            bad_topic(work, name, "\"{" + placeholder + "}\" occurs twice.",
                      "give each part its own name");
        }
        seen.push_back(placeholder);
    }
}

// Two names whose placeholders may have the same text cannot be distinguished.
void check_overlaps(Work work, const contract::Text& name) {
    for (const Topic& other : work.out.flows.topics) {
        const bool exact = other.parts.empty() || name.text.find('{') == std::string::npos;
        if (exact || other.name == name.text || !may_be_same(other.name, name.text)) continue;
        bad_topic(work, name,
                  "\"" + other.name + "\" and \"" + name.text + "\" can be the same topic.",
                  "make the names differ outside of braces");
    }
}

void check_declared(Work work, const contract::Text& name) {
    if (name.text.starts_with("row-changed")) {
        bad_topic(work, name,
                  "A topic of an entity cannot be declared: callers who may read the entity may "
                  "listen to its changes.",
                  "change the entity's \"access\"");
    }
    if (name.text.starts_with("app:notifications:")) {
        bad_topic(work, name,
                  "This topic cannot be declared: only the user receives their notifications.",
                  "remove it");
    }
    const std::string prefix = name.text.substr(0, name.text.find(':'));
    if (prefix.size() < name.text.size() && prefix.find('{') != std::string::npos) {
        bad_topic(work, name, "A topic's name cannot have braces before the first colon.",
                  "begin with app:");
    }
    const std::vector<std::string> pieces = pieces_of(name.text);
    const bool separable =
        pieces.size() < 3 ||
        std::all_of(pieces.begin() + 1, pieces.end() - 1,
                    [](const std::string& piece) { return piece.find(':') != std::string::npos; });
    if (!separable) {
        bad_topic(
            work, name,
            "There is no colon between two parts in braces, so the server cannot tell them apart.",
            "put a colon between them: app:{kind}:{id}");
    }
    if (name.text.size() > kMaxTopicName) {
        bad_topic(work, name, "A topic's name has at most 200 characters.", "shorten the name");
    }
}

}  // namespace

void check_topic(Work work, const contract::Text& name) {
    const std::optional<std::string> text = plain(name.text);
    if (!text) return;  // a template says so itself
    if (name.text.empty() || name.text.ends_with(':') || !is_topic_text(*text)) {
        return bad_topic(work, name, "\"" + name.text + "\" is not a valid name of a topic.",
                         "use letters, digits and _ : . -, and no : at the end");
    }
    const std::size_t colon = name.text.find(':');
    if (colon == std::string::npos) return;
    const std::string prefix = name.text.substr(0, colon);
    if (prefix == "app" || prefix.find('{') != std::string::npos) return;
    if (prefix != "row-changed") {
        return bad_topic(work, name, "\"" + prefix + ":\" is not a kind of topic.",
                         "begin with app:, or use no colon");
    }
    const std::string entity = name.text.substr(colon + 1);
    if (entity.find('{') == std::string::npos) resolve_entity(work, {entity, name.path});
}

void check_topic_name(Work work, const contract::Text& name) {
    check_topic(work, name);
    if (plain(name.text)) {
        check_placeholders(work, name);
    } else {
        bad_topic(work, name, "A brace in this name has no matching brace.",
                  "write {name} for any string");
    }
}

void resolve_topics(Work work) {
    std::vector<std::string> seen;
    for (const contract::Topic& in : work.in.flows.topics) {
        if (std::find(seen.begin(), seen.end(), in.name.text) != seen.end()) {
            work.findings.error("NAME_TAKEN", in.name.path,
                                "The name \"" + in.name.text + "\" is already used.",
                                "choose another name");
        }
        seen.push_back(in.name.text);
        check_topic_name(work, in.name);
        check_declared(work, in.name);
        Topic out;
        out.name = in.name.text;
        out.parts = parts_of(out.name);
        check_overlaps(work, in.name);
        out.publish = grants(work, out, in.publish);
        out.subscribe = grants(work, out, in.subscribe);
        out.path = in.path;
        work.out.flows.topics.push_back(std::move(out));
    }
}

}  // namespace svc::model
