// Pages and components.
#include "contract/key_shapes.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr std::string_view kBodyOrComponent[] = {"body", "component"};

constexpr Key kNavKeys[] = {
    {"label", string, "its name in the menu; the page's title"},
    {"icon", string, "name of an icon: lower-case letters, digits and -"},
    {"order", count, "place in the menu, the least first; after those that have one"},
};
constexpr Shape kNav{"nav entry", kNavKeys};

constexpr Key kPageKeys[] = {
    {"route", string, "its address: /orders, or /orders/:id with a parameter", kRequired},
    {"title", string, "its heading and the browser's title", kRequired},
    {"to", string_or_strings, "principals that may open it", kRequired},
    {"nav", object_or_false, "its entry in the menu; false: none", kOptional, kRuns, &kNav},
    {"body", objects, "what it shows, one block below the other", kOptional, kRuns, &kBlock},
    {"component", string, "component that is the whole page instead"},
};

constexpr Key kComponentKeys[] = {
    {"name", pascal_name, "its name; the source's default export has it", kRequired},
    {"source", string, "a whole TSX file, at most 200000 characters", kRequired},
    {"sample", any_map, "props to try it with"},
};

}  // namespace

constinit const Shape kPage{"page", kPageKeys, kBodyOrComponent};
constinit const Shape kComponent{"component", kComponentKeys};

}  // namespace svc::contract
