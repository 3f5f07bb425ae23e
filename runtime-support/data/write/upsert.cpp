#include "data/write/upsert.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/parts.hpp"
#include "data/write/write_body.hpp"
#include "http/exchange.hpp"

namespace svc::data::write {

namespace {

const Column& column_of(const Call& call, std::uint16_t index) {
    return call.entity.columns[index];
}

std::vector<std::string> in_order(std::string_view list) {
    std::vector<std::string> out;
    for (const std::string_view name : base::split(list, ',')) out.emplace_back(base::trim(name));
    std::ranges::sort(out);
    return out;
}

std::vector<std::string> names_of(const Call& call, const Key& key) {
    std::vector<std::string> out;
    for (const std::uint16_t column : key.columns()) out.emplace_back(column_of(call, column).name);
    std::ranges::sort(out);
    return out;
}

// The key of an external row, which may be sent by another name.
bool is_id(const Call& call, const std::vector<std::string>& wanted) {
    return call.entity.external && wanted.size() == 1 && wanted[0] == "id";
}

// If the caller cannot read the whole key, an upsert would reveal which values exist.
bool is_readable(const Visible& visible, const Key& key) {
    return std::ranges::all_of(key.columns(),
                               [&](std::uint16_t column) { return visible.columns[column]; });
}

// A column that the caller may not read does not exist for them, also not as a part of a key.
std::optional<Error> unknown_part(const Call& call, const Visible& visible,
                                  const std::vector<std::string>& wanted) {
    if (is_id(call, wanted)) return std::nullopt;
    for (const std::string& name : wanted) {
        if (name.empty() || readable_column(call.entity, visible.columns, name)) continue;
        return unknown_column(call.entity, name);
    }
    return std::nullopt;
}

Error no_key(const Call& call, const Visible& visible) {
    std::string keys;
    for (const Key& key : call.entity.keys) {
        if (!is_readable(visible, key)) continue;
        keys += (keys.empty() ? " It has " : ", ") + key_names(call.entity, key);
    }
    if (keys.empty()) keys = " It has none";
    return {
        Code::params_invalid,
        "onConflict must name a unique key of " + std::string(call.entity.name) + '.' + keys + '.',
        "onConflict"};
}

}  // namespace

bool Upsert::in_key(unsigned column) const {
    return std::ranges::any_of(key->columns(), [&](unsigned each) { return each == column; });
}

std::string key_names(const Entity& entity, const Key& key) {
    std::string out;
    for (const std::uint16_t column : key.columns()) {
        out.append(out.empty() ? "" : ",").append(entity.columns[column].name);
    }
    return out;
}

Result<std::optional<Upsert>> read_upsert(const Call& call) {
    const http::QueryParam named = http::query_param(call.exchange.head().query, "onConflict");
    const http::QueryParam how = http::query_param(call.exchange.head().query, "resolution");
    if (!named.found) {
        if (how.found) return bad_params("resolution needs onConflict as well.");
        return std::optional<Upsert>();
    }
    Upsert upsert;
    const std::vector<std::string> wanted = in_order(named.value);
    const Visible visible = call.visible();
    if (auto error = unknown_part(call, visible, wanted)) return *error;
    for (const Key& key : call.entity.keys) {
        const bool named = names_of(call, key) == wanted || is_id(call, wanted);
        if (named && is_readable(visible, key)) upsert.key = &key;
    }
    if (upsert.key == nullptr) return no_key(call, visible);
    if (how.found && how.value != "merge" && how.value != "ignore") {
        return bad_params("resolution must be merge or ignore.");
    }
    if (how.value == "ignore") upsert.resolution = Resolution::ignore;
    const Access& access = call.entity.access;
    const PrincipalSet who = call.caller.principals;
    const bool may =
        access.reads(who) && (upsert.resolution == Resolution::ignore || access.updates(who));
    if (!may) {
        return Error{Code::table_forbidden,
                     "You may not read and change rows of " + std::string(call.entity.name) + '.'};
    }
    return std::optional<Upsert>(upsert);
}

std::optional<Error> check_draft(const Call& call, const Upsert& upsert, const Draft& draft) {
    for (unsigned i = 0; i < call.entity.columns.size(); ++i) {
        const Column& column = call.entity.columns[i];
        const std::string name(column.name);
        if (upsert.in_key(i)) {
            // An unnamed key of an external row is made there, and meets none.
            const bool named = call.entity.external ? draft.given(i) : draft.sent(i);
            if (named || stamped(call.entity, name)) continue;
            return Error{Code::params_invalid, name + " is part of the key, so it is required.",
                         name};
        }
        const bool changes = upsert.resolution == Resolution::merge && draft.sent(i);
        // For an immutable column the database checks whether it would change.
        if (!changes || stamped(call.entity, name) || column.writers.update == kNobody) continue;
        if (!call.caller.is(column.writers.update)) {
            return Error{Code::field_forbidden, "You may not send " + name + '.', name};
        }
    }
    return std::nullopt;
}

}  // namespace svc::data::write
