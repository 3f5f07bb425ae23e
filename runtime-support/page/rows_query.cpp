#include "page/rows_query.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/json_text.hpp"
#include "page/block.hpp"
#include "page/icons.hpp"
#include "page/value.hpp"

namespace svc::page {
namespace {

constexpr std::size_t kLongestWords = 200;
constexpr std::size_t kMostSearched = 6;  // columns that the search box looks into

bool is_filter(const Field& field) {
    return field.kind == FieldKind::boolean ||
           (field.kind == FieldKind::enumeration && !field.choices.empty());
}

bool is_value(const Field& field, std::string_view value) {
    if (field.kind == FieldKind::boolean) return value == "true" || value == "false";
    return std::ranges::any_of(field.choices,
                               [value](const Choice& one) { return one.value == value; });
}

bool holds_words(FieldKind kind) {
    return kind == FieldKind::string || kind == FieldKind::text || kind == FieldKind::email ||
           kind == FieldKind::slug || kind == FieldKind::sequence || kind == FieldKind::phone;
}

// Those of full-text search first: its author says that they are what people look for.
std::vector<std::size_t> searched_columns(const Visit& visit, const Entity& entity) {
    std::vector<std::size_t> out;
    const auto add = [&](std::size_t column) {
        const bool fits = may_see(visit, entity, column) && out.size() < kMostSearched &&
                          std::ranges::find(out, column) == out.end() &&
                          holds_words(table_of(visit, entity).fields[column].kind);
        if (fits) out.push_back(column);
    };
    if (entity.search)
        for (const SearchField& field : entity.search->fields) add(field.column);
    for (std::size_t i = 0; i < entity.columns.size(); ++i) add(i);
    return out;
}

std::string words_clause(const Visit& visit, const Entity& entity, const std::string& words) {
    std::string out;
    for (const std::size_t column : searched_columns(visit, entity)) {
        out += out.empty() ? R"({"or":[)" : ",";
        out += R"({"field":")" + std::string(entity.columns[column].name) +
               R"(","op":"contains","value":)";
        base::append_json(out, words);
        out += '}';
    }
    return out.empty() ? out : out + "]}";
}

std::string choice_clause(const Visit& visit, const Entity& entity, std::size_t column,
                          const std::string& value) {
    std::string out =
        R"({"field":")" + std::string(entity.columns[column].name) + R"(","op":"eq","value":)";
    if (table_of(visit, entity).fields[column].kind == FieldKind::boolean)
        out += value;
    else
        base::append_json(out, value);
    return out + '}';
}

std::string asked_filter(const Visit& visit, const Entity& entity, const RowsQuery& query) {
    std::string out;
    const auto add = [&out](const std::string& clause) {
        if (clause.empty()) return;
        if (!out.empty()) out += ',';
        out += clause;
    };
    if (!query.words.empty()) add(words_clause(visit, entity, query.words));
    for (const auto& [column, value] : query.choices)
        add(choice_clause(visit, entity, column, value));
    return out;
}

std::string filter_name(const Entity& entity, std::size_t column) {
    return "f." + std::string(entity.columns[column].name);
}

void read_order(const Visit& visit, const Block& block, std::size_t number, RowsQuery& out) {
    const Entity& entity = *block.entity;
    out.sort = block.sort;
    out.descending = block.descending;
    std::string_view asked = visit.asked(number, "sort");
    const bool descending = asked.starts_with('-');
    if (descending) asked.remove_prefix(1);
    const int column = readable(visit, entity, asked);
    const bool fits =
        column >= 0 &&
        sortable(table_of(visit, entity).fields[static_cast<std::size_t>(column)].kind);
    if (!fits) return;
    out.sort = asked;
    out.descending = descending;
    out.sorted_by_visitor = true;
}

// Other members of the query that a form of this block would lose.
void keep_members(Html& out, const Visit& visit, std::size_t number) {
    const std::string own = member_name(number, "");
    for (const auto& [name, value] : visit.query.all()) {
        const bool replaced = name == own + "q" || name == own + "cursor" ||
                              name.starts_with(own + "f.") || name == "done";
        if (replaced) continue;
        out << "<input type=\"hidden\"";
        out.attribute("name", name).attribute("value", value) << ">";
    }
}

void write_choice(Html& out, const Visit& visit, std::size_t number, const Entity& entity,
                  std::size_t column, const RowsQuery& query) {
    const Field& field = table_of(visit, entity).fields[column];
    const std::string name = member_name(number, filter_name(entity, column));
    const auto chosen =
        std::ranges::find(query.choices, column, &std::pair<std::size_t, std::string>::first);
    const std::string value = chosen == query.choices.end() ? std::string() : chosen->second;
    const auto option = [&](std::string_view of, std::string_view label) {
        out << "<option";
        out.attribute("value", of);
        if (of == value) out << " selected";
        out << ">" << label << "</option>";
    };
    out << "<label class=\"filter\"><span>" << field.label << "</span><select";
    out.attribute("name", name) << ">";
    option("", "All");
    if (field.kind == FieldKind::boolean) {
        option("true", "Yes");
        option("false", "No");
    }
    for (const Choice& choice : field.choices) option(choice.value, choice.label);
    out << "</select></label>";
}

}  // namespace

void RowsQuery::forget() {
    words.clear();
    choices.clear();
    cursor.clear();
    if (sorted_by_visitor) sort.clear();
    sorted_by_visitor = false;
}

