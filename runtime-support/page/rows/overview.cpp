// A card of the first page: how many rows of an entity there are, and its newest ones.
#include <vector>

#include "page/block.hpp"
#include "page/html/icons.hpp"
#include "page/rows/rows_query.hpp"
#include "page/value/value.hpp"

namespace svc::page {
namespace {

constexpr std::string_view kNewest = "4";
constexpr std::size_t kRowName = 80;  // characters

struct CardColumns {
    int state = -1, made = -1;  // that the caller may read; else -1
};

CardColumns card_columns(const Visit& visit, const Entity& entity) {
    CardColumns out;
    if (entity.lifecycle) out.state = readable(visit, entity, entity.lifecycle->field);
    if (!entity.external) out.made = readable(visit, entity, "created_at");
    return out;
}

// Rows and count are one exchange. Beyond some thousands the count is an estimate: people read a
// first page often, and it must not read whole tables each time.
Members card_members(const Visit& visit, const Entity& entity, const CardColumns& columns) {
    std::vector<std::size_t> asked;
    add_readable(visit, entity, "id", asked);
    for (const std::string_view name : name_columns(visit, table_of(visit, entity)))
        add_readable(visit, entity, name, asked);
    for (const int column : {columns.state, columns.made})
        if (column >= 0)
            add_readable(visit, entity, entity.columns[static_cast<std::size_t>(column)].name,
                         asked);
    Members out;
    out.set("select", selection(visit, entity, asked));
    out.set("limit", kNewest);
    out.set("count", "estimated");
    if (columns.made >= 0) out.set("sort", R"({"field":"created_at","dir":"desc"})");
    return out;
}

void write_name(Html& out, const Visit& visit, const Entity& entity, const Json& row) {
    const std::string name = shortened(name_of(visit, table_of(visit, entity), row), kRowName);
    const std::string& id = plain(row.find("id"));
    const std::string_view route = row_route(visit, entity);
    if (route.empty() || id.empty()) {
        out << "<span class=\"what\">" << name << "</span>";
        return;
    }
    out << "<a class=\"what\"";
    out.href(row_address(route, id)) << ">" << name << "</a>";
}

void write_newest(Html& out, const Visit& visit, const Entity& entity, const CardColumns& columns,
                  const std::vector<Json>& rows) {
    out << "<ul class=\"newest\">";
    for (const Json& row : rows) {
        out << "<li>";
        write_name(out, visit, entity, row);
        for (const int column : {columns.state, columns.made})
            if (column >= 0) show_value(out, visit, entity, static_cast<std::size_t>(column), row);
        out << "</li>";
    }
    out << "</ul>";
}

void write_top(Html& out, const Visit& visit, const Block& block, const Answer& answer) {
    const Table& table = table_of(visit, *block.entity);
    out << "<section class=\"block metric card-of-rows\"><header>";
    out.markup(icon(table.icon)) << "<h2><a";
    out.href(filled(visit, block.link, nullptr, Fill::address))
        << ">" << (block.title.empty() ? table.plural : block.title) << "</a></h2>";
    const std::string count = count_words(answer);
    if (!count.empty()) out << "<p class=\"number\">" << count << "</p>";
    out << "</header>";
}

}  // namespace

bool is_overview(const Visit& visit, const Block& block) {
    return block.kind == Block::metric && visit.page->role == Page::home && block.entity &&
           !block.link.empty();
}

Task<> write_overview(Visit& visit, const Block& block, Html& out) {
    const Entity& entity = *block.entity;
    if (!entity.access.reads(visit.caller.principals)) co_return;
    const CardColumns columns = card_columns(visit, entity);
    const Answer answer =
        co_await visit.api.get(rows_path(entity), card_members(visit, entity, columns));
    write_top(out, visit, block, answer);
    if (!answer.ok()) {
        out << "<p class=\"nothing\">These rows could not be loaded.</p>";
    } else if (answer.rows().empty()) {
        out << "<div class=\"nothing\"><p>No " << lower_first(table_of(visit, entity).plural)
            << " yet.</p>" << create_button(visit, entity, Block(), "quiet") << "</div>";
    } else {
        write_newest(out, visit, entity, columns, answer.rows());
    }
    out << "</section>";
}

}  // namespace svc::page
