// Checks the parts of statements that add tables: names, types, columns, constraints, expressions.
// Each kind of node has a list of its allowed members, so a member of a later PostgreSQL is refused
// until it is listed.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "query/ddl/ddl.hpp"

namespace svc::query {

class DdlParts {
  public:
    using Json = nlohmann::json;

    explicit DdlParts(const DdlContext& context) : known_(context) {}

    const std::string& refused() const { return refused_; }
    // The first reason counts.
    void refuse(const std::string& why);
    // Refuses members that are not on the list; a place is on every one.
    void only(const Json& node, std::initializer_list<std::string_view> members,
              const std::string& what);

    // Names follow the rules for entities and fields, so that a contract can take over the table.
    void name(const std::string& name);
    // The name of an index or a constraint. The contract derives names in the same namespace.
    void object_name(const std::string& text);
    // [public.]name of a list of String nodes; empty if it is refused.
    std::string plain_name(const Json& list);
    // A table of no entity; with `ours`, one of the contract as well.
    void table(const Json& relation, bool ours = false);
    void no_entity(const std::string& table);
    // PostgreSQL's own types keep their names to themselves.
    void no_builtin(const std::string& name);
    void column(const Json& node);
    void constraint(const Json& node);
    void expression(const Json& value);
    void add_enum(const std::string& name) { known_.enums.insert(name); }
    bool is_enum(const std::string& name) const { return known_.enums.contains(name); }

  private:
    void type(const Json& node);
    void reference(const Json& node);
    bool known(const std::string& kind, const Json& value);
    void node(const std::string& kind, const Json& value);
    void call(const Json& value);
    void symbol(const std::vector<std::string>& name);
    void children(const Json& value);

    DdlContext known_;
    std::string refused_;
};

}  // namespace svc::query