bool sortable(FieldKind kind) {
    return kind != FieldKind::json && kind != FieldKind::tags && kind != FieldKind::file &&
           kind != FieldKind::user && kind != FieldKind::ref && kind != FieldKind::uuid;
}

RowsQuery read_rows_query(const Visit& visit, const Block& block, std::size_t number) {
    const Entity& entity = *block.entity;
    RowsQuery out;
    out.shown = shown_columns(visit, block);
    read_order(visit, block, number, out);
    out.cursor = visit.asked(number, "cursor");
    if (!block.tools) return out;
    out.words = shortened(base::trim(visit.asked(number, "q")), kLongestWords);
    for (std::size_t i = 0; i < entity.columns.size(); ++i) {
        const Field& field = table_of(visit, entity).fields[i];
        if (!is_filter(field) || !may_see(visit, entity, i)) continue;
        const std::string_view value = visit.asked(number, filter_name(entity, i));
        if (is_value(field, value)) out.choices.emplace_back(i, value);
    }
    return out;
}

std::string rows_path(const Entity& entity) {
    return (entity.external ? "/api/v1/ext/" : "/api/v1/") + std::string(entity.name);
}

Members rows_members(const Visit& visit, const Block& block, const RowsQuery& query) {
    const Entity& entity = *block.entity;
    std::vector<std::size_t> columns = query.shown;
    const auto need = [&](std::string_view name) {
        const int column = readable(visit, entity, name);
        if (column < 0) return;
        const auto index = static_cast<std::size_t>(column);
        if (std::ranges::find(columns, index) == columns.end()) columns.push_back(index);
    };
    need("id");
    for (const std::string_view name : name_columns(visit, table_of(visit, entity))) need(name);
    for (const Part& part : block.link)
        if (part.kind == Part::row) need(part.of);
    if (!block.image.empty()) need(block.image);
    if (query.also) need(entity.columns[*query.also].name);

    Members out;
    out.set("select", selection(visit, entity, columns));
    if (block.limit > 0) out.set("limit", std::to_string(block.limit));
    if (!query.sort.empty())
        out.set("sort", R"({"field":")" + query.sort + R"(","dir":")" +
                            (query.descending ? "desc" : "asc") + "\"}");
    const std::string filter = filter_json(visit, block, asked_filter(visit, entity, query));
    if (!filter.empty()) out.set("filter", filter);
    out.set("cursor", query.cursor);
    return out;
}

void write_tools(Html& out, const Visit& visit, const Block& block, std::size_t number,
                 const RowsQuery& query) {
    const Entity& entity = *block.entity;
    std::vector<std::size_t> filters;
    for (std::size_t i = 0; i < entity.columns.size(); ++i)
        if (may_see(visit, entity, i) && is_filter(table_of(visit, entity).fields[i]))
            filters.push_back(i);
    const bool searches = !searched_columns(visit, entity).empty();
    if (!searches && filters.empty()) return;
    out << "<form class=\"tools\" method=\"get\" role=\"search\">";
    keep_members(out, visit, number);
    if (searches) {
        out << "<label class=\"search-box\"><span class=\"hidden\">Search</span>";
        out.markup(icon("search")) << "<input type=\"search\" placeholder=\"Search\"";
        out.attribute("name", member_name(number, "q")).attribute("value", query.words) << ">";
        out << "</label>";
    }
    for (const std::size_t column : filters)
        write_choice(out, visit, number, entity, column, query);
    out << "<button class=\"button quiet\">Show</button>";
    if (query.narrowed()) {
        out << "<a class=\"clear\"";
        out.href(visit.place()) << ">Clear</a>";
    }
    out << "</form>";
}

Html create_button(const Visit& visit, const Entity& entity, const Block& block,
                   std::string_view look) {
    Html out;
    const Table& table = table_of(visit, entity);
    if (table.new_route.empty() || !entity.access.creates(visit.caller.principals)) return out;
    std::string address(table.new_route);
    if (!block.parent.empty()) {
        Members given;
        for (const auto& [name, value] : visit.params) given.set(block.parent, value);
        if (!visit.params.empty()) address += "?" + given.encoded();
    }
    out << "<a class=\"button " << look << "\"";
    out.href(address) << ">";
    out.markup(icon("plus")) << "New " << lower_first(table.singular) << "</a>";
    return out;
}

std::string lead_words(const Visit& visit, const Entity& entity, std::size_t column,
                       const Json& row) {
    const Field& field = table_of(visit, entity).fields[column];
    if (field.kind == FieldKind::ref && field.target) {
        const Json* behind = row.find(ref_member(column));
        if (behind && behind->is(Json::Kind::object))
            return shortened(name_of(visit, table_of(visit, *field.target), *behind), kLongestName);
        return std::string(table_of(visit, entity).singular);
    }
    const Json* value = row.find(entity.columns[column].name);
    if (plain(value).empty()) return std::string(table_of(visit, entity).singular);
    return shortened(value_words(visit, entity, column, value), kLongestName);
}

std::string in_words(std::string_view name) {
    std::string out(name);
    std::ranges::replace(out, '_', ' ');
    if (!out.empty()) out.front() = base::upper(out.front());
    return out;
}

// Of an abbreviation nothing is made smaller.
std::string lower_first(std::string_view text) {
    std::string out(text);
    const bool word = out.size() > 1 && base::is_lower(out[1]);
    if (word) out.front() = base::lower(out.front());
    return out;
}

}  // namespace svc::page
