// Names in SQL and C++ that are derived from the contract's, and the text forms that carry its
// words.
#pragma once

#include <string>
#include <string_view>

#include "diag/finding.hpp"
#include "model/model.hpp"

namespace svc::plan {

inline constexpr std::size_t kMaxName = 63;  // bytes, NAMEDATALEN - 1

// The prefix of the generator's own names in SQL. No entity or field may begin with it, so the
// names cannot collide.
inline const std::string kAlias = "_";

// The name of a query's prepared statement; "_elevated" is added for elevated reading. PostgreSQL
// reads 63 bytes of such a name. A hash distinguishes a/b and a_b, and a prefix that no entity may
// have distinguishes it from statements of entities.
std::string statement_name(std::string_view query);

// An identifier of the contract or one that we derived, quoted only where PostgreSQL needs it.
std::string ident(std::string_view name);
// The name in places where PostgreSQL accepts fewer bare words than for a column: names of types,
// parameters, and columns of a function's result.
std::string quoted(std::string_view name);
// public.product, public."order"
std::string table(std::string_view name);
// Schema of the foreign tables that external entities are read through. No caller's role
// has a right there.
inline const std::string kForeignSchema = "svc_ext";
// The rows of an entity as the owner sees them; for an external entity, without its view.
std::string rows_of(const model::Entity& entity);
// svc_ext_LEGACY: the server of the connection that this secret holds.
std::string server_name(std::string_view secret);
// A text literal of SQL. Words of a contract get into SQL only through this function.
std::string literal(std::string_view text);
// $svc$ … $svc$, with a tag that does not occur in the body.
std::string dollar_quoted(std::string_view body);

// For functions that run with the owner's rights: a caller's search_path must not change what they
// call.
inline constexpr const char* kSafePath = "set search_path = pg_catalog, pg_temp";

// order_line -> OrderLine
std::string pascal_case(std::string_view name);
// The name, with a trailing underscore if it is a keyword of C++.
std::string cpp_identifier(std::string_view name);
// "Corner Shop" -> corner_shop: letters and digits kept, the rest folded; "app" where nothing is
// left.
std::string namespace_name(std::string_view app_name);

// NAME_TOO_LONG where a derived name passes PostgreSQL's 63 bytes, NAME_COLLISION where two derived
// names meet.
void check_names(const model::Model& model, diag::Findings& findings);

}  // namespace svc::plan
