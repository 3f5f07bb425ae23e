// A planned constraint or index, read back from its statement.
#pragma once

#include <string>

namespace svc::migrate {

struct Definition {
    enum class Kind { check, unique, foreign_key, index, other } kind = Kind::other;
    bool unique_index = false;
    std::string columns;    // list inside the parentheses; of a check the condition
    std::string target;     // foreign keys: the table
    std::string condition;  // indexes: after where
};

// `sql` is "alter table … add constraint … …" or "create [unique] index … on … (…)".
Definition definition_of(const std::string& sql);

// "create index concurrently", under another name, so that the table can be written meanwhile.
std::string concurrently(const std::string& create_index, const std::string& name);

}  // namespace svc::migrate
