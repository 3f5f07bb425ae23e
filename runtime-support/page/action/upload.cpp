// Block upload: one file of a row, to look at, to replace, to take away.
#include <algorithm>

#include "base/json_text.hpp"
#include "page/action/moves.hpp"
#include "page/answer.hpp"
#include "page/block.hpp"
#include "page/form/form.hpp"
#include "page/rights.hpp"
#include "page/rows/rows_query.hpp"

namespace svc::page {
namespace {

struct FileField {
    const Column& column;
    const Field& field;
    std::size_t index;
};

FileField file_field_of(const Visit& visit, const Block& block) {
    const auto& columns = block.entity->columns;
    const auto at = std::ranges::find(columns, block.fields.front(), &Column::name);
    const auto index = static_cast<std::size_t>(at - columns.begin());
    return {columns[index], table_of(visit, *block.entity).fields[index], index};
}

std::string row_path(const Visit& visit, const Block& block) {
    return rows_path(*block.entity) + "/" + filled(visit, block.id, nullptr);
}

bool may_change(const Visit& visit, const Block& block, const FileField& field) {
    return visit.signed_in() && block.entity->access.updates(visit.caller.principals) &&
           may_send(visit, *block.entity, field.index, true);
}

void open_upload(Html& out, std::size_t number, std::string_view encoding) {
    out << "<form method=\"post\"";
    if (!encoding.empty()) out.attribute("enctype", encoding);
    out << ">";
    write_number(out, number);
}

void write_choice(Html& out, const Visit& visit, const FileField& field, std::size_t number,
                  bool stands) {
    const std::string id = "u" + std::to_string(number + 1);
    const bool failed = has_failed(visit, number);
    open_upload(out, number, "multipart/form-data");
    out << "<div class=\"field" << (failed ? std::string_view(" wrong") : std::string_view())
        << "\"><label";
    out.attribute("for", id) << ">"
                             << (stands ? std::string_view("Another file")
                                        : std::string_view("Choose a file"))
                             << "</label><div class=\"beside\"><input type=\"file\" required";
    const std::string accepted = accepted_files(visit.app());
    if (!accepted.empty()) out.attribute("accept", accepted);
    out.attribute("id", id).attribute("name", "f." + std::string(field.column.name));
    out.attribute("aria-describedby", id + "-said");
    if (failed) out << " aria-invalid=\"true\"";
    out << "><button class=\"button " << (stands ? std::string_view("quiet") : "primary")
        << "\" name=\"_do\" value=\"upload\">"
        << (stands ? std::string_view("Replace") : std::string_view("Upload"))
        << "</button></div><p";
    out.attribute("id", id + "-said");
    if (failed)
        out << " class=\"problem\" role=\"alert\">" << visit.problems->whole;
    else
        out << " class=\"hint\">" << file_hint(visit.app());
    out << "</p></div></form>";
}

void write_removal(Html& out, std::size_t number) {
    open_upload(out, number, "");
    out << "<button class=\"button quiet danger-text\" name=\"_do\" value=\"remove\">Remove file"
           "</button></form>";
}

// Deletes a file that nobody would find again. The route keeps a file that the caller does not own,
// or that another row holds.
Task<> forget_file(Visit& visit, const std::string& id) {
    if (!id.empty())
        co_await visit.api.send("DELETE", "/files/" + id, std::string(), std::string());
}

Progress fail(Visit& visit, Problems problems) {
    if (problems.whole.empty() && !problems.fields.empty())
        problems.whole = problems.fields.front().second;
    visit.problems = std::move(problems);
    return Progress::goes_on;
}

}  // namespace

Task<> write_upload(Visit& visit, const Block& block, std::size_t number, Html& out) {
    const FileField field = file_field_of(visit, block);
    const bool sees = may_see(visit, *block.entity, field.index);
    bool changes = may_change(visit, block, field);
    if (!block.entity->access.reads(visit.caller.principals) || (!sees && !changes)) co_return;
    const Answer answer = co_await visit.api.get(row_path(visit, block), Members());
    open_block(out, "upload", block.title.empty() ? field.field.label : block.title, number,
               Html());
    if (answer.rows().empty()) {
        out << "<p class=\"empty\">This row does not exist, or is not yours to see.</p>";
        close_block(out);
        co_return;
    }
    const Json& row = answer.rows().front();
    if (changes) {
        std::string id = filled(visit, block.id, nullptr);
        changes = (co_await rights_on(visit, *block.entity, std::move(id))).update;
    }
    const ShownFile file = co_await read_file(visit, file_address(visit, field.column.name, row));
    const bool stands = !file.address.empty();
    out << "<div class=\"upload-card\">";
    if (stands)
        show_file(out, file);
    else
        out << "<p class=\"quiet\">No file yet.</p>";
    if (changes)
        write_choice(out, visit, field, number, stands);
    else if (has_failed(visit, number))
        write_notice(out, visit.problems->whole);
    if (changes && stands && !field.column.required) write_removal(out, number);
    out << "</div>";
    close_block(out);
}

bool takes_file(const Visit& visit, const Block& block, std::string_view input) {
    const FileField field = file_field_of(visit, block);
    return may_change(visit, block, field) && input == "f." + std::string(field.column.name);
}

Task<Progress> change_file(Visit& visit, const Block& block, std::size_t number) {
    const FileField field = file_field_of(visit, block);
    const bool removes = visit.form.text("_do") == "remove";
    const std::string name(field.column.name);
    const SentFile* sent = visit.file("f." + name);
    Problems problems{.block = number};
    if (!may_change(visit, block, field))
        problems.whole = forbidden_words(visit, *block.entity, RowAction::change);
    else if (!removes && !sent)
        problems.whole = "Choose a file first.";
    else if (!removes && sent->id.empty())
        problems.whole = sent->problem;
    if (!problems.none()) co_return fail(visit, std::move(problems));

    const std::string path = row_path(visit, block);
    const Answer before = co_await visit.api.get(path, Members());
    std::string body = "{";
    base::append_json(body, name);
    body += removes ? ":null}" : ":\"" + sent->id + "\"}";
    const Answer answer = co_await visit.api.send("PATCH", path, std::move(body), std::string());
    if (!answer.ok()) {
        if (!removes) co_await forget_file(visit, sent->id);
        report_refusal(visit, *block.entity, RowAction::change, answer, problems);
        co_return fail(visit, std::move(problems));
    }
    if (!before.rows().empty())
        co_await forget_file(visit, plain(before.rows().front().find(name)));
    go_on(visit, visit.place() + "#b" + std::to_string(number + 1),
          removes ? "removed" : "uploaded");
    co_return Progress::answered;
}

}  // namespace svc::page
