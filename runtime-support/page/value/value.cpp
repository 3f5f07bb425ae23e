#include "page/value/value.hpp"

#include <algorithm>

#include "page/value/amount.hpp"
#include "page/value/badge.hpp"
#include "page/value/file.hpp"
#include "page/value/when.hpp"

namespace svc::page {
namespace {

constexpr std::size_t kMostRefs = 16;

const Field& field_of(const Visit& visit, const Entity& entity, std::size_t column) {
    return table_of(visit, entity).fields[column];
}

void nothing(Html& out) { out << "<span class=\"none\">—</span>"; }

// Most texts are short: they are written without a copy.
void show_short(Html& out, std::string_view text, std::size_t characters) {
    if (text.size() <= characters)
        out << text;
    else
        out << shortened(text, characters);
}

void show_ref(Html& out, const Visit& visit, const Field& field, std::size_t column,
              const Json& row) {
    const Json* referred = row.find(ref_member(column));
    if (!field.target || !referred || !referred->is(Json::Kind::object)) return nothing(out);
    const std::string name =
        shortened(name_of(visit, table_of(visit, *field.target), *referred), kLongestName);
    const std::string_view route = row_route(visit, *field.target);
    const std::string& id = plain(referred->find("id"));
    if (route.empty() || id.empty()) {
        out << name;
        return;
    }
    out << "<a";
    out.href(row_address(route, id)) << ">" << name << "</a>";
}

void show_user(Html& out, const Visit& visit, const std::string& id) {
    if (visit.caller.user && visit.caller.user->id == id)
        out << "You";
    else
        out << "<span class=\"quiet\">Somebody else</span>";
}

void show_link(Html& out, std::string_view address, std::string_view text) {
    if (!leads_somewhere(address) || address.starts_with('/')) {
        out << text;
        return;
    }
    out << "<a rel=\"noopener noreferrer nofollow\"";
    out.href(address) << ">" << text << "</a>";
}

std::string without_scheme(const std::string& url) {
    const std::size_t at = url.find("://");
    return at == std::string::npos ? url : url.substr(at + 3);
}

void show_moment(Html& out, const Visit& visit, const std::string& iso) {
    const MomentWords words = moment_words(iso, visit.in.zone.get());
    out << "<time";
    out.attribute("datetime", iso).attribute("title", words.exact)
        << ">" << words.shown << "</time>";
}

void show_tags(Html& out, const Json& value) {
    if (value.items.empty()) return nothing(out);
    for (const Json& item : value.items)
        out << "<span class=\"tag\">" << shortened(plain(&item), kCell) << "</span> ";
}

std::string label_of(const Field& field, std::string_view value) {
    for (const Choice& choice : field.choices)
        if (choice.value == value) return std::string(choice.label);
    return std::string(value);
}

// Something still happens to a row in this state.
bool leads_on(const Lifecycle& lifecycle, std::string_view state) {
    return std::ranges::any_of(lifecycle.transitions, [state](const Transition& move) {
        return std::ranges::find(move.from, state) != move.from.end();
    });
}

// The name of a file would take one more request for each row.
void show_file_link(Html& out, const std::string& address) {
    if (address.empty()) return nothing(out);
    out << "<a";
    out.href(address) << ">Open file</a>";
}

void show_json(Html& out, const Json& value, Room room) {
    if (room == Room::cell)
        out << "<code>" << shortened(value.shown(), kCell) << "</code>";
    else
        out << "<pre>" << value.shown() << "</pre>";
}

void show_scalar(Html& out, const Visit& visit, const Field& field, const std::string& text,
                 Room room) {
    switch (field.kind) {
        case FieldKind::money:
            out << money(text, visit.site().currency, visit.site().digits);
            return;
        case FieldKind::integer:
        case FieldKind::number:
        case FieldKind::decimal:
        case FieldKind::floating:
            out << grouped(text);
            return;
        case FieldKind::boolean:
            out << (text == "true" ? std::string_view("Yes") : std::string_view("No"));
            return;
        case FieldKind::date:
            out << day_words(text);
            return;
        case FieldKind::datetime:
            return show_moment(out, visit, text);
        case FieldKind::email:
            return show_link(out, "mailto:" + text, text);
        case FieldKind::phone:
            return show_link(out, "tel:" + text, text);
        case FieldKind::url:
            return show_link(out, text, shortened(without_scheme(text), kCell));
        case FieldKind::user:
            return show_user(out, visit, text);
        case FieldKind::uuid:
            out << "<code>" << text.substr(0, 8) << "</code>";
            return;
        default:
            if (room == Room::cell)
                show_short(out, text, kCell);
            else
                out << text;
    }
}

}  // namespace

bool is_number(FieldKind kind) {
    return kind == FieldKind::money || kind == FieldKind::integer || kind == FieldKind::number ||
           kind == FieldKind::decimal || kind == FieldKind::floating;
}

std::string ref_member(std::size_t column) { return "ref__" + std::to_string(column); }

void show_value(Html& out, const Visit& visit, const Entity& entity, std::size_t column,
                const Json& row, Room room) {
    const Field& field = field_of(visit, entity, column);
    const Json* value = row.find(entity.columns[column].name);
    if (field.kind == FieldKind::ref) return show_ref(out, visit, field, column, row);
    if (!value || value->is(Json::Kind::null)) return nothing(out);
    if (field.kind == FieldKind::file)
        return show_file_link(out, file_address(visit, entity.columns[column].name, row));
    if (field.kind == FieldKind::tags) return show_tags(out, *value);
    if (field.kind == FieldKind::json) return show_json(out, *value, room);
    const std::string& text = plain(value);
    if (text.empty()) return nothing(out);
    if (field.kind == FieldKind::enumeration) return show_choice(out, visit, entity, column, text);
    show_scalar(out, visit, field, text, room);
}

void show_choice(Html& out, const Visit& visit, const Entity& entity, std::size_t column,
                 std::string_view value) {
    const Lifecycle* lifecycle = entity.lifecycle;
    const bool is_state = lifecycle && lifecycle->field == entity.columns[column].name;
    show_badge(out, value, label_of(field_of(visit, entity, column), value),
               is_state && leads_on(*lifecycle, value));
}

void show_plain(Html& out, const Json* value) {
    if (!value || value->is(Json::Kind::null)) return nothing(out);
    if (value->is(Json::Kind::number))
        out << grouped(value->text);
    else if (value->is(Json::Kind::boolean))
        out << (value->text == "true" ? std::string_view("Yes") : std::string_view("No"));
    else if (value->is(Json::Kind::string))
        show_short(out, value->text, kLongestName);
    else
        show_json(out, *value, Room::cell);
}

std::string value_words(const Visit& visit, const Entity& entity, std::size_t column,
                        const Json* value) {
    const Field& field = field_of(visit, entity, column);
    if (!value || value->is(Json::Kind::null)) return "None";
    const std::string& text = plain(value);
    switch (field.kind) {
        case FieldKind::money:
            return money(text, visit.site().currency, visit.site().digits);
        case FieldKind::enumeration:
            return label_of(field, text);
        case FieldKind::boolean:
            return text == "true" ? "Yes" : "No";
        case FieldKind::date:
            return day_words(text);
        case FieldKind::datetime:
            return text.size() == 10 ? day_words(text) : exact_moment(text, visit.in.zone.get());
        default:
            return is_number(field.kind) ? grouped(text) : text;
    }
}

std::string selection(const Visit& visit, const Entity& entity,
                      const std::vector<std::size_t>& columns) {
    std::string out;
    const auto add = [&out](std::string_view one) {
        if (!out.empty()) out += ',';
        out += one;
    };
    std::size_t refs = 0;
    for (const std::size_t column : columns) {
        if (!may_see(visit, entity, column)) continue;
        add(entity.columns[column].name);
        const Field& field = field_of(visit, entity, column);
        const bool follows = field.kind == FieldKind::ref && field.target && refs < kMostRefs &&
                             (field.target->access.read & visit.caller.principals) != 0;
        if (!follows) continue;
        ++refs;
        std::string referred = "id";
        for (const std::string_view name : name_columns(visit, table_of(visit, *field.target)))
            if (name != "id" && referred.find("," + std::string(name) + ",") == std::string::npos)
                referred += "," + std::string(name);
        add(ref_member(column) + ":" + std::string(entity.columns[column].name) + "(" + referred +
            ")");
    }
    return out;
}

}  // namespace svc::page
