// Reads how PostgreSQL resolved a statement, from the text form of trees in its catalogue: every
// function, operator, type and table, whatever the statement called them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace svc::query {

struct Resolved {
    enum class What {
        function,  // called by a name: f(x), x.f, an aggregate, a window
        cast,      // a function that a cast calls
        op,        // an operator
        type,      // of what is computed, cast to or written as a constant
        column,    // the type of a column that is read
        relation,
        node  // a kind of node, in `label`
    };
    What what = What::node;
    std::uint32_t id = 0;
    int at = -1;  // byte of the text that was resolved; -1: no place
    std::string label = {};
};

// Source: PostgreSQL's outfuncs.c, of version 15 on. None if the text is no such tree.
std::optional<std::vector<Resolved>> read_node_tree(std::string_view text);

}  // namespace svc::query
