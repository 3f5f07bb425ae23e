// Rows as cards.
#include <algorithm>

#include "page/block.hpp"
#include "page/html/icons.hpp"
#include "page/rows/row_shapes.hpp"
#include "page/value/file.hpp"
#include "page/value/value.hpp"

namespace svc::page {
namespace {

void write_facts(Html& out, const Visit& visit, const Entity& entity, std::size_t lead,
                 const std::vector<std::size_t>& shown, const Json& row) {
    out << "<dl class=\"facts\">";
    for (const std::size_t column : shown) {
        if (column == lead) continue;
        out << "<div><dt>" << table_of(visit, entity).fields[column].label << "</dt><dd>";
        show_value(out, visit, entity, column, row);
        out << "</dd></div>";
    }
    out << "</dl>";
}

// The picture of a field with a file, or with an address.
std::string picture_of(const Visit& visit, const Entity& entity, std::string_view name,
                       const Json& row) {
    const int column = readable(visit, entity, name);
    const bool is_file =
        column >= 0 &&
        table_of(visit, entity).fields[static_cast<std::size_t>(column)].kind == FieldKind::file;
    return is_file ? file_address(visit, name, row) : plain(row.find(name));
}

}  // namespace

void write_card(Html& out, const Visit& visit, const Block& block, const RowsQuery& query,
                const Json& row, const CardPart& part) {
    const Entity& entity = *block.entity;
    const std::size_t lead = lead_column(visit, entity, query.shown);
    const std::string link = link_of(visit, block, row);
    const std::string name = query.shown.empty() ? name_of(visit, table_of(visit, entity), row)
                                                 : lead_words(visit, entity, lead, row);
    out << "<li class=\"card\">";
    if (!block.image.empty()) {
        const std::string image = picture_of(visit, entity, block.image, row);
        // Pictures of other hosts are not fetched: a page shows what is the app's own.
        if (is_local(image)) {
            out << "<img alt=\"\" loading=\"lazy\" src=\"" << image << "\">";
        } else {  // cards of a row begin at the same height
            out << "<div class=\"no-picture\">";
            out.markup(icon(table_of(visit, entity).icon)) << "</div>";
        }
    }
    // Below the block's title, or the page's where the block has none; cards of a board have
    // columns above.
    const bool top = block.title.empty() && block.kind != Block::board;
    out << (top ? Html() << "<h2>" : Html() << "<h3>");
    if (link.empty()) {
        out << shortened(name, kLongestName);
    } else {
        out << "<a class=\"row-link\"";
        if (part.focused) out << " autofocus";
        out.href(link) << ">" << shortened(name, kLongestName) << "</a>";
    }
    out << (top ? Html() << "</h2>" : Html() << "</h3>");
    write_facts(out, visit, entity, lead, query.shown, row);
    out << part.below << "</li>";
}

}  // namespace svc::page
