// The kinds of objects and of changes of a migration. The words are the API's (`plan` of an apply)
// and those that svc.managed and svc.pending keep.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/words.hpp"

namespace svc::migrate {

// The kinds of recorded objects. The last six are facts of a table or of a column.
enum class ObjectKind : std::uint8_t {
    function,
    trigger,
    policy,
    grant,
    sequence,
    words,
    foreign,
    view,
    constraint,
    index,
    table,
    system,
    rights,
    default_value,
    generated,
    not_null,
    type
};

enum class ChangeKind : std::uint8_t {
    create_table,
    enable_row_security,
    retire_table,
    rename_constraint,
    rename_table,
    rename_sequence,
    rename_index,
    add_column,
    rename_column,
    alter_type,
    set_default,
    drop_default,
    set_not_null,
    drop_not_null,
    drop_expression,
    drop_generated,
    function,
    trigger,
    policy,
    grant,
    revoke,
    create_sequence,
    create_words,
    create_view,
    create_index,
    create_foreign_table,
    add_constraint,
    validate_constraint,
    build_index,
    fill_words,
    create_server,
    alter_server,
    drop_server,
    drop_function,
    drop_trigger,
    drop_policy,
    drop_grant,
    drop_sequence,
    drop_words,
    drop_view,
    drop_index,
    drop_foreign,
    drop_constraint
};

// The change that makes an object of this kind, and the one that takes it away. Only of what a
// statement makes, not of facts.
ChangeKind making(ObjectKind kind);
ChangeKind dropping(ObjectKind kind);

}  // namespace svc::migrate

template <>
struct svc::base::Words<svc::migrate::ObjectKind> {
    static constexpr std::array<std::string_view, 17> kAll = {
        "function", "trigger", "policy",     "grant",    "sequence", "words",
        "foreign",  "view",    "constraint", "index",    "table",    "system",
        "rights",   "default", "generated",  "not_null", "type"};
};

template <>
struct svc::base::Words<svc::migrate::ChangeKind> {
    static constexpr std::array<std::string_view, 43> kAll = {
        "create_table",    "enable_row_security",
        "retire_table",    "rename_constraint",
        "rename_table",    "rename_sequence",
        "rename_index",    "add_column",
        "rename_column",   "alter_type",
        "set_default",     "drop_default",
        "set_not_null",    "drop_not_null",
        "drop_expression", "drop_generated",
        "function",        "trigger",
        "policy",          "grant",
        "revoke",          "create_sequence",
        "create_words",    "create_view",
        "create_index",    "create_foreign_table",
        "add_constraint",  "validate_constraint",
        "build_index",     "fill_words",
        "create_server",   "alter_server",
        "drop_server",     "drop_function",
        "drop_trigger",    "drop_policy",
        "drop_grant",      "drop_sequence",
        "drop_words",      "drop_view",
        "drop_index",      "drop_foreign",
        "drop_constraint"};
};
