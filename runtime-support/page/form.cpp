#include "page/form.hpp"

#include <algorithm>

#include "page/answer.hpp"
#include "page/block.hpp"
#include "page/file.hpp"
#include "page/rows_query.hpp"
#include "page/value.hpp"

namespace svc::page {
namespace {

constexpr std::size_t kOptions = 200;     // rows that a ref can be chosen from
constexpr std::size_t kOptionName = 200;  // characters of one's name

using Options = std::vector<std::pair<std::string, std::string>>;

// What a form starts with.
struct Start {
    Json row = {};  // an object where a row is changed
    std::string version = {};
    bool found = true;
    bool again = false;  // it was sent, and shows what was typed
};

Task<Start> read_start(Visit& visit, const Block& block) {
    Start out;
    if (!changes_row(block)) co_return out;
    const std::string id = filled(visit, block.id, nullptr);
    Answer answer =
        co_await visit.api.get(rows_path(*block.entity) + "/" + id, Members(), FileLinks::none);
    out.found = answer.ok() && !answer.rows().empty();
    if (out.found) out.row = answer.rows().front();
    out.version = answer.etag;
    co_return out;
}

Task<Options> read_options(Visit& visit, const Field& field, bool& more) {
    Options out;
    const Entity& target = *field.target;
    if (!target.access.reads(visit.caller.principals)) co_return out;
    const Table& table = table_of(visit, target);
    const std::vector<std::string_view> names = name_columns(visit, table);
    std::string select = "id";
    for (const std::string_view name : names)
        if (name != "id") select += "," + std::string(name);
    Members members;
    members.set("select", select);
    members.set("limit", std::to_string(kOptions));
    if (!names.empty() && names.front() != "id")
        members.set("sort", R"({"field":")" + std::string(names.front()) + R"(","dir":"asc"})");
    const Answer answer = co_await visit.api.get(rows_path(target), std::move(members));
    for (const Json& row : answer.rows())
        out.emplace_back(plain(row.find("id")), shortened(name_of(visit, table, row), kOptionName));
    const Json* truncated = answer.body.find("truncated");
    more = truncated && truncated->text == "true";
    co_return out;
}

// The row that is chosen now stands among the options, however many there are.
Task<> add_chosen(Visit& visit, const Field& field, const std::string& id, Options& options) {
    const auto same = [&id](const auto& option) { return option.first == id; };
    if (id.empty() || std::ranges::any_of(options, same)) co_return;
    const Answer answer = co_await visit.api.get(rows_path(*field.target) + "/" + id, Members());
    const bool found = !answer.rows().empty();
    options.emplace_back(
        id, found ? shortened(name_of(visit, table_of(visit, *field.target), answer.rows().front()),
                              kOptionName)
                  : std::string(table_of(visit, *field.target).singular));
}

// The caller themselves, and whoever it is now.
Options people(const Visit& visit, const std::string& now) {
    Options out;
    const std::string own = visit.caller.user ? visit.caller.user->id : std::string();
    if (!own.empty()) out.emplace_back(own, "Me");
    if (!now.empty() && now != own) out.emplace_back(now, "Somebody else");
    return out;
}

std::string value_now(const Visit& visit, const Block& block, const Start& start,
                      std::size_t column) {
    const Entity& entity = *block.entity;
    const std::string name(entity.columns[column].name);
    const Field& field = table_of(visit, entity).fields[column];
    if (start.again) return std::string(visit.form.text("f." + name));
    if (start.row.is(Json::Kind::object)) return input_value(visit, field, start.row.find(name));
    if (const std::string* given = visit.query.find(name)) return *given;
    if (field.kind == FieldKind::boolean) return field.fallback == "true" ? "true" : "";
    if (!field.fallback.empty() && field.kind != FieldKind::json && field.kind != FieldKind::tags) {
        Json fallback;
        fallback.kind = Json::Kind::string;
        fallback.text = field.fallback;
        return input_value(visit, field, &fallback);
    }
    return {};
}

bool must_fill(const Column& column, const Field& field, bool changes) {
    return column.required && field.kind != FieldKind::boolean && (changes || !field.has_default);
}

// What an input shows may be less than there is: a part of a moment, tags whose names have commas,
// a text without the spaces around it. JSON may be deeper than a caller may send. Nothing is sent
// of a field that was not touched.
bool is_compared(FieldKind kind) {
    return kind != FieldKind::text && kind != FieldKind::boolean && kind != FieldKind::file;
}

// A file that was taken, while something else in the form was wrong.
std::string kept_file(const Visit& visit, std::string_view name) {
    const SentFile* sent = visit.file("f." + std::string(name));
    if (sent && !sent->id.empty()) return sent->id;
    return std::string(visit.form.text("k." + std::string(name)));
}

Task<> write_field(Visit& visit, const Block& block, const Start& start, std::size_t column,
                   Html& out) {
    const Entity& entity = *block.entity;
    const Field& field = table_of(visit, entity).fields[column];
    const Column& of = entity.columns[column];
    const std::string_view problem = start.again ? visit.problems->of(of.name) : std::string_view();
    Input input{of, field, value_now(visit, block, start, column), problem,
                must_fill(of, field, changes_row(block))};
    Options options;
    ShownFile file;
    if (field.kind == FieldKind::file) {
        std::string address = file_address(visit, of.name, start.row);
        file = co_await read_file(visit, std::move(address));
        input.file = &file;
        if (start.again) input.kept = kept_file(visit, of.name);
    }
    if (field.kind == FieldKind::ref && field.target) {
        bool more = false;
        options = co_await read_options(visit, field, more);
        input.more_options = more;
        co_await add_chosen(visit, field, input.value, options);
        input.options = &options;
    } else if (field.kind == FieldKind::user) {
        options = people(visit, input.value);
        input.options = &options;
    }
    write_input(out, visit, input);
    if (changes_row(block) && is_compared(field.kind)) {
        const std::string name = "o." + std::string(of.name);
        out << "<input type=\"hidden\"";
        out.attribute("name", name)
                .attribute("value", start.again ? visit.form.text(name) : input.value)
            << ">";
    }
}

// A form with a file is sent as a browser sends files.
void open_form(Html& out, const Visit& visit, const Entity& entity,
               const std::vector<std::size_t>& columns) {
    const auto is_file = [&](std::size_t column) {
        return table_of(visit, entity).fields[column].kind == FieldKind::file;
    };
    out << "<form method=\"post\" class=\"fields\" novalidate";
    if (std::ranges::any_of(columns, is_file)) out << " enctype=\"multipart/form-data\"";
    out << ">";
}

std::string submit_label(const Visit& visit, const Block& block) {
    if (!block.submit.empty()) return std::string(block.submit);
    if (changes_row(block)) return "Save changes";
    return "Create " + lower_first(table_of(visit, *block.entity).singular);
}

bool may_write(const Visit& visit, const Block& block) {
    const Access& access = block.entity->access;
    return changes_row(block) ? access.updates(visit.caller.principals)
                              : access.creates(visit.caller.principals);
}

}  // namespace

Task<> write_form(Visit& visit, const Block& block, std::size_t number, Html& out) {
    if (!may_write(visit, block)) co_return;
    Start start = co_await read_start(visit, block);
    start.again = has_failed(visit, number);
    open_block(out, "form", block.title, number, Html());
    if (!start.found) {
        out << "<p class=\"empty\">This row does not exist, or is not yours to see.</p>";
        close_block(out);
        co_return;
    }
    if (start.again) {
        const std::string& whole = visit.problems->whole;
        write_notice(out, whole.empty() ? "Nothing was saved yet. Look at the marked fields."
                                        : std::string_view(whole));
    }
    const std::vector<std::size_t> columns = asked_columns(visit, block);
    open_form(out, visit, *block.entity, columns);
    write_number(out, number);
    const std::string version =
        start.again ? std::string(visit.form.text("_version")) : start.version;
    if (!version.empty()) {
        out << "<input type=\"hidden\" name=\"_version\"";
        out.attribute("value", version) << ">";
    }
    for (const std::size_t column : columns) co_await write_field(visit, block, start, column, out);
    out << "<div class=\"buttons\"><button class=\"button primary\" name=\"_do\" value=\"save\">"
        << submit_label(visit, block) << "</button>";
    if (visit.page && visit.page->about) {
        const std::string back = changes_row(block) ? row_address(row_route(visit, *block.entity),
                                                                  filled(visit, block.id, nullptr))
                                                    : std::string(list_route(visit, *block.entity));
        if (!back.empty()) {
            out << "<a class=\"button quiet\"";
            out.href(back) << ">Cancel</a>";
        }
    }
    out << "</div></form>";
    close_block(out);
}

bool changes_row(const Block& block) { return !block.id.empty(); }

std::vector<std::size_t> asked_columns(const Visit& visit, const Block& block) {
    const Entity& entity = *block.entity;
    const Table& table = table_of(visit, entity);
    const bool changes = changes_row(block);
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < entity.columns.size(); ++i) {
        const std::string_view name = entity.columns[i].name;
        const bool named =
            block.fields.empty() || std::ranges::find(block.fields, name) != block.fields.end();
        const bool set = std::ranges::find(block.set, name, &Pair::name) != block.set.end();
        // Files belong to accounts: guests upload none.
        const bool takes = table.fields[i].kind != FieldKind::file || visit.signed_in();
        const bool asked = named && !set && !table.fields[i].made && takes &&
                           may_send(visit, entity, i, changes) &&
                           (!changes || may_see(visit, entity, i));
        if (asked) out.push_back(i);
    }
    // In the order that the page gives.
    const auto place = [&](std::size_t column) {
        return std::ranges::find(block.fields, entity.columns[column].name) - block.fields.begin();
    };
    if (!block.fields.empty()) std::ranges::stable_sort(out, {}, place);
    return out;
}

