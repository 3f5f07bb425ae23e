// Checks a value against the table of keys.
#pragma once

#include "contract/keys/keys.hpp"
#include "contract/value.hpp"

namespace svc::contract {

// Findings UNKNOWN_KEY, MISSING_KEY, CONFLICTING_KEYS, WRONG_TYPE, UNKNOWN_VALUE, BAD_NAME,
// BAD_SECRET, of the whole tree below `object`. Faulty parts are removed, so that the rest can be
// read; their names and paths are in doubt from then on. Items keep their paths. Returns false if
// the object itself is useless.
bool check_shape(Value& object, const Shape& shape, diag::Findings& findings);

// [a-z][a-z0-9_]*, at most 48 bytes.
bool is_identifier(std::string_view name);
// [A-Z][A-Za-z0-9]*, at most 48 bytes.
bool is_pascal_name(std::string_view name);

constexpr std::string_view kSecretPrefix = "secret:";
// secret: and [A-Za-z0-9_]+, at most 100 bytes of it.
bool is_secret(std::string_view text);

}  // namespace svc::contract
