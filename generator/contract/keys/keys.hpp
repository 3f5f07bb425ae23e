// The one table of the contract's keys: the parser checks by it, and the JSON Schema is made from
// it.
#pragma once

#include <span>
#include <string_view>

namespace svc::contract {

struct Shape;

enum class KeyKind {
    any,
    string,
    identifier,   // [a-z][a-z0-9_]*, at most 48 bytes
    identifiers,  // a list of them
    pascal_name,  // a string: [A-Z][A-Za-z0-9]*, at most 48 bytes
    secret,       // a string: secret: and the name of a secret, [A-Za-z0-9_]*, at most 100 bytes
    expression,   // a string in the expression language
    template_,    // a string with {expression} placeholders
    duration,     // a string: a whole number and s, m, h or d
    size,         // a string: a whole number and KB, MB or GB
    flag,
    number,
    count,   // a whole number from 0
    counts,  // a list of them
    strings,
    string_or_strings,
    string_lists,          // a list of lists of strings
    object,                // of `shape`
    objects,               // a list of them
    object_map,            // names of the author's own to objects of `shape`
    objects_map,           // any texts of the author's own to lists of objects of `shape`
    object_or_false,       // of `shape`, or false
    object_or_flag,        // of `shape`, true or false
    expression_or_object,  // an expression, or an object of `shape`
    expression_map,        // names of the author's own to expressions
    template_map,          // any texts of the author's own to templates
    any_map,
    value,      // any JSON; its strings are templates
    value_map,  // names of the author's own to such values
    templates,  // a template, or a list of them
    grants,     // a principal, or a list of principals and objects of `shape`
    seeds,      // the literal UNCHANGED, or names to lists of objects; of @users of `shape`
};

struct Key {
    std::string_view name;
    KeyKind kind;
    std::string_view what;  // one line for the schema and for readers
    bool required = false;
    const Shape* shape = nullptr;
    std::span<const std::string_view> one_of = {};  // the values that a string may have
    std::span<const std::string_view> beside = {};  // it stands only where one of these keys does
};

// An object whose `key` has this `value` needs the key `needs` as well.
struct Demand {
    std::string_view key, value, needs;
};

struct Shape {
    std::string_view noun;  // "field", as findings call it
    std::span<const Key> keys;
    // Keys of which an object has exactly one: its action or its subject.
    std::span<const std::string_view> one_key_of = {};
    std::span<const Demand> demands = {};

    const Key* find(std::string_view name) const;
};

// The whole contract.
const Shape& contract_shape();

}  // namespace svc::contract
