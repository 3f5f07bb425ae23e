// The body of a create or an update: decoded, and checked against who may send what.
#pragma once

#include <optional>
#include <vector>

#include "data/call.hpp"
#include "json/json_reader.hpp"

namespace svc::data::write {

enum class Write { create, update };

// Fills `values`; an error where the body is wrong or holds what the caller may not send.
std::optional<Error> read_body(const Call& call, Write write, json::Values& values);
// Reads the body of an external row.
std::optional<Error> read_row(const Call& call, Write write, std::string_view text,
                              json::Values& values);

// The parameters of Entity::create or ::update, in the order of `binds`. Views into `values`,
// `call` and `id`.
std::vector<db::Param> bind_values(const Call& call, std::span<const Bind> binds,
                                   const json::Values& values, std::string_view id);

// Is it an owner column, which the server writes?
bool stamped(const Entity& entity, std::string_view column);

Error mistake_error(const json::JsonReader::Mistake& mistake);

}  // namespace svc::data::write
