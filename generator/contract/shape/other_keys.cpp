#include "contract/shape/other_keys.hpp"

#include <algorithm>

namespace svc::contract {
namespace {

struct KnownKey {
    std::string_view part, theirs, fix;
};

constexpr std::string_view kValues = "write \"type\": \"enum\", \"values\": [\"…\"]";
constexpr std::string_view kRef = "write \"type\": \"ref\", \"to\": \"<entity>\"";
constexpr std::string_view kOwnId = "remove it: every row has an id";

constexpr std::string_view kNoPassword =
    "remove it: seeded accounts have no password; svc sign-in <address> signs in as one";

constexpr KnownKey kKeys[] = {
    {"seeded user", "password", kNoPassword},
    {"seeded user", "role", "write \"persona\""},
    {"seeded user", "id", "write \"_key\": other rows refer to the user by this key"},
    {"field", "notNull", "write \"required\": true"},
    {"field", "not_null", "write \"required\": true"},
    {"field", "nullable", "remove it: a field may be null unless it has \"required\": true"},
    {"field", "optional", "remove it: a field may be null unless it has \"required\": true"},
    {"field", "references", kRef},
    {"field", "foreignKey", kRef},
    {"field", "relation", kRef},
    {"field", "enum", kValues},
    {"field", "options", kValues},
    {"field", "choices", kValues},
    {"field", "maxLength", "write \"max\""},
    {"field", "minLength", "write \"min\""},
    {"field", "length", "write \"max\""},
    {"field", "primaryKey", kOwnId},
    {"field", "primary_key", kOwnId},
    {"field", "regex", "write \"pattern\""},
    {"field", "generated", "write \"computed\": \"<expression>\""},
    {"access block", "select", "did you mean \"read\"?"},
    {"access block", "view", "did you mean \"read\"?"},
    {"access block", "list", "did you mean \"read\"?"},
    {"access block", "insert", "did you mean \"create\"?"},
    {"access block", "remove", "did you mean \"delete\"?"},
    {"access block", "write", "write \"create\", \"update\" and \"delete\" separately"},
    {"access block", "all", "write \"read\", \"create\", \"update\" and \"delete\" separately"},
};

}  // namespace

std::string instead_of_key(std::string_view part, std::string_view key) {
    const auto known = std::ranges::find_if(
        kKeys, [&](const KnownKey& one) { return one.part == part && one.theirs == key; });
    return known == std::end(kKeys) ? std::string() : std::string(known->fix);
}

}  // namespace svc::contract
