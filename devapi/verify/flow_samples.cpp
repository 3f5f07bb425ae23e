#include "verify/flow_samples.hpp"

#include <algorithm>

#include "model/flow/topic_name.hpp"
#include "plan/names.hpp"
#include "verify/fixtures.hpp"
#include "verify/flow_reach.hpp"
#include "verify/query_values.hpp"

namespace svc::devapi::verification {
namespace {

using nlohmann::json;
using On = model::Trigger::Kind;

constexpr std::size_t kMostStarts = 40;

std::vector<const VerifyCaller*> people_of(const Subject& subject) {
    std::vector<const VerifyCaller*> out;
    for (const VerifyCaller& caller : subject.callers)
        if (!caller.id.empty() && caller.org_role.empty()) out.push_back(&caller);
    return out;
}

// "": it has no rows here.
std::string some_row(Subject& subject, std::size_t entity, std::size_t n) {
    const model::Entity& of = subject.model.entities[entity];
    if (!is_table(of)) return {};
    const auto ids = subject.session.list("select id::text from " + plan::table(of.name) +
                                          " order by md5(id::text) limit 20");
    return ids.empty() ? std::string() : ids[n % ids.size()];
}

json sample_param(Subject& subject, const model::Field& param,
                  const std::vector<model::FlowStep>& steps, std::size_t n) {
    using model::FieldType;
    const auto people = people_of(subject);
    if (param.type == FieldType::user && !people.empty()) return people[n % people.size()]->id;
    std::string row;
    if (param.type == FieldType::ref) row = some_row(subject, param.ref_entity, n);
    if (param.type == FieldType::uuid)
        if (const auto entity = entity_of_param(subject.model, steps, param.name))
            row = some_row(subject, *entity, n);
    return row.empty() ? sensible_value(param) : json(row);
}

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
                rows();
                break;
            case On::auth:
                for (const VerifyCaller* one : people_of(subject_)) account(*one);
                break;
            case On::topic:
                topic();
                break;
            case On::cron:
            case On::every:
                add("the clock", {{"kind", on.kind == On::cron ? "cron" : "every"}},
                    {{"input", {{"at", "2026-01-31T12:00:00Z"}}}});
                break;
            case On::failed:
                failure();
                break;
            case On::webhook:
            case On::manual:
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

    void by_hand() {
        const bool hook = hooked_ || workflow_.on.kind == On::webhook;
        const auto people = people_of(subject_);
        for (std::size_t n = 0; n < 4; ++n) {
            json input = sample_params(subject_, workflow_.params, workflow_.steps, n);
            if (hook) input.update({{"body", json::object()}, {"headers", json::object()}});
            const bool somebody = !hook && !people.empty();
            out_.push_back({hook ? "a call of its webhook" : "hand",
                            json({{"kind", hook ? "webhook" : "manual"}}).dump(), input.dump(),
                            somebody ? people[n % people.size()]->id : "", true});
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
               {"code", "NOT_FOUND"},
               {"path", "step"}}}});
    }

    // The row as it was and as it is now, as the trigger says; what is said of one that is not
    // there is null.
    void rows() {
        const model::Trigger& on = workflow_.on;
        const model::Entity& entity = subject_.model.entities[on.entity];
        if (!is_table(entity)) return;
        const std::string table = plan::table(entity.name);
        std::string fresh = "to_jsonb(r)", old = "'null'::jsonb", order;
        const bool changed = on.kind == On::event && on.event == model::RowEvent::updated;
        if (on.kind == On::event && on.event == model::RowEvent::deleted) std::swap(fresh, old);
        if (changed) old = "coalesce(to_jsonb(o), '{}') || to_jsonb(k)";
        if (on.kind == On::transition) states(entity, fresh, old, order);
        const std::string sql =
            "select (jsonb_build_object('new', " + fresh + ", 'old', " + old + "))::text, " +
            (entity.owner.user ? "r.user_id" : "null") + " from " + table +
            " r left join lateral "
            "(select * from " +
            table +
            " s where s.id <> r.id order by md5(s.id::text || r.id) "
            "limit 1) o on true cross join lateral (select r.id, r.created_at" +
            (entity.owner.user ? ", r.user_id" : "") + (entity.owner.org ? ", r.org_id" : "") +
            ") k order by " + order + "md5(r.id::text) limit " + std::to_string(kMostStarts);
        const auto people = people_of(subject_);
        for (const auto& row : subject_.session.run(sql)) {
            std::string actor = row[1].as<std::string>("");
            if (actor.empty() && !people.empty()) actor = people[out_.size() % people.size()]->id;
            out_.push_back({"a row of " + entity.name + " that was " + deed(), trigger(entity),
                            row[0].c_str(), std::move(actor), false});
        }
    }

    void states(const model::Entity& entity, std::string& fresh, std::string& old,
                std::string& order) const {
        const model::Lifecycle& lifecycle = *entity.lifecycle;
        const model::Transition& move = lifecycle.transitions[workflow_.on.transition];
        const std::string field = entity.fields[lifecycle.field].name;
        const std::string from = move.from.empty() ? lifecycle.initial : move.from.front();
        const auto with = [&](const std::string& state) {
            return "to_jsonb(r) || " + plan::literal(json({{field, state}}).dump()) + "::jsonb";
        };
        fresh = with(move.to);
        old = with(from);
        order = "r." + plan::ident(field) + " = " + plan::literal(move.to) + " desc, ";
    }

    std::string deed() const {
        const model::Trigger& on = workflow_.on;
        if (on.kind == On::payment) return on.paid ? "paid" : "not paid";
        if (on.kind == On::transition) return "moved";
        return on.event == model::RowEvent::created   ? "created"
               : on.event == model::RowEvent::updated ? "updated"
                                                      : "deleted";
    }

    std::string trigger(const model::Entity& entity) const {
        if (workflow_.on.kind == On::payment)
            return json({{"kind", "payment"}, {"event", workflow_.on.paid ? "paid" : "failed"}})
                .dump();
        const bool move = workflow_.on.kind == On::transition;
        json out = {{"kind", move ? "transition" : "event"}, {"table", entity.name}};
        if (move)
            out["transition"] = entity.lifecycle->transitions[workflow_.on.transition].name;
        else
            out["event"] = deed();
        return out.dump();
    }

    Subject& subject_;
    const model::Workflow& workflow_;
    const bool hooked_;
    std::vector<FlowStart> out_;
};

}  // namespace

json sample_params(Subject& subject, const std::vector<model::Field>& params,
                   const std::vector<model::FlowStep>& steps, std::size_t n) {
    json out = json::object();
    for (const model::Field& param : params)
        out[param.name] = sample_param(subject, param, steps, n);
    return out;
}

std::string call_state(const json& params, const VerifyCaller* caller) {
    json out = {{"input", params}, {"actor", nullptr}};
    if (!caller) return out.dump();
    out["caller"] = {{"id", caller->id},
                     {"principals", caller->names()},
                     {"claims", json::parse(caller->claims())}};
    const auto or_null = [](const std::string& text) { return text.empty() ? json() : json(text); };
    if (!caller->id.empty())
        out["actor"] = {{"id", caller->id},
                        {"persona", caller->persona},
                        {"email", caller->email},
                        {"isAdmin", caller->is_admin},
                        {"org", or_null(caller->org)}};
    return out.dump();
}

std::vector<FlowStart> sample_starts(Subject& subject, std::size_t workflow) {
    return StartSamples(subject, workflow).all();
}

}  // namespace svc::devapi::verification
