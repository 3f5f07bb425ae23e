#include "page/form/form.hpp"

#include <algorithm>

#include "page/answer.hpp"
#include "page/block.hpp"
#include "page/form/form_options.hpp"
#include "page/rights.hpp"
#include "page/rows/rows_query.hpp"
#include "page/value/file.hpp"

namespace svc::page {
namespace {

// The values that a form starts with.
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

// Why the form is not for this caller, whatever they would fill in; empty: it is.
Task<std::string> refusal_before(Visit& visit, const Block& block) {
    const Entity& entity = *block.entity;
    if (changes_row(block)) {
        std::string id = filled(visit, block.id, nullptr);
        const Rights rights = co_await rights_on(visit, entity, std::move(id));
        co_return rights.update ? std::string() : forbidden_words(visit, entity, RowAction::change);
    }
    for (const Pair& pair : block.set) {
        std::string above = filled(visit, pair.value.text, nullptr);
        const bool may = co_await may_create_under(visit, entity, pair.name, std::move(above));
        if (!may) co_return "Nothing can be added here right now.";
    }
    co_return std::string();
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

// An input may show less than the value has: a part of a moment, tags whose names have commas, a
// text without the spaces around it. JSON may be deeper than a caller may send. A field that was
// not touched is not sent.
bool is_compared(FieldKind kind) {
    return kind != FieldKind::text && kind != FieldKind::boolean && kind != FieldKind::file;
}

// A file that was taken, while something else in the form was wrong.
std::string kept_file(const Visit& visit, std::string_view name) {
    const SentFile* sent = visit.file("f." + std::string(name));
    if (sent && !sent->id.empty()) return sent->id;
    return std::string(visit.form.text("k." + std::string(name)));
}

// The words that the box for a reference came with; null: the form has no such box yet.
const std::string* words_of(const Visit& visit, const Start& start, const Column& column) {
    return start.again ? visit.form.find("q." + std::string(column.name)) : nullptr;
}

// One row that the words fit is the one that was meant.
void take_options(Input& input, const Choosable& choosable) {
    input.options = &choosable.options;
    if (!choosable.finder) return;
    input.finder = &*choosable.finder;
    if (input.value.empty() && choosable.finder->found == 1)
        input.value = choosable.options.front().first;
}

// Gives whether its rows are found by words.
Task<bool> write_field(Visit& visit, const Block& block, const Start& start, std::size_t column,
                       Html& out) {
    const Entity& entity = *block.entity;
    const Field& field = table_of(visit, entity).fields[column];
    const Column& of = entity.columns[column];
    const std::string_view problem = start.again ? visit.problems->of(of.name) : std::string_view();
    Input input{of, field, value_now(visit, block, start, column), problem,
                must_fill(of, field, changes_row(block))};
    Choosable choosable;
    ShownFile file;
    if (field.kind == FieldKind::file) {
        std::string address = file_address(visit, of.name, start.row);
        file = co_await read_file(visit, std::move(address));
        input.file = &file;
        if (start.again) input.kept = kept_file(visit, of.name);
    }
    if ((field.kind == FieldKind::ref && field.target) || field.kind == FieldKind::user) {
        choosable = co_await read_options(visit, field, input.value, words_of(visit, start, of));
        take_options(input, choosable);
    }
    write_input(out, visit, input);
    if (changes_row(block) && is_compared(field.kind)) {
        const std::string name = "o." + std::string(of.name);
        out << "<input type=\"hidden\"";
        out.attribute("name", name)
                .attribute("value", start.again ? visit.form.text(name) : input.value)
            << ">";
    }
    co_return choosable.finder.has_value();
}

// Enter in an input presses the first button of a form: that is none that only finds rows.
void write_first_button(Html& out, const std::string& label) {
    out << "<button class=\"hidden\" name=\"_do\" value=\"save\" tabindex=\"-1\" "
           "aria-hidden=\"true\">"
        << label << "</button>";
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

void write_buttons(Html& out, const Visit& visit, const Block& block) {
    out << "<div class=\"buttons\"><button class=\"button primary\" name=\"_do\" value=\"save\">"
        << submit_label(visit, block) << "</button>";
    std::string back;
    if (visit.page && visit.page->about)
        back = changes_row(block)
                   ? row_address(row_route(visit, *block.entity), filled(visit, block.id, nullptr))
                   : std::string(list_route(visit, *block.entity));
    if (!back.empty()) {
        out << "<a class=\"button quiet\"";
        out.href(back) << ">Cancel</a>";
    }
    out << "</div>";
}

// The version of the row that the form changes. A form that is shown again keeps its version.
void write_version(Html& out, const Visit& visit, const Start& start) {
    const std::string version =
        start.again ? std::string(visit.form.text("_version")) : start.version;
    if (version.empty()) return;
    out << "<input type=\"hidden\" name=\"_version\"";
    out.attribute("value", version) << ">";
}

}  // namespace

Task<> write_form(Visit& visit, const Block& block, std::size_t number, Html& out) {
    if (!may_save(visit, block)) co_return;
    Start start = co_await read_start(visit, block);
    start.again = has_failed(visit, number);
    open_block(out, "form", block.title, number, Html());
    std::string refused = "This row does not exist, or is not yours to see.";
    if (start.found) refused.clear();
    // Typed text stays in the form.
    if (start.found && !start.again) refused = co_await refusal_before(visit, block);
    if (!refused.empty()) {
        out << "<p class=\"empty\">" << refused << "</p>";
        close_block(out);
        co_return;
    }
    if (start.again && !visit.problems->finds) {
        const std::string& whole = visit.problems->whole;
        write_notice(out, whole.empty() ? "Nothing was saved yet. Correct the marked fields."
                                        : std::string_view(whole));
    }
    const std::vector<std::size_t> columns = asked_columns(visit, block);
    Html fields;
    bool finds = false;
    for (const std::size_t column : columns)
        if (co_await write_field(visit, block, start, column, fields)) finds = true;
    open_form(out, visit, *block.entity, columns);
    if (finds) write_first_button(out, submit_label(visit, block));
    write_number(out, number);
    write_version(out, visit, start);
    out << fields;
    write_buttons(out, visit, block);
    out << "</form>";
    close_block(out);
}

}  // namespace svc::page
