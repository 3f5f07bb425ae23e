// Pages and components.
#include "contract/keys/key_shapes.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr std::string_view kBodyOrComponent[] = {"body", "component"};

constexpr Key kNavKeys[] = {
    {"label", string, "label in the menu; default the page's title"},
    {"icon", string, "name of an icon, as docs/contract-pages.md lists them"},
    {"order", count, "position in the menu, lowest first; entries without one come last"},
};
constexpr Shape kNav{"nav entry", kNavKeys};

constexpr Key kPageKeys[] = {
    {"route", string, "address: /orders, or /orders/:id with a parameter", kRequired},
    {"title", string, "heading of the page and title in the browser", kRequired},
    {"to", string_or_strings, "principals that may open the page", kRequired},
    {"nav", object_or_false, "entry in the menu; false: none", kOptional, &kNav},
    {"body", objects, "blocks of the page, from top to bottom", kOptional, &kBlock},
    {"component", string, "component that is the whole page, instead of \"body\""},
};

constexpr Key kComponentKeys[] = {
    {"name", pascal_name, "name of the component and of the source's default export", kRequired},
    {"source", string, "complete TSX file, at most 200000 characters", kRequired},
    {"sample", any_map, "props for a preview"},
};

}  // namespace

constinit const Shape kPage{"page", kPageKeys, kBodyOrComponent};
constinit const Shape kComponent{"component", kComponentKeys};

}  // namespace svc::contract
