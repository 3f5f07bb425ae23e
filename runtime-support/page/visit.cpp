#include "page/visit.hpp"

#include <algorithm>

#include "base/json_text.hpp"
#include "base/percent.hpp"

namespace svc::page {
namespace {

std::string caller_value(const Visit& visit, std::string_view of) {
    const Caller& caller = visit.caller;
    if (of == "persona") return caller.persona;
    if (of == "org") return caller.org_id.value_or("");
    if (!caller.user) return of == "isAdmin" ? "false" : "";
    if (of == "id") return caller.user->id;
    if (of == "email") return caller.user->email;
    return caller.user->is_admin ? "true" : "false";
}

std::string part_value(const Visit& visit, const Part& part, const Json* row) {
    switch (part.kind) {
        case Part::text:
            return std::string(part.of);
        case Part::row:
            return row ? plain(row->find(part.of)) : std::string();
        case Part::user:
            return caller_value(visit, part.of);
        case Part::route:
            for (const auto& [name, value] : visit.params)
                if (name == part.of) return value;
    }
    return {};
}

bool visible_part(const Visit& visit, const Entity& entity, const Part& part) {
    return part.kind == Part::row && readable(visit, entity, part.of) >= 0;
}

}  // namespace

std::string_view Visit::asked(std::size_t block, std::string_view name) const {
    return query.text(member_name(block, name));
}

void Visit::need_script(std::string_view path) {
    if (!path.empty() && std::ranges::find(scripts, path) == scripts.end()) scripts.push_back(path);
}

std::string Visit::with(std::size_t block, std::string_view name, std::string_view value) const {
    Members changed = query;
    changed.remove("done");
    if (value.empty())
        changed.remove(member_name(block, name));
    else
        changed.set(member_name(block, name), value);
    // Another order or another choice begins at its first page.
    if (name != "cursor") changed.remove(member_name(block, "cursor"));
    const std::string encoded = changed.encoded();
    return place() + (encoded.empty() ? "" : "?" + encoded);
}

const SentFile* Visit::file(std::string_view field) const {
    const auto at = std::ranges::find(files, field, &SentFile::field);
    return at == files.end() ? nullptr : &*at;
}

const Table& table_of(const Visit& visit, const Entity& entity) {
    if (visit.last_table && visit.last_table->entity == &entity) return *visit.last_table;
    for (const Table& table : visit.site().tables) {
        if (table.entity != &entity) continue;
        visit.last_table = &table;
        return table;
    }
    return visit.site().tables.front();  // never reached: the generator prints one for each
}

int readable(const Visit& visit, const Entity& entity, std::string_view name) {
    for (std::size_t i = 0; i < entity.columns.size(); ++i)
        if (entity.columns[i].name == name)
            return may_see(visit, entity, i) ? static_cast<int>(i) : -1;
    return -1;
}

void add_readable(const Visit& visit, const Entity& entity, std::string_view name,
                  std::vector<std::size_t>& columns) {
    const int column = readable(visit, entity, name);
    if (column < 0) return;
    const auto index = static_cast<std::size_t>(column);
    if (std::ranges::find(columns, index) == columns.end()) columns.push_back(index);
}

bool may_see(const Visit& visit, const Entity& entity, std::size_t column) {
    return (entity.columns[column].readers & visit.caller.principals) != 0;
}

bool may_send(const Visit& visit, const Entity& entity, std::size_t column, bool changes) {
    const Column& one = entity.columns[column];
    return ((changes ? one.writers.update : one.writers.create) & visit.caller.principals) != 0;
}

namespace {

// A page that stands there, and that the caller may open.
std::string_view openable(const Visit& visit, std::string_view route, Page::Role role,
                          const Entity& entity) {
    if (route.empty()) return {};
    for (const Page& page : visit.site().pages)
        if (page.about == &entity && page.role == role)
            return visit.sees(page.to) ? route : std::string_view();
    return route;
}

}  // namespace

std::string_view row_route(const Visit& visit, const Entity& entity) {
    return openable(visit, table_of(visit, entity).row_route, Page::row, entity);
}

std::string_view list_route(const Visit& visit, const Entity& entity) {
    return openable(visit, table_of(visit, entity).list_route, Page::rows, entity);
}

std::string_view new_route(const Visit& visit, const Entity& entity) {
    return openable(visit, table_of(visit, entity).new_route, Page::create, entity);
}

std::string_view edit_route(const Visit& visit, const Entity& entity) {
    return openable(visit, table_of(visit, entity).edit_route, Page::change, entity);
}

std::string Visit::place() const {
    std::string out;
    for (std::string_view rest = path(); !rest.empty();) {
        const std::string_view piece = rest.substr(0, rest.find('/'));
        out += base::percent_encoded(piece);
        rest.remove_prefix(piece.size());
        if (rest.empty()) break;
        out += '/';
        rest.remove_prefix(1);
    }
    return out;
}

std::string filled(const Visit& visit, const Text& text, const Json* row, Fill how) {
    std::string out;
    for (const Part& part : text) {
        const std::string value = part_value(visit, part, row);
        const bool encode = how == Fill::address && part.kind != Part::text;
        out += encode ? base::percent_encoded(value) : value;
    }
    return out;
}

std::string filled_json(const Visit& visit, const Value& value) {
    if (value.text.empty()) return std::string(value.json);
    // A placeholder by itself that nothing fills is no text: a caller without an organisation has
    // none.
    std::string text = filled(visit, value.text, nullptr);
    const bool alone = value.text.size() == 1;
    if (text.empty() && alone) return "null";
    if (alone && value.text[0].kind == Part::user && value.text[0].of == "isAdmin") return text;
    std::string out;
    base::append_json(out, text);
    return out;
}

std::vector<std::string_view> name_columns(const Visit& visit, const Table& table) {
    std::vector<std::string_view> out;
    for (const Part& part : table.display)
        if (visible_part(visit, *table.entity, part)) out.push_back(part.of);
    return out;
}

std::string name_of(const Visit& visit, const Table& table, const Json& row) {
    std::string out;
    bool named = false;
    for (const Part& part : table.display) {
        if (part.kind == Part::text) {
            out += part.of;
            continue;
        }
        if (!visible_part(visit, *table.entity, part)) continue;
        const std::string value = plain(row.find(part.of));
        named = named || !value.empty();
        out += value;
    }
    return named ? out : std::string(table.singular);
}

const std::string& plain(const Json* value) {
    static const std::string kNone;
    if (!value) return kNone;
    switch (value->kind) {
        case Json::Kind::string:
        case Json::Kind::number:
        case Json::Kind::boolean:
            return value->text;
        default:
            return kNone;
    }
}

}  // namespace svc::page
