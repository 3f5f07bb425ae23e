// Pages and components as their author wrote them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contract/text.hpp"
#include "contract/value.hpp"

namespace svc::contract {

// One of a page's blocks: `kind` is the key that names it. The table of keys says which settings a
// kind has.
struct Block {
    std::string kind;
    Value settings;
};

struct Nav {
    bool hidden = false;  // the value is false
    std::optional<Text> label, icon;
    std::optional<Value> order;
    std::string path;
};

struct Page {
    Text route, title;
    Texts to;
    std::optional<Nav> nav;
    std::vector<Block> body;
    std::optional<Text> component;
    std::string path;
};

struct Component {
    Text name, source;
    std::optional<Value> sample;
};

}  // namespace svc::contract
