// Versions of rows as entity tags (RFC 9110, 8.8.3), and the conditions of requests on them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/columns.hpp"
#include "data/query_text.hpp"
#include "data/select/selection.hpp"
#include "http/exchange.hpp"
#include "svc/app.hpp"

namespace svc::data {

// The version of a row: the transaction that wrote it and the time, or a hash of an external row.
// `row` comes from a statement that gives xmin, or the hash, after the entity's columns.
// row_version() of generator/plan gives the same version in SQL.
std::string row_version(const Entity& entity, const Row& row);

// The columns of the row that the version needs. The statement's xmin or hash comes after the
// entity's columns.
select::KeptColumns kept_for_version(const Entity& entity);

// The version, and beside it what else makes the bytes of the answer: the contract, the columns
// that this caller sees, and the form that was asked for, if it is not the usual one. With its
// quotes.
std::string entity_tag(std::string_view version, const App& app, const Visible& visible,
                       std::string_view form = {});

// The condition of If-Match.
struct Precondition {
    bool given = false;
    // The versions that fit, in PostgreSQL's text form of an array; none: any version does.
    std::optional<std::string> versions = {};

    bool fits(std::string_view version) const;
};
// 400 if the header is neither * nor tags in quotes. Tags that no server of this API made match
// no version.
Result<Precondition> if_match(const http::Head& head);

// True if If-None-Match names this tag, by weak comparison. * names every tag.
bool none_match_names(const http::Head& head, std::string_view tag);

}  // namespace svc::data
