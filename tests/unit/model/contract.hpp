// Contracts for tests of the generator's front end.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "contract/parse.hpp"
#include "model/resolve.hpp"

namespace svc::tests {

// A shop: customers, clerks and managers; products, orders with lines, notes on nothing.
inline const char* const kShop = R"json({
  "app": {"name": "Shop", "timezone": "Europe/Paris"},
  "personas": [{"id": "customer", "kind": "consumer"}, {"id": "clerk", "kind": "staff"},
               {"id": "manager", "kind": "staff", "extends": ["clerk"]}],
  "entities": [
    {"name": "product", "owner": "none",
     "fields": [{"name": "title", "type": "string"}, {"name": "stock", "type": "integer"},
                {"name": "weight", "type": "decimal"}, {"name": "labels", "type": "tags"},
                {"name": "active", "type": "boolean"}, {"name": "extra", "type": "json"},
                {"name": "parent", "type": "ref", "to": "product"}],
     "access": {"read": "*"}},
    {"name": "order",
     "fields": [{"name": "note", "type": "text"}, {"name": "due", "type": "date"},
                {"name": "placed_at", "type": "datetime"}, {"name": "at", "type": "time"}],
     "relations": {"lines": {"many": "order_line", "by": "order_id"}},
     "lifecycle": {"field": "status", "initial": "draft", "states": ["draft", "placed"],
       "transitions": [{"name": "place", "from": "draft", "to": "placed", "by": "customer",
                        "set": {"placed_at": "now()",
                         "note" : "null", "due" : "'2024-02-29'"
}
}]
}
, "access" : {
    "read" : [ {"to" : "customer", "if" : "user_id == user.id"}, "staff" ],
             "update" : {"to" : "clerk", "fields" : [ "note", "due" ]},
                        "deny" : {
        "update" : [ {"to" : "*", "if" : "status == 'placed'"} ]
    }
}
},
    {"name": "order_line", "owner": "parent:order_id",
     "fields": [{"name": "order_id", "type": "ref", "to": "order", "required": true},
                {"name": "product_id", "type": "ref", "to": "product"},
                {"name": "quantity", "type": "integer", "min": 1, "max": 9}],
     "rules": [{"on": ["create", "update"], "refuse": "new.quantity > new.product.stock",
                "message": "Only {new.product.stock} of {new.product.title} left."}]}
  ]
})json";

inline std::vector<std::string> codes(const diag::Findings& findings) {
    std::vector<std::string> out;
    for (const diag::Finding& finding : findings.all()) out.push_back(finding.code);
    return out;
}

inline model::Model resolved(const std::string& text) {
    const contract::Parsed parsed = contract::parse(text);
    EXPECT_TRUE(parsed.contract) << (parsed.findings.all().empty()
                                         ? ""
                                         : parsed.findings.all()[0].message);
    if (!parsed.contract) return {};
    const model::Resolved out = model::resolve(*parsed.contract);
    EXPECT_TRUE(out.model) << (out.findings.all().empty() ? "" : out.findings.all()[0].message);
    return out.model.value_or(model::Model{});
}

}  // namespace svc::tests