Task<bool> save_form(Visit& visit, const Block& block, std::size_t number) {
    const Entity& entity = *block.entity;
    Problems problems{.block = number};
    if (!may_write(visit, block)) {
        problems.whole = "You are not allowed to do this.";
        visit.problems = std::move(problems);
        co_return false;
    }
    std::string body = read_form(visit, block, problems);
    if (!problems.none()) {
        visit.problems = std::move(problems);
        co_return false;
    }
    const std::string path = rows_path(entity);
    const std::string id = filled(visit, block.id, nullptr);
    const bool changes = changes_row(block);
    const std::string target = changes ? path + "/" + id : path;
    Answer answer;
    if (changes && body == "{}")  // nothing was touched
        answer.status = 200;
    else
        answer = co_await visit.api.send(changes ? "PATCH" : "POST", target, std::move(body),
                                         std::string(visit.form.text("_version")));
    if (!answer.ok()) {
        tell_refusal(visit, entity, answer, problems);
        visit.problems = std::move(problems);
        co_return false;
    }
    const Json* row = answer.rows().empty() ? nullptr : &answer.rows().front();
    const std::string made = changes ? id : row ? plain(row->find("id")) : std::string();
    std::string then = filled(visit, block.then, row, Fill::address);
    const std::string_view route = row_route(visit, entity);
    if (then.empty() && visit.page->about && !made.empty() && !route.empty())
        then = row_address(route, made);
    if (then.empty() && visit.page->about) then = list_route(visit, entity);
    go_on(visit, then, changes ? "saved" : "created");
    co_return true;
}

}  // namespace svc::page
