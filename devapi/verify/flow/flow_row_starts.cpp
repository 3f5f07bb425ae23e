#include "verify/flow/flow_row_starts.hpp"

#include <nlohmann/json.hpp>

#include "plan/names.hpp"
#include "verify/clone/fixtures.hpp"
#include "verify/flow/flow_samples.hpp"

namespace svc::devapi::verification {
namespace {

using nlohmann::json;
using On = model::Trigger::Kind;

class RowStarts {
  public:
    RowStarts(Subject& subject, const model::Workflow& workflow, std::size_t most)
        : subject_(subject),
          on_(workflow.on),
          entity_(subject.model.entities[on_.entity]),
          most_(most) {}

    std::vector<FlowStart> all() const {
        std::vector<FlowStart> out;
        if (!is_table(entity_)) return out;
        const auto people = people_of(subject_);
        for (const auto& row : subject_.connection.run(statement())) {
            std::string actor = row[1].as<std::string>("");
            if (actor.empty() && !people.empty()) actor = people[out.size() % people.size()]->id;
            out.push_back({"a row of " + entity_.name + " that was " + event(), trigger(),
                           row[0].c_str(), std::move(actor), false});
        }
        return out;
    }

  private:
    // A row as it was and as it is now, as SQL, and which rows come first.
    struct Change {
        std::string fresh = "to_jsonb(r)", old = "'null'::jsonb", order;
    };

    // The change of the trigger; a missing row is null.
    Change change() const {
        if (on_.kind == On::transition) return move();
        Change out;
        if (on_.kind != On::event) return out;
        if (on_.event == model::RowEvent::deleted) std::swap(out.fresh, out.old);
        if (on_.event == model::RowEvent::updated)
            out.old = "coalesce(to_jsonb(o), '{}') || to_jsonb(k)";
        return out;
    }

    Change move() const {
        const model::Lifecycle& lifecycle = *entity_.lifecycle;
        const model::Transition& move = lifecycle.transitions[on_.transition];
        const std::string field = entity_.fields[lifecycle.field].name;
        const std::string from = move.from.empty() ? lifecycle.initial : move.from.front();
        const auto with = [&](const std::string& state) {
            return "to_jsonb(r) || " + plan::literal(json({{field, state}}).dump()) + "::jsonb";
        };
        return {with(move.to), with(from),
                "r." + plan::ident(field) + " = " + plan::literal(move.to) + " desc, "};
    }

    // {new, old} of each row, and its owner. An updated row was another one (o) before, apart from
    // what no update changes (k).
    std::string statement() const {
        const auto [fresh, old, order] = change();
        const std::string table = plan::table(entity_.name);
        return "select (jsonb_build_object('new', " + fresh + ", 'old', " + old + "))::text, " +
               (entity_.owner.user ? "r.user_id" : "null") + " from " + table +
               " r left join lateral (select * from " + table +
               " s where s.id <> r.id order by md5(s.id::text || r.id) limit 1) o on true"
               " cross join lateral (select r.id, r.created_at" +
               (entity_.owner.user ? ", r.user_id" : "") + (entity_.owner.org ? ", r.org_id" : "") +
               ") k order by " + order + "md5(r.id::text) limit " + std::to_string(most_);
    }

    std::string event() const {
        if (on_.kind == On::payment) return on_.paid ? "paid" : "not paid";
        if (on_.kind == On::transition) return "moved";
        return std::string(base::word(on_.event));
    }

    std::string trigger() const {
        if (on_.kind == On::payment)
            return json({{"kind", "payment"}, {"event", on_.paid ? "paid" : "failed"}}).dump();
        const bool moved = on_.kind == On::transition;
        json out = {{"kind", moved ? "transition" : "event"}, {"table", entity_.name}};
        if (moved)
            out["transition"] = entity_.lifecycle->transitions[on_.transition].name;
        else
            out["event"] = event();
        return out.dump();
    }

    Subject& subject_;
    const model::Trigger& on_;
    const model::Entity& entity_;
    const std::size_t most_;
};

}  // namespace

std::vector<FlowStart> row_starts(Subject& subject, const model::Workflow& workflow,
                                  std::size_t most) {
    return RowStarts(subject, workflow, most).all();
}

}  // namespace svc::devapi::verification
