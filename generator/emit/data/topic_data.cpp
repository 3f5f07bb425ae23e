#include "emit/data/condition.hpp"
#include "emit/data/data.hpp"
#include "emit/text.hpp"
#include "plan/names.hpp"

namespace svc::emit {
namespace {

using plan::Plan;
using plan::ServedTopic;
using plan::TopicLine;
using plan::TopicUse;

// viewer.is(to::customer) && parts.text(part::id) == viewer.id
std::string test_of(const Plan& plan, const TopicLine& line) {
    const std::string who = line.who == plan::kEveryone
                                ? ""
                                : "viewer.is(" + principals(line.who, plan.principal_names) + ")";
    const std::string test = guarded_text(who, line.condition);
    return test.empty() ? "true" : test;
}

std::vector<std::string> rule_lines(const Plan& plan, const TopicUse& use) {
    if (use.lines.empty()) return {"return false;"};
    std::vector<std::string> out;
    for (std::size_t i = 0; i + 1 < use.lines.size(); ++i)
        out.push_back("if (" + test_of(plan, use.lines[i]) + ") return true;");
    out.push_back("return " + test_of(plan, use.lines.back()) + ";");
    return out;
}

// True: it looks at parts of the name.
bool add_rule(const Plan& plan, const std::string& what, const std::optional<TopicUse>& use,
              Data& rules) {
    if (!use) return false;
    Data lines{Data::type::list};
    std::string all;
    for (const std::string& text : rule_lines(plan, *use)) {
        all += text;
        Data one;
        one["text"] = text;
        lines.push_back(one);
    }
    const bool looks = all.find("parts.") != std::string::npos;
    Data out;
    out["what"] = what;
    out["words"] = (what == "publish" ? "Who may publish: " : "Who may listen: ") + use->words;
    out["record"] = std::string(looks ? " parts" : "");
    out["viewer"] = std::string(all.find("viewer.") == std::string::npos ? "" : " viewer");
    out["lines"] = std::move(lines);
    rules.push_back(out);
    return looks;
}

Data one_topic(const Plan& plan, const ServedTopic& topic) {
    std::string pieces, parts;
    for (const std::string& piece : topic.pieces)
        pieces += (pieces.empty() ? "" : ", ") + cpp_literal(piece);
    for (const std::string& part : topic.parts)
        parts += (parts.empty() ? "" : ", ") + plan::cpp_identifier(part);
    Data rules{Data::type::list};
    const bool publishes = add_rule(plan, "publish", topic.publish, rules);
    const bool subscribes = add_rule(plan, "subscribe", topic.subscribe, rules);
    Data out;
    out["name"] = topic.name;
    out["name_literal"] = cpp_literal(topic.name);
    out["value"] = topic.cpp_value;
    out["pieces"] = pieces;
    out["parts"] = parts;
    out["names_parts"] = publishes || subscribes;
    out["rules"] = std::move(rules);
    return out;
}

}  // namespace

Data topics_data(const Plan& plan) {
    Data topics{Data::type::list};
    for (const ServedTopic& topic : plan.topics) topics.push_back(one_topic(plan, topic));
    Data out;
    out["app"] = plan.namespace_name;
    out["topics"] = std::move(topics);
    return out;
}

}  // namespace svc::emit
