// Checks over HTTP who may publish to each topic and listen to it, against the contract.
#include <algorithm>
#include <set>

#include "base/ascii.hpp"
#include "base/percent.hpp"
#include "model/flow/topic_name.hpp"
#include "plan/names.hpp"
#include "verify/app/server.hpp"
#include "verify/oracle/oracle.hpp"

namespace svc::devapi::verification {
namespace {

constexpr std::size_t kMostNames = 60;  // of one topic and caller

void take_texts(const model::Expr& expr, std::set<std::string>& out) {
    const bool text = expr.kind == model::ExprKind::literal &&
                      (expr.type == model::ExprType::text || expr.type == model::ExprType::uuid);
    if (text) out.insert(expr.text);
    for (const auto& arg : expr.args) take_texts(*arg, out);
}

class TopicTrial {
  public:
    TopicTrial(Subject& subject, VerifyCheck& out) : subject_(subject), out_(out) {}

    void run() {
        for (const model::Topic& topic : subject_.model.flows.topics)
            for (const VerifyCaller& caller : subject_.callers)
                for (const Oracle::Parts& parts : all_parts(topic, caller))
                    ask(topic, caller, parts);
    }

  private:
    // The values to try for a part: the caller, another account, values in conditions, and any
    // text.
    std::set<std::string> values(const model::Topic& topic, const VerifyCaller& caller) const {
        std::set<std::string> out = {"x"};
        for (const auto* grants : {&topic.publish, &topic.subscribe}) {
            if (!*grants) continue;
            for (const auto& grant : **grants)
                if (grant.condition) take_texts(*grant.condition, out);
        }
        const auto add = [&out](const VerifyCaller& one) {
            for (const std::string* value : {&one.id, &one.org, &one.persona, &one.email})
                out.insert(*value);
        };
        add(caller);
        add(subject_.callers.back());
        const auto fits = [](const std::string& value) {
            return !value.empty() && std::ranges::all_of(value, [](char c) {
                return base::is_alphanumeric(c) || c == '_' || c == '.' || c == '-';
            });
        };
        std::erase_if(out, [&](const std::string& value) { return !fits(value); });
        return out;
    }

    std::vector<Oracle::Parts> all_parts(const model::Topic& topic,
                                         const VerifyCaller& caller) const {
        std::vector<Oracle::Parts> out = {{}};
        const std::set<std::string> all = values(topic, caller);
        for (const std::string& part : topic.parts) {
            std::vector<Oracle::Parts> longer;
            for (const Oracle::Parts& before : out)
                for (const std::string& value : all) {
                    if (longer.size() == kMostNames) break;
                    longer.push_back(before);
                    longer.back()[part] = value;
                }
            out = std::move(longer);
        }
        return out;
    }

    static std::string name_of(const model::Topic& topic, const Oracle::Parts& parts) {
        const auto pieces = model::pieces_of(topic.name);
        std::string out = pieces.front();
        for (std::size_t i = 0; i < topic.parts.size(); ++i)
            out += parts.at(topic.parts[i]) + pieces[i + 1];
        return out;
    }

    bool may(const std::optional<std::vector<model::TopicGrant>>& grants,
             const VerifyCaller& caller, const Oracle::Parts& parts) {
        if (!grants) return true;
        Oracle oracle(subject_.model, caller);
        return subject_.connection.is_true("select " + oracle.may_use(*grants, parts));
    }

    // Another topic of the contract may be meant by this very name.
    bool is_another(const model::Topic& topic, const std::string& name) const {
        return std::ranges::any_of(subject_.model.flows.topics, [&](const model::Topic& other) {
            return other.name != topic.name && other.name == name;
        });
    }

    void ask(const model::Topic& topic, const VerifyCaller& caller, const Oracle::Parts& parts) {
        const std::string name = name_of(topic, parts);
        if (is_another(topic, name)) return;
        const std::string path = "/topics/" + base::percent_encoded(name);
        const int published = subject_.server->call(caller, "POST", path + "/publish", "{}").status;
        compare(caller, name, "publish to", may(topic.publish, caller, parts), published);
        const int heard = subject_.server->listen(caller, path + "/subscribe")->status();
        compare(caller, name, "listen to", may(topic.subscribe, caller, parts), heard);
    }

    void compare(const VerifyCaller& caller, const std::string& name, const char* what, bool may,
                 int status) {
        if (status == (may ? 200 : 403)) return out_.good();
        out_.bad(caller.name + (may ? " may " : " may not ") + what + " " + name +
                 ", but is answered " + std::to_string(status) + ".");
    }

    Subject& subject_;
    VerifyCheck& out_;
};

}  // namespace

void check_topics(Subject& subject, VerifyCheck& out) {
    if (!subject.server) return not_served(out);
    const std::size_t topics = subject.model.flows.topics.size();
    if (topics == 0) return not_run(out, "The contract declares no topics.");
    TopicTrial(subject, out).run();
    out.said = std::to_string(subject.callers.size()) + " callers publish and listen to " +
               std::to_string(topics) + " topics.";
}

}  // namespace svc::devapi::verification
