#include "contract/read/read_pages.hpp"

namespace svc::contract {
namespace {

std::optional<Nav> read_nav(const Reader& page) {
    const Value* value = page.find("nav");
    if (value == nullptr) return std::nullopt;
    const Reader in(*value);
    return Nav{value->is(Value::Kind::boolean), in.maybe_text("label"), in.maybe_text("icon"),
               in.maybe_value("order"), value->path};
}

Page read_page(const Reader& in) {
    Page page;
    page.route = in.text("route");
    page.title = in.text("title");
    page.to = in.texts("to");
    page.nav = read_nav(in);
    for (const Value& item : in.items("body")) {
        const Member& block = item.members.front();  // the shape lets exactly one pass
        page.body.push_back({block.name, block.value});
    }
    page.component = in.maybe_text("component");
    page.path = in.path();
    return page;
}

}  // namespace

std::vector<Page> read_pages(const Reader& contract) {
    std::vector<Page> out;
    for (const Value& item : contract.items("pages")) out.push_back(read_page(Reader(item)));
    return out;
}

std::vector<Component> read_components(const Reader& contract) {
    std::vector<Component> out;
    for (const Value& item : contract.items("components")) {
        const Reader in(item);
        out.push_back({in.text("name"), in.text("source"), in.maybe_value("sample")});
    }
    return out;
}

}  // namespace svc::contract
