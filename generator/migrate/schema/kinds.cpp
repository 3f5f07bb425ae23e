#include "migrate/schema/kinds.hpp"

#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <string>

namespace svc::migrate {
namespace {

// In the order of ObjectKind.
constexpr std::string_view kObjects[] = {"function", "trigger", "policy", "grant",      "sequence",
                                         "words",    "foreign", "view",   "constraint", "index",
                                         "table",    "system",  "rights", "default",    "generated",
                                         "not_null", "type"};
static_assert(std::size(kObjects) == static_cast<std::size_t>(ObjectKind::type) + 1);

// In the order of ChangeKind.
constexpr std::string_view kChanges[] = {"create_table",    "enable_row_security",
                                         "retire_table",    "add_column",
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
static_assert(std::size(kChanges) == static_cast<std::size_t>(ChangeKind::drop_constraint) + 1);

struct OfObject {
    ObjectKind object;
    ChangeKind making, dropping;
};
constexpr OfObject kOfObjects[] = {
    {ObjectKind::function, ChangeKind::function, ChangeKind::drop_function},
    {ObjectKind::trigger, ChangeKind::trigger, ChangeKind::drop_trigger},
    {ObjectKind::policy, ChangeKind::policy, ChangeKind::drop_policy},
    {ObjectKind::grant, ChangeKind::grant, ChangeKind::drop_grant},
    {ObjectKind::sequence, ChangeKind::create_sequence, ChangeKind::drop_sequence},
    {ObjectKind::words, ChangeKind::create_words, ChangeKind::drop_words},
    {ObjectKind::view, ChangeKind::create_view, ChangeKind::drop_view},
    {ObjectKind::index, ChangeKind::create_index, ChangeKind::drop_index},
    {ObjectKind::foreign, ChangeKind::create_foreign_table, ChangeKind::drop_foreign},
    {ObjectKind::constraint, ChangeKind::add_constraint, ChangeKind::drop_constraint},
};

const OfObject& of(ObjectKind kind) {
    for (const OfObject& one : kOfObjects)
        if (one.object == kind) return one;
    throw std::logic_error("No statement makes or drops: " + std::string(word(kind)));
}

}  // namespace

std::string_view word(ObjectKind kind) { return kObjects[static_cast<std::size_t>(kind)]; }

std::string_view word(ChangeKind kind) { return kChanges[static_cast<std::size_t>(kind)]; }

std::optional<ObjectKind> object_kind(std::string_view word) {
    for (std::size_t i = 0; i < std::size(kObjects); ++i)
        if (kObjects[i] == word) return static_cast<ObjectKind>(i);
    return std::nullopt;
}

ChangeKind making(ObjectKind kind) { return of(kind).making; }

ChangeKind dropping(ObjectKind kind) { return of(kind).dropping; }

}  // namespace svc::migrate
