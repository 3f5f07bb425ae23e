#include "verify/flow/flow_starts.hpp"

#include <algorithm>

#include "model/flow/topic_name.hpp"
#include "verify/clone/fixtures.hpp"
#include "verify/flow/flow_row_starts.hpp"
#include "verify/flow/flow_samples.hpp"

namespace svc::devapi::verification {
namespace {

using nlohmann::json;
using On = model::Trigger::Kind;

constexpr std::size_t kMostStarts = 40;

class StartSamples {
  public:
    StartSamples(Subject& subject, std::size_t index)
        : subject_(subject),
          workflow_(subject.model.flows.workflows[index]),
          hooked_(std::ranges::any_of(subject.model.flows.webhooks_in,
                                      [&](const auto& hook) { return hook.run == index; })) {}

    std::vector<FlowStart> all() {
        const model::Trigger& on = workflow_.on;
        switch (on.kind) {
            case On::event:
            case On::transition:
            case On::payment:
                out_ = row_starts(subject_, workflow_, kMostStarts);
                break;
            case On::auth:
                for (const VerifyCaller* one : people_of(subject_)) account(*one);
                break;
            case On::topic:
                topic();
                break;
            case On::cron:
            case On::every:
                fill("the clock", {{"kind", on.kind == On::cron ? "cron" : "every"}},
                     {{"at", "2026-01-31T12:00:00Z"}});
                break;
            case On::failed:
                failure();
                break;
            case On::webhook:
            case On::manual:
                if (hooked_ || on.kind == On::webhook)
                    fill("a call of its webhook", {{"kind", "webhook"}},
                         {{"body", json::object()}, {"headers", json::object()}});
                else
                    by_hand();
                break;
        }
        if (out_.size() > kMostStarts) out_.resize(kMostStarts);
        return std::move(out_);
    }

  private:
    void add(std::string by, const json& trigger, const json& given, std::string actor = {}) {
        out_.push_back({std::move(by), trigger.dump(), given.dump(), std::move(actor), false});
    }

    // Nobody sends parameters.
    void fill(std::string by, const json& trigger, const json& input) {
        out_.push_back({std::move(by), trigger.dump(), input.dump(), {}, false, true});
    }

    void by_hand() {
        const auto people = people_of(subject_);
        for (std::size_t n = 0; n < 4; ++n) {
            const json input = sample_params(subject_, workflow_.params, workflow_.steps, n);
            out_.push_back({"hand", R"({"kind":"manual"})", input.dump(),
                            people.empty() ? "" : people[n % people.size()]->id, true});
        }
    }

    void account(const VerifyCaller& person) {
        const char* event = workflow_.on.signup ? "signup" : "login";
        add(workflow_.on.signup ? "a sign-up" : "a sign-in", {{"kind", "auth"}, {"event", event}},
            {{"input",
              {{"user",
                {{"id", person.id},
                 {"email", person.email},
                 {"name", person.name},
                 {"role", person.persona}}}}}},
            person.id);
    }

    void topic() {
        for (const VerifyCaller* one : people_of(subject_)) message(one->id);
        message("");
    }

    void message(const std::string& part) {
        std::string name;
        json input = json::object();
        const auto pieces = model::pieces_of(workflow_.on.topic);
        const auto parts = model::parts_of(workflow_.on.topic);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            input[parts[i]] = part.empty() ? "x" : part;
            name += pieces[i] + (part.empty() ? "x" : part);
        }
        name += pieces.back();
        input.update({{"topic", name}, {"payload", json::object()}});
        add("a message of " + name, {{"kind", "topic"}, {"topic", name}}, {{"input", input}}, part);
    }

    void failure() {
        const std::string& id = subject_.model.flows.workflows[workflow_.on.failed].id;
        add("a run of " + id + " that failed", {{"kind", "failed"}, {"workflow", id}},
            {{"input",
              {{"run", kOrgs[0]},
               {"workflow", id},
               {"error", "There is no such row."},
               {"code", name(Code::not_found)},
               {"path", "step"}}}});
    }

    Subject& subject_;
    const model::Workflow& workflow_;
    const bool hooked_;
    std::vector<FlowStart> out_;
};

}  // namespace

std::vector<FlowStart> sample_starts(Subject& subject, std::size_t workflow) {
    return StartSamples(subject, workflow).all();
}

}  // namespace svc::devapi::verification
