// One named query as the runtime sees it: constant tables that the generator prints, and one
// function that it specialises (print a row).
#pragma once

#include <cstdint>
#include <string_view>

#include "svc/entity.hpp"
#include "svc/list.hpp"

namespace svc {

// The value of a parameter that a call does not send, in PostgreSQL's text form. Without one: null.
struct Fallback {
    std::uint16_t param;
    std::string_view text;
};

struct Query {
    std::string_view name;  // folders before it, with /
    std::string_view description{};
    List<std::string_view> who;  // may run it, as the contract says: end_user, clerk
    bool writes = false;
    PrincipalSet allow = kNobody;  // callers who may run it; which rows is the policies' business
    bool workflow = false;         // steps may run it
    List<Column> params{};
    List<std::string_view> kinds{};  // their types, as the contract says: email
    List<Fallback> fallbacks{};
    Statement statement;           // parameter number n is $n
    Statement elevated{};          // the same past row-level security; no name: there is none
    std::string_view fields_json;  // the envelope's `fields`

    void (*write_row)(const Row& row, const ColumnSet& visible, Out& out);
};

}  // namespace svc
