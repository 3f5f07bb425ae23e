// JSON as its author wrote it: members in order, numbers with every digit, each value with its
// place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_text.hpp"
#include "diag/finding.hpp"

namespace svc::contract {

struct Member;

struct Value {
    enum class Kind { null, boolean, number, string, array, object };

    Kind kind = Kind::null;
    std::string text;  // string: its characters; number: as written; boolean: true or false
    std::vector<Value> items;
    std::vector<Member> members;
    std::string path;  // JSON pointer

    // The member of an object with that name, or null.
    const Value* find(std::string_view name) const;
    bool is(Kind wanted) const { return kind == wanted; }
};

struct Member {
    std::string name;
    Value value;
};

// Nothing if the text is not JSON (finding SYNTAX). A repeated member is the finding
// DUPLICATE_KEY; the first one is kept.
std::optional<Value> read_json(std::string_view text, diag::Findings& findings);

// Compact JSON text of a value.
std::string json_text(const Value& value);

// A string as a JSON literal.
using base::json_string;

// For findings about a member's name instead of its value, until they are located.
inline std::string name_of(const std::string& path) { return path + "#key"; }

// The path of a member; the name is escaped as in JSON pointers.
std::string child(const std::string& path, std::string_view name);
std::string child(const std::string& path, std::size_t index);

}  // namespace svc::contract
