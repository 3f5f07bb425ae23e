// Final names, SQL, policies and routes: everything that emitters print and that a migration brings
// a database to. No later stage makes decisions. Plain data, in an order that depends only on the
// contract.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/service/services.hpp"
#include "plan/database.hpp"
#include "plan/flow/flows.hpp"
#include "plan/page/site.hpp"
#include "plan/queries.hpp"
#include "plan/server.hpp"

namespace svc::plan {

// A value that the contract gives a field, which its pattern must match.
struct PatternValue {
    std::string text, path;
    std::string code, of;  // BAD_DEFAULT, The default of "sku"
};

// A regular expression, and where it stands.
struct Pattern {
    std::string text, path;
    std::vector<PatternValue> values = {};
};

// A rule, and rows of the seeds that it may refuse.
struct SeedRule {
    struct Row {
        std::string sql;   // a sub-select of this one row
        std::string path;  // of what is at fault
    };
    std::string refuse;   // true of "new" where the rule refuses it
    std::string message;  // with … for what the row would say
    std::vector<Row> rows;
};

struct Plan {
    std::string app_name;
    std::string namespace_name;  // corner_shop, in app::
    std::string timezone;
    std::string currency;       // of money, ISO 4217 in lower case
    std::string contract_hash;  // SHA-256 of the contract's text, hex
    std::string visibility;     // contract/visibility.hpp

    std::vector<Table> tables;        // in contract order
    std::vector<External> externals;  // in contract order
    std::vector<Pattern> patterns;    // that PostgreSQL reads only when a row meets them
    std::vector<SeedRule> seed_rules = {};
    std::vector<Routine> routines;  // in the order in which they must be made
    std::vector<SeedUser> seed_users;
    std::vector<SeedRow> seed_rows;  // in an order that satisfies references, where one exists
    bool seeds_unchanged = false;

    std::vector<SignInProvider> providers;
    std::vector<MailText> mails;
    model::Ai ai;
    std::string connectors;  // plan/service/connectors.hpp
    bool password_sign_in = true, magic = true, passkey = true, refuse_common = false;
    ServedFiles files;
    model::Auth::Signup signup = model::Auth::Signup::open;
    bool verify_email = false;
    std::uint32_t min_password = 8, session_idle = 0, session_max = 0;
    std::vector<ServedPersona> personas;
    std::vector<std::string> org_roles;
    std::vector<ServedEntity> entities;
    std::vector<Query> queries;
    Flows flows;
    std::vector<Route> routes;
    std::vector<ServedTopic> topics;
    Site site;
    std::string matrix;  // who may do what to which rows and fields: JSON text of check's exposure
    // Principals by bit, as generated code names them: {"svc::principal::kGuest", …,
    // "to::customer", …}.
    std::vector<std::string> principal_names;

    // Every fixed statement of the server: prepared inside the migration's transaction.
    std::vector<Statement> statements() const;
};

}  // namespace svc::plan
