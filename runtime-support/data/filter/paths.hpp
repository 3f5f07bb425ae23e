// The paths that a filter or a sort may name: columns of the list's entity, and columns of rows
// that its refs lead to (`product_id.title`, `product.title`), over at most three refs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/columns.hpp"
#include "data/ordering.hpp"
#include "data/query_text.hpp"

namespace svc::data::filter {

// The alias of the list's own rows in SQL with joins.
inline constexpr std::string_view kRows = "t";

struct Named {
    const Column* column;
    std::string sql;
    const Ordering* ordering;
    bool own = true;  // of the list's entity
};

// The rows that refs point to, joined as they are named. Each is read as the caller would read it:
// what its table's policy hides from them is null.
class Joins {
  public:
    Joins(const Entity& entity, PrincipalSet principals)
        : entity_(entity), principals_(principals) {}

    // Errors are 400: 42703 where a part is unknown or not the caller's to read, PARAMS_INVALID for
    // a path that leads to many rows or too far.
    Result<Named> find(std::string_view path);

    bool empty() const { return joins_.empty(); }
    // The joins after the list's own rows; empty if no path was named.
    std::string sql() const;

  private:
    struct Join {
        std::string origin;  // SQL of the ref
        const Entity* target;
        std::vector<unsigned> columns;  // of the target, that are asked for
    };

    Result<std::size_t> follow(const Entity& from, std::size_t join, std::string_view name,
                               std::string_view path);
    std::string exposed(std::size_t join, unsigned column);
    std::size_t joined(const std::string& origin, const Entity& target);
    const Column* readable(const Entity& entity, std::string_view name) const;

    const Entity& entity_;
    const PrincipalSet principals_;
    std::vector<Join> joins_;
};

}  // namespace svc::data::filter
