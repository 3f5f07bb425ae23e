#include "page/rows/rows_query.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/json_text.hpp"
#include "page/block.hpp"
#include "page/value/amount.hpp"
#include "page/value/value.hpp"

namespace svc::page {
namespace {

constexpr std::size_t kMostSearched = 6;  // columns that the search box looks into

}  // namespace

bool holds_words(FieldKind kind) {
    return kind == FieldKind::string || kind == FieldKind::text || kind == FieldKind::email ||
           kind == FieldKind::slug || kind == FieldKind::sequence || kind == FieldKind::phone;
}

bool is_filter(const Field& field) {
    return field.kind == FieldKind::boolean ||
           (field.kind == FieldKind::enumeration && !field.choices.empty());
}

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

std::string words_clause(const Entity& entity, const std::vector<std::size_t>& columns,
                         std::string_view words) {
    std::string out;
    for (const std::size_t column : columns) {
        out += out.empty() ? R"({"or":[)" : ",";
        out += R"({"field":")" + std::string(entity.columns[column].name) +
               R"(","op":"contains","value":)";
        base::append_json(out, words);
        out += '}';
    }
    return out.empty() ? out : out + "]}";
}

std::string filter_name(const Entity& entity, std::size_t column) {
    return "f." + std::string(entity.columns[column].name);
}

namespace {

constexpr std::size_t kLongestWords = 200;

bool is_value(const Field& field, std::string_view value) {
    if (field.kind == FieldKind::boolean) return value == "true" || value == "false";
    return std::ranges::any_of(field.choices,
                               [value](const Choice& one) { return one.value == value; });
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
    if (!query.words.empty())
        add(words_clause(entity, searched_columns(visit, entity), query.words));
    for (const auto& [column, value] : query.choices)
        add(choice_clause(visit, entity, column, value));
    return out;
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

std::string name_selection(const Visit& visit, const Table& table) {
    std::string out = "id";
    for (const std::string_view name : name_columns(visit, table))
        if (name != "id") out += "," + std::string(name);
    return out;
}

std::string rows_path(const Entity& entity) {
    return (entity.external ? "/api/v1/ext/" : "/api/v1/") + std::string(entity.name);
}

Members rows_members(const Visit& visit, const Block& block, const RowsQuery& query) {
    const Entity& entity = *block.entity;
    std::vector<std::size_t> columns = query.shown;
    const auto need = [&](std::string_view name) { add_readable(visit, entity, name, columns); };
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

std::string count_words(const Answer& answer) {
    const std::string& count = plain(answer.body.find("count"));
    if (!answer.ok() || count.empty()) return {};
    const Json* estimated = answer.body.find("estimated");
    const bool about = estimated && estimated->text == "true";
    return (about ? "about " : "") + grouped(count);
}

std::string in_words(std::string_view name) {
    std::string out(name);
    std::ranges::replace(out, '_', ' ');
    if (!out.empty()) out.front() = base::upper(out.front());
    return out;
}

// Keeps the capitals of an abbreviation.
std::string lower_first(std::string_view text) {
    std::string out(text);
    const bool word = out.size() > 1 && base::is_lower(out[1]);
    if (word) out.front() = base::lower(out.front());
    return out;
}

}  // namespace svc::page
