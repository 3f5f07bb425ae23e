// Moving a row through its lifecycle: PATCH …/<id>/transition.
#include <algorithm>

#include "base/json_text.hpp"
#include "data/call.hpp"
#include "data/db_error.hpp"
#include "data/envelope.hpp"
#include "data/query_text.hpp"
#include "data/write/write_actions.hpp"
#include "data/write/write_body.hpp"
#include "json/json_reader.hpp"

namespace svc::data::write {

namespace {

struct Wish {
    std::string transition;  // its name, or
    std::string to;          // the state to reach
};

Result<Wish> read_wish(std::string_view body) {
    static constexpr Column kMembers[] = {{.name = "transition"}, {.name = "to"}};
    JsonReader reader(body);
    Values values(2);
    if (!read_members(reader, kMembers, values)) return bad_params(reader.mistake().message);
    const bool named = values[0].state == Slot::given;
    if (named == (values[1].state == Slot::given)) {
        return bad_params("The body must be {\"transition\": name} or {\"to\": state}.");
    }
    return Wish{std::move(values[0].text), std::move(values[1].text)};
}

// Of several transitions to a state, the first that this caller may make. PostgreSQL checks which
// of them starts from the row's state.
const Transition* find_transition(const Call& call, const Wish& wish) {
    const Transition* found = nullptr;
    for (const Transition& known : call.entity.lifecycle->transitions) {
        if (wish.to.empty() ? known.name != wish.transition : known.to != wish.to) continue;
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

}  // namespace

Task<Handled> move_row(const Call& call) {
    if (call.entity.lifecycle == nullptr) {
        co_return refuse(call,
                         {Code::not_found, std::string(call.entity.name) + " has no lifecycle."});
    }
    const auto wish = read_wish(call.exchange.body());
    if (!wish) co_return refuse(call, wish.error());
    const Transition* transition = find_transition(call, *wish);
    if (transition == nullptr) {
        co_return refuse(
            call, bad_params(wish->to.empty() ? "There is no transition " + wish->transition + '.'
                                              : "No transition leads to " + wish->to + '.'));
    }

    const db::Param params[] = {call.id, transition->name, call.match.versions};
    const Visible visible = call.visible();
    Envelope envelope(call.entity, visible, call.exchange.reply().body);
    envelope.link_files(call.files);
    envelope.keep_version();
    const db::Outcome outcome =
        co_await run(call, call.entity.lifecycle->apply, params, &envelope, kWriteWeight);
    if (outcome.why().sqlstate == "SV409") {
        Error error = to_error(outcome, call.entity);
        error.extra = allowed_from(call, outcome.why().detail);
        co_return refuse(call, error);
    }
    if (!outcome.ok) co_return refuse(call, outcome);
    if (envelope.rows() == 0) {
        co_return refuse(call, {Code::not_found, "There is no such row."});
    }
    envelope.finish();
    send_tag(call, visible, envelope.version());
    co_return Handled::answered;
}

}  // namespace svc::data::write
