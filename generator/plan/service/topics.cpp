#include "plan/service/topics.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "model/flow/topic_name.hpp"
#include "plan/condition/condition.hpp"
#include "plan/names.hpp"
#include "plan/principals.hpp"

namespace svc::plan {
namespace {

using model::TopicGrant;

// topic_app_order_id, of app:order:{id}; a name that is taken gets a number.
std::string value_name(const std::string& topic, const std::vector<ServedTopic>& others) {
    std::string out = "topic_";
    for (const char c : topic) {
        if (c == '{' || c == '}') continue;
        const char next = base::is_alphanumeric(c) ? base::lower(c) : '_';
        if (next != '_' || out.back() != '_') out += next;
    }
    const auto taken = [&others](const std::string& name) {
        return std::any_of(others.begin(), others.end(),
                           [&name](const ServedTopic& one) { return one.cpp_value == name; });
    };
    std::string free = out;
    for (int n = 2; taken(free); ++n) free = out + "_" + std::to_string(n);
    return free;
}

std::string words(const std::vector<TopicGrant>& grants) {
    std::string out;
    for (const TopicGrant& grant : grants) {
        const std::string who = principal_name(grant.to);
        out += (out.empty() ? "" : ", ") + (who == "*" ? "everyone" : who) +
               (grant.condition ? " (some)" : "");
    }
    return out.empty() ? "nobody" : out;
}

void add(std::vector<TopicLine>& lines, TopicLine next) {
    if (!lines.empty() && equal(lines.back().condition, next.condition)) {
        lines.back().who |= next.who;
    } else {
        lines.push_back(std::move(next));
    }
}

class TopicPlanner {
  public:
    TopicPlanner(const model::Model& model, diag::Findings& findings)
        : findings_(findings), model_(model) {}

    std::optional<TopicUse> use(const std::optional<std::vector<TopicGrant>>& grants) {
        if (!grants) return std::nullopt;
        TopicUse out;
        out.words = words(*grants);
        for (const TopicGrant& grant : *grants) line(grant, out.lines);
        const auto all = std::find_if(out.lines.begin(), out.lines.end(), [](const TopicLine& one) {
            return one.who == kEveryone && !one.condition;
        });
        if (all != out.lines.end()) out.lines.erase(all + 1, out.lines.end());
        return out;
    }

  private:
    void line(const TopicGrant& grant, std::vector<TopicLine>& lines) {
        const PrincipalBits who = bits(model_, grant.to);
        if (!grant.condition) return add(lines, {who, nullptr});
        ConditionPtr condition = server_condition(*grant.condition, model_);
        if (condition) return add(lines, {who, std::move(condition)});
        findings_.error("BAD_TOPIC", grant.path + "/if",
                        "This condition needs more than the name of the topic and the caller.",
                        "compare parts of the name with the caller: id == user.id");
    }

    diag::Findings& findings_;
    const model::Model& model_;
};

}  // namespace

std::vector<ServedTopic> plan_topics(const model::Model& model, diag::Findings& findings) {
    TopicPlanner planner(model, findings);
    std::vector<ServedTopic> out;
    for (const model::Topic& in : model.flows.topics) {
        ServedTopic topic;
        topic.name = in.name;
        topic.cpp_value = value_name(in.name, out);
        topic.pieces = model::pieces_of(in.name);
        topic.parts = in.parts;
        topic.publish = planner.use(in.publish);
        topic.subscribe = planner.use(in.subscribe);
        out.push_back(std::move(topic));
    }
    return out;
}

}  // namespace svc::plan
