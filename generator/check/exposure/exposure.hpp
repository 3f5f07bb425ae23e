// The exposure: what every caller may do with the rows and fields of every entity. It is computed
// from the same grants, masks and principals as the policies and the server.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"
#include "check/formula/formula.hpp"
#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::check {

// What a caller may do: with rows, with queries, functions and workflows, and as an account.
enum class Act : std::uint8_t {
    read,
    create,
    update,
    remove,
    transition,
    run_query,
    run_function,
    sign_up,
    second_factor,
    seed
};

struct Doing {
    Act act = Act::read;
    std::string transition = {};  // its name

    bool operator==(const Doing&) const = default;
    std::string words() const;  // "read", "transition place", "run query"
};

struct FieldAccess {
    std::string name;
    Formula where;  // the rows; those of its cell where nothing narrows the field further
};

// The rows and fields that one caller reaches by one operation. Update, delete and transitions
// reach only rows that the caller also reads, and the condition says so.
struct Cell {
    Doing operation;  // with rows
    Formula rows;
    // same_as: the rows that decide, nearest first: "order_id (update of order)".
    std::vector<std::string> follows;
    std::vector<FieldAccess> fields;  // seen, sent or changed; none for delete and transitions
    std::string effect;               // of a transition: "to placed, sets placed_at = now()"
    // The meaning of the names in its conditions: "doc.ok" is "n > 1", "doc.team_id" is "a row of
    // team".
    std::map<std::string, std::string> meaning;
};

struct Caller {
    enum class Kind : std::uint8_t { guest, consumer, staff, org_role, member, server };

    std::string name;  // guest, a persona, org:<role>, "<persona> as org:<role>", server
    Kind kind = Kind::guest;
    std::vector<std::string> extends;  // personas; of a member also their persona and role
    std::string persona;               // of a member
};

struct EntityExposure {
    std::string name;
    std::vector<std::string> fields;  // every column, in their order
    // The cells of each caller, in the order of Exposure::callers. Members have cells only if the
    // entity names roles; without cells, those of the persona hold.
    std::vector<std::vector<Cell>> cells;
};

// A query, function or workflow, which callers run by its name.
struct RunExposure {
    enum class Kind : std::uint8_t { query, function };

    Kind kind;
    std::string name;
    std::vector<std::string> callers;  // of Exposure::callers, those who may
    bool steps = false;                // of a query: steps may as well
    std::string sql = {};              // of a query
};

// Whether a stranger may become a persona. The narrowest value comes first.
enum class Admission : std::uint8_t { may_not, by_invitation, may };

struct PersonaExposure {
    std::string name;
    Admission signup = Admission::may_not;
    bool second_factor = false;
};

// An account of the seeds. Only administrators and staff are shown.
struct SeededAccount {
    std::string email, persona;
    std::vector<std::string> acts_as;  // the persona, and what it extends
    bool admin = false, staff = false;
};

struct AccountExposure {
    std::vector<PersonaExposure> personas;
    std::vector<SeededAccount> seeded;  // none if the seeds are UNCHANGED
};

struct Exposure {
    std::vector<Caller> callers;
    std::vector<EntityExposure> entities;  // in contract order
    std::vector<RunExposure> runs;         // queries, then functions
    AccountExposure accounts = {};
};

// `plan` is the model's own.
Exposure exposure(const model::Model& model, const plan::Plan& plan);

// "no rows", "all rows", "rows where status == 'draft'".
std::string rows_text(const Formula& rows);
// "clerk (staff), administrator"
std::string seeded_text(const SeededAccount& account);
// The exposure as text: one line for each caller and operation. Callers with the same rights share
// a line.
std::string table_text(const Exposure& exposure);
// One line: what callers who are not signed in may do.
std::string summary_text(const Exposure& exposure);
// Everything except accounts, as JSON text, for the app's OpenAPI document, which everybody may
// read.
std::string json_text(const Exposure& exposure);
// Everything, for the app's developers. docs/http/developer.md shows an example.
std::string matrix_text(const Exposure& exposure);

}  // namespace svc::check

template <>
struct svc::base::Words<svc::check::Caller::Kind> {
    static constexpr std::array<std::string_view, 6> kAll = {"guest",    "consumer", "staff",
                                                             "org role", "member",   "server"};
};

template <>
struct svc::base::Words<svc::check::RunExposure::Kind> {
    static constexpr std::array<std::string_view, 2> kAll = {"query", "function"};
};

template <>
struct svc::base::Words<svc::check::Admission> {
    static constexpr std::array<std::string_view, 3> kAll = {"may not", "by invitation", "may"};
};

template <>
struct svc::base::Words<svc::check::Act> {
    static constexpr std::array<std::string_view, 10> kAll = {
        "read",      "create",       "update",  "delete",        "transition",
        "run query", "run function", "sign up", "second factor", "seed"};
};
