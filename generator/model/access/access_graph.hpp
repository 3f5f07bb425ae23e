// The graph of access that depends on other access, over same_as and by can(). It must have no
// circle, and its expansion must stay short. plan/access_sql.cpp expands it.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace svc::model {

inline constexpr std::array<const char*, 4> kAccessWords = {"read", "create", "update", "delete"};

// The grants and denials of one operation on one entity, and the operations whose grants they
// include.
struct AccessNode {
    struct Mention {
        std::size_t node;
        bool by_can;       // else by same_as
        std::string path;  // of what mentions it
    };
    std::size_t entity = 0, operation = 0;  // index in Model::entities; in kAccessWords
    std::vector<Mention> mentions;          // one that is written out twice stands twice
};

// Node 4 * e + o is operation o on entity e.
using AccessGraph = std::vector<AccessNode>;

AccessGraph access_graph(const Model& model);

// Every node after all nodes that it mentions. Nodes in a circle, and nodes that mention them, are
// left out.
std::vector<std::size_t> leaves_first(const AccessGraph& graph);

}  // namespace svc::model
