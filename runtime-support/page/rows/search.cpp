// Block search: words, and the rows of several entities in which they occur.
#include "base/ascii.hpp"
#include "page/block.hpp"
#include "page/html/icons.hpp"
#include "page/value/value.hpp"

namespace svc::page {
namespace {

constexpr std::size_t kWords = 200;

const Entity* entity_named(const Visit& visit, std::string_view name) {
    return visit.app().entity(name);
}

void write_result(Html& out, const Visit& visit, const Entity& entity, const Json& rows) {
    const Table& table = table_of(visit, entity);
    const std::string_view route = row_route(visit, entity);
    out << "<h3>" << table.plural << "</h3><ul class=\"cards lines\">";
    for (const Json& row : rows.items) {
        out << "<li class=\"card\"><h3>";
        const std::string name = shortened(name_of(visit, table, row), kWords);
        const std::string id = plain(row.find("id"));
        if (route.empty() || id.empty()) {
            out << name;
        } else {
            out << "<a class=\"row-link\"";
            out.href(row_address(route, id)) << ">" << name << "</a>";
        }
        out << "</h3></li>";
    }
    out << "</ul>";
}

}  // namespace

Task<> write_search(Visit& visit, const Block& block, std::size_t number, Html& out) {
    const std::string words = shortened(base::trim(visit.asked(number, "q")), kWords);
    open_block(out, "search", block.title, number, Html());
    out << "<form class=\"tools\" method=\"get\" role=\"search\"><label class=\"search-box\"><span "
           "class=\"hidden\">Search</span>";
    out.markup(icon("search")) << "<input type=\"search\"";
    out.attribute("name", member_name(number, "q")).attribute("value", words);
    out.attribute("placeholder", block.placeholder.empty() ? "Search" : block.placeholder)
        << "></label><button class=\"button quiet\">Search</button></form>";
    if (!words.empty()) {
        std::string tables;
        for (const Entity* entity : block.entities)
            tables += (tables.empty() ? "" : ",") + std::string(entity->name);
        Members members;
        members.set("q", words);
        members.set("tables", tables);
        if (block.limit > 0) members.set("limit", std::to_string(block.limit));
        const Answer answer = co_await visit.api.get("/api/v1/search", std::move(members));
        const Json* results = answer.ok() ? answer.body.find("results") : nullptr;
        bool any = false;
        for (const Json& result : results ? results->items : std::vector<Json>{}) {
            const Json* rows = result.find("rows");
            const Entity* entity = entity_named(visit, result.text_of("table"));
            if (!entity || !rows || rows->items.empty()) continue;
            any = true;
            write_result(out, visit, *entity, *rows);
        }
        if (!any) out << "<p class=\"empty\">Nothing was found.</p>";
    }
    close_block(out);
}

}  // namespace svc::page
