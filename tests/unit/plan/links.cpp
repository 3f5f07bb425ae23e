// Links of entities: one name, one meaning, the same as in a path of an expression.
#include "plan/served/served.hpp"
#include "unit/model/contract.hpp"

namespace svc::plan {
namespace {

using tests::kShop;
using tests::resolved;

std::string described(const model::Model& model, std::size_t entity) {
    std::string out;
    for (const ServedLink& link : serve_links(model, model.entities[entity])) {
        out += link.name + ' ' + std::string(base::word(link.kind)) + ' ' +
               std::to_string(link.column) + ' ' + link.target + ' ' +
               std::to_string(link.target_column) + '\n';
    }
    return out;
}

TEST(PlanLinks, RefsHaveTwoNamesAndRelationsOne) {
    const model::Model shop = resolved(kShop);
    EXPECT_EQ(described(shop, 0), "parent one 7 product 0\n");
    EXPECT_EQ(described(shop, 1), "lines many 0 order_line 1\n");
    EXPECT_EQ(described(shop, 2),
              "order_id one 1 order 0\norder one 1 order 0\n"
              "product_id one 2 product 0\nproduct one 2 product 0\n");
}

// Paths look for a relation first, then for a field of the very name.
TEST(PlanLinks, ANameMeansWhatItMeansInAPath) {
    const model::Model model = resolved(R"json({"app": {"name": "A"}, "seeds": {},
        "personas": [{"id": "member", "kind": "consumer"}],
        "entities": [{"name": "node", "owner": "none", "access": {"read": "*"},
          "relations": {"under": {"many": "node", "by": "above"}, "next": {"many": "node", "by": "next_id"}},
          "fields": [{"name": "above", "type": "ref", "to": "node"}, {"name": "above_id", "type": "ref", "to": "node"},
                     {"name": "next_id", "type": "ref", "to": "node"}]}]})json");
    EXPECT_EQ(described(model, 0),
              "above one 1 node 0\nabove_id one 2 node 0\nnext_id one 3 node 0\n"
              "under many 0 node 1\nnext many 0 node 3\n");
}

}  // namespace
}  // namespace svc::plan
