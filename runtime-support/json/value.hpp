// A JSON value as a tree, for the few places where shape is not known beforehand: filters,
// settings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace svc::json {

struct Value {
    enum class Kind { null, boolean, number, string, array, object };
    struct Member;

    Kind kind = Kind::null;
    std::string text;  // of a string, unescaped; of a number, as sent; of a boolean, true or false
    std::vector<Value> items;
    std::vector<Member> members;  // in their order

    bool is(Kind other) const { return kind == other; }
    const Value* find(std::string_view name) const;    // null if there is none
    std::string text_of(std::string_view name) const;  // of a member that is a string, else empty
    std::string shown() const;                         // as JSON again, for messages
};

struct Value::Member {
    std::string name;
    Value value;
};

struct Parsed {
    Value value;
    std::string error;  // empty: parsed
    bool nul = false;   // a text holds U+0000, which PostgreSQL cannot store
};
// Strict, like JsonReader: no member twice, no text after the value.
Parsed parse(std::string_view text);

}  // namespace svc::json
