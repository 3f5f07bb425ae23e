#include "data/write/write_body.hpp"

#include "base/sql_state.hpp"

namespace svc::data::write {

namespace {

using State = json::Slot;

bool has(Stamp stamp, Stamp part) {
    return (static_cast<unsigned>(stamp) & static_cast<unsigned>(part)) != 0;
}

// The value that the server writes into an owner column for this caller; null if there is none.
db::Param own_stamp(const Caller& caller, std::string_view column) {
    if (column == "user_id") {
        if (caller.user) return caller.user->id;
    } else if (caller.org_id) {
        return *caller.org_id;
    }
    return std::nullopt;
}

// A server without an asserted user writes for anyone.
bool names_owners(const Caller& caller) { return !caller.user && caller.is(principal::kServer); }

std::optional<Error> check_owner(const Call& call, Write write, const Column& column,
                                 const json::Slot& slot) {
    const db::Param own = own_stamp(call.caller, column.name);
    const bool same = slot.state == State::given ? own && *own == slot.text : !own;
    if (write == Write::create && (same || names_owners(call.caller))) return std::nullopt;
    const std::string name(column.name);
    if (!same && !names_owners(call.caller)) {
        return Error{Code::owner_stamp,
                     "You may not write rows for someone else: leave out " + name + '.', name};
    }
    return Error{Code::field_forbidden, "The owner of a row cannot be changed.", name};
}

std::optional<Error> check_column(const Call& call, Write write, const Column& column,
                                  const json::Slot& slot) {
    if (slot.state != State::absent) {
        if (stamped(call.entity, column.name)) return check_owner(call, write, column, slot);
        const PrincipalSet writers =
            write == Write::create ? column.writers.create : column.writers.update;
        if (!call.caller.is(writers)) {
            const std::string name(column.name);
            return Error{Code::field_forbidden, "You may not send " + name + '.', name};
        }
    }
    const bool missing =
        slot.state == State::null || (slot.state == State::absent && write == Write::create);
    // Columns that this caller may not send are left to the database.
    if (column.required && missing && call.caller.is(column.writers.create)) {
        const std::string name(column.name);
        return Error{Code::params_invalid, name + " is required.", name,
                     std::string(base::sqlstate::kNull)};
    }
    return std::nullopt;
}

db::Param value_of(const json::Slot& slot) {
    if (slot.state != State::given) return std::nullopt;
    return slot.text;
}

db::Param owner_value(const Call& call, const json::Values& values, const Bind& bind) {
    const json::Slot& slot = values[bind.column];
    if (names_owners(call.caller) && slot.state != State::absent) return value_of(slot);
    return own_stamp(call.caller, bind.source == Bind::user_id ? "user_id" : "org_id");
}

}  // namespace

bool stamped(const Entity& entity, std::string_view column) {
    return (column == "user_id" && has(entity.stamp, Stamp::user)) ||
           (column == "org_id" && has(entity.stamp, Stamp::org));
}

Error mistake_error(const json::JsonReader::Mistake& mistake) {
    return {Code::params_invalid, mistake.message, mistake.field, mistake.sqlstate};
}

std::optional<Error> read_body(const Call& call, Write write, json::Values& values) {
    return read_row(call, write, call.exchange.body(), values);
}

std::optional<Error> read_row(const Call& call, Write write, std::string_view text,
                              json::Values& values) {
    json::JsonReader reader(text);
    const bool decoded = json::read_members(reader, call.entity.columns, values);
    if (reader.failed()) return mistake_error(reader.mistake());
    if (!decoded) return Error{Code::internal, "The body could not be read."};
    for (unsigned i = 0; i < call.entity.columns.size(); ++i) {
        auto error = check_column(call, write, call.entity.columns[i], values[i]);
        if (error) return error;
    }
    return std::nullopt;
}

std::vector<db::Param> bind_values(const Call& call, std::span<const Bind> binds,
                                   const json::Values& values, std::string_view id) {
    std::vector<db::Param> params;
    params.reserve(binds.size());
    for (const Bind& bind : binds) {
        switch (bind.source) {
            case Bind::id:
                params.emplace_back(id);
                break;
            case Bind::user_id:
            case Bind::org_id:
                params.push_back(owner_value(call, values, bind));
                break;
            case Bind::sent:
                params.emplace_back(values[bind.column].state != State::absent ? "true" : "false");
                break;
            case Bind::versions:
                params.push_back(call.match.versions);
                break;
            case Bind::value:
                params.push_back(value_of(values[bind.column]));
                break;
        }
    }
    return params;
}

}  // namespace svc::data::write
