// Moving a row through its lifecycle: PATCH …/<id>/transition.
#include <algorithm>

#include "base/json_text.hpp"
#include "base/sql_state.hpp"
#include "data/call.hpp"
#include "data/db_error.hpp"
#include "data/envelope.hpp"
#include "data/messages.hpp"
#include "data/query_text.hpp"
#include "data/write/write_actions.hpp"
#include "data/write/write_body.hpp"
#include "json/json_reader.hpp"

namespace svc::data::write {

namespace {

struct TransitionRequest {
    std::string transition;  // its name, or
    std::string to;          // the state to reach
};

Result<TransitionRequest> read_wish(std::string_view body) {
    static constexpr Column kMembers[] = {{.name = "transition"}, {.name = "to"}};
    json::JsonReader reader(body);
    json::Values values(2);
    if (!json::read_members(reader, kMembers, values)) return bad_params(reader.mistake().message);
    const bool named = values[0].state == json::Slot::given;
    if (named == (values[1].state == json::Slot::given)) {
        return bad_params("The body must be {\"transition\": name} or {\"to\": state}.");
    }
    return TransitionRequest{std::move(values[0].text), std::move(values[1].text)};
}

// Gives the first of several transitions to a state that this caller may make. PostgreSQL checks
// which of them starts from the row's state.
const Transition* find_transition(const Call& call, const TransitionRequest& wanted) {
    const Transition* found = nullptr;
    for (const Transition& known : call.entity.lifecycle->transitions) {
        if (wanted.to.empty() ? known.name != wanted.transition : known.to != wanted.to) continue;
        if (call.caller.is(known.by)) return &known;
        if (found == nullptr) found = &known;
    }
    return found;
}

// ,"allowed":["ship"]: what the caller may do with a row in this state.
std::string allowed_from(const Call& call, std::string_view state) {
    std::string out;
    for (const Transition& known : call.entity.lifecycle->transitions) {
        const bool starts_here =
            std::find(known.from.begin(), known.from.end(), state) != known.from.end();
        if (!starts_here || !call.caller.is(known.by)) continue;
        out += out.empty() ? "" : ",";
        base::append_json_utf8(out, known.name);
    }
    return ",\"allowed\":[" + out + ']';
}

std::string no_transition(const Call& call, const std::string& wanted) {
    std::string all;
    for (const Transition& known : call.entity.lifecycle->transitions)
        all.append(all.empty() ? "" : ", ").append(known.name);
    const std::string there = all.empty() ? "" : " There are: " + all + '.';
    return "There is no transition " + wanted + '.' + there;
}

}  // namespace

Task<Handled> move_row(const Call& call) {
    if (call.entity.lifecycle == nullptr) {
        co_return refuse(call,
                         {Code::not_found, std::string(call.entity.name) + " has no lifecycle."});
    }
    const auto wanted = read_wish(call.exchange.body());
    if (!wanted) co_return refuse(call, wanted.error());
    const Transition* transition = find_transition(call, *wanted);
    if (transition == nullptr) {
        co_return refuse(
            call, bad_params(wanted->to.empty() ? no_transition(call, wanted->transition)
                                                : "No transition leads to " + wanted->to + '.'));
    }

    const db::Param params[] = {call.id, transition->name, call.match.versions};
    const Visible visible = call.visible();
    Envelope envelope(call.entity, visible, call.exchange.reply().body);
    envelope.link_files(call.files);
    envelope.keep_version();
    const db::Outcome outcome =
        co_await run(call, call.entity.lifecycle->apply, params, &envelope, kWriteWeight);
    if (outcome.error().sqlstate == base::sqlstate::kTransition) {
        Error error = to_error(outcome, call.entity);
        error.extra = allowed_from(call, outcome.error().detail);
        co_return refuse(call, error);
    }
    if (!outcome.ok) co_return refuse(call, outcome);
    if (envelope.rows() == 0) {
        co_return refuse(call, {Code::not_found, kNoSuchRow});
    }
    envelope.finish();
    send_tag(call, visible, envelope.version());
    co_return Handled::answered;
}

}  // namespace svc::data::write
