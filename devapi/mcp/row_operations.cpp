// Operations on rows, their history and the schema.
#include "mcp/operation_families.hpp"

namespace svc::devapi {
namespace {

constexpr Operation kRowOperations[] = {
    {"query_rows", "Read rows",
     "Rows of a dev table whose columns equal given values, past row-level security.", "POST",
     "/projects/:project/data/query",
     R"("table":{"type":"string"},"where":{"type":"object","description":"columns and their values; all must match"},"limit":{"type":"integer","minimum":1,"maximum":200})",
     R"("table")", true, false},
    {"run_sql", "SQL",
     "Runs statements in one transaction, past row-level security. Rules and triggers apply. "
     "Allowed: SELECT, INSERT, UPDATE, DELETE, MERGE, EXPLAIN; on dev also CREATE TABLE beside the "
     "contract's tables, in a separate call. A write on prod takes a snapshot first.",
     "POST", "/projects/:project/sql",
     R"("sql":{"type":"string","minLength":1,"maxLength":262144},"env":{"type":"string","enum":["dev","prod"],"description":"the environment; the default is dev"})",
     R"("sql")", false, true},
    {"write_rows", "Write rows",
     "Inserts, updates, deletes or restores rows, each one separately, with the app's rules and "
     "change events. Acts as admin past row-level security, or as a persona or an account under "
     "it.",
     "POST", "/projects/:project/rows",
     R"("op":{"type":"string","enum":["insert","update","delete","restore"]},"table":{"type":"string"},"data":{"description":"for insert: an object of columns and values, or a list of such objects"},"id":{"type":"string","description":"for update, delete and restore: the id of the row"},"ids":{"type":"array","items":{"type":"string"}},"patch":{"type":"object","description":"for update: columns and their new values"},"as":{"type":"string","description":"admin, a persona or an account's e-mail address"},"env":{"type":"string","enum":["dev","prod"],"description":"the environment; the default is dev"})",
     R"("op","table")", false, true},
    {"get_history", "History of a row",
     "What happened to a row of a table with audit, latest first: who, when, and the row before "
     "and after. Not limited by policies; includes deleted rows.",
     "GET", "/projects/:project/rows/:table/:row/history",
     R"("limit":{"type":"integer","minimum":1,"maximum":500},"before":{"type":"integer","minimum":1,"description":"next from the previous answer, to get older entries"},"env":{"type":"string","enum":["dev","prod"],"description":"the environment; the default is dev"})",
     "", true, false},
    {"get_schema", "Schema",
     "Tables, keys, indexes, policies, views, functions and triggers of the database, and which of "
     "them are the contract's.",
     "GET", "/projects/:project/schema", kEnv, "", true, false},
    {"list_sign_ins", "Demo sign-ins", "The people and personas that a demo sign-in can act as.",
     "GET", "/projects/:project/sign-in", kNone, "", true, false},
    {"create_sign_in", "Sign-in link",
     "A link that signs in to the preview as a persona or an account. It works once, within 15 "
     "minutes.",
     "POST", "/projects/:project/sign-in",
     R"("as":{"type":"string","description":"a persona, or an account's e-mail address"})",
     R"("as")", false, false},
    {"get_demo", "Demo rows",
     "Whether the rows of dev can be reset to the seeds, and when that last happened.", "GET",
     "/projects/:project/demo-reset", kNone, "", true, false},
    {"reset_demo", "Reset demo rows",
     "Deletes the rows of the contract's tables on dev and creates the rows of the seeds.", "POST",
     "/projects/:project/demo-reset", kNone, "", false, true},
};

}  // namespace

std::span<const Operation> row_operations() { return kRowOperations; }

}  // namespace svc::devapi
