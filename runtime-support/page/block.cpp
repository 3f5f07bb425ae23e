#include "page/block.hpp"

#include <algorithm>

#include "base/json_text.hpp"
#include "page/value/value.hpp"

namespace svc::page {
namespace {

bool shown_by_itself(const Block& block, const Field& field, std::string_view name) {
    if (field.made) return name == "created_at";
    if (field.kind == FieldKind::file) return block.kind == Block::detail;
    return field.kind != FieldKind::json;
}

}  // namespace

std::vector<std::size_t> shown_columns(const Visit& visit, const Block& block) {
    const Entity& entity = *block.entity;
    const Table& table = table_of(visit, entity);
    std::vector<std::size_t> out;
    for (const std::string_view name : block.fields)
        if (const int column = readable(visit, entity, name); column >= 0)
            out.push_back(static_cast<std::size_t>(column));
    if (!block.fields.empty()) return out;
    for (std::size_t i = 0; i < entity.columns.size(); ++i)
        if (may_see(visit, entity, i) &&
            shown_by_itself(block, table.fields[i], entity.columns[i].name))
            out.push_back(i);
    return out;
}

std::string filter_json(const Visit& visit, const Block& block, std::string_view more) {
    std::string out;
    const auto begin = [&out] { out += out.empty() ? '[' : ','; };
    for (const Filter& clause : block.filter) {
        begin();
        out += R"({"field":)";
        base::append_json(out, clause.field);
        out += R"(,"op":)";
        base::append_json(out, clause.op);
        if (clause.has_value) out += R"(,"value":)" + filled_json(visit, clause.value);
        out += '}';
    }
    if (!more.empty()) {
        begin();
        out += more;
    }
    if (!out.empty()) out += ']';
    return out;
}

Task<Answer> run_query(Visit& visit, const Block& block) {
    std::string body = R"({"params":{)";
    bool first = true;
    for (const Pair& param : block.params) {
        if (!first) body += ',';
        first = false;
        base::append_json(body, param.name);
        body += ':' + filled_json(visit, param.value);
    }
    body += "}}";
    // It only reads: a page that is opened has no Origin, which a POST with a session needs.
    co_return co_await visit.api.act("/queries/" + std::string(block.query), std::move(body));
}

void open_block(Html& out, std::string_view kind, std::string_view title, std::size_t number,
                const Html& buttons) {
    out << "<section class=\"block " << kind << "\" id=\"b" << number + 1 << "\">";
    if (title.empty() && buttons.empty()) return;
    out << "<header class=\"block-head\"><h2>" << title << "</h2>" << buttons << "</header>";
}

void close_block(Html& out) { out << "</section>"; }

void write_number(Html& out, std::size_t number) {
    out << "<input type=\"hidden\" name=\"_block\"";
    out.attribute("value", std::to_string(number)) << ">";
}

bool has_failed(const Visit& visit, std::size_t number) {
    return visit.problems && visit.problems->block == number;
}

void write_notice(Html& out, std::string_view words) {
    out << "<p class=\"notice red\" role=\"alert\">" << words << "</p>";
}

void write_failure(const Answer& answer, Html& out) {
    if (answer.status == 404 || answer.status == 403) {
        out << "<p class=\"empty\">Nothing to see here for you.</p>";
        return;
    }
    write_notice(out, "This part could not be loaded. Try again in a moment.");
}

Task<> write_block(Visit& visit, const Block& block, std::size_t number, Html& out) {
    if (!visit.sees(block.to)) co_return;
    switch (block.kind) {
        case Block::list:
        case Block::table:
        case Block::grid:
            co_await write_rows(visit, block, number, out);
            break;
        case Block::board:
            co_await write_board(visit, block, number, out);
            break;
        case Block::detail:
            co_await write_detail(visit, block, number, out);
            break;
        case Block::form:
            co_await write_form(visit, block, number, out);
            break;
        case Block::metric:
            if (is_overview(visit, block))
                co_await write_overview(visit, block, out);
            else
                co_await write_metric(visit, block, out);
            break;
        case Block::chart:
            co_await write_chart(visit, block, out);
            break;
        case Block::search:
            co_await write_search(visit, block, number, out);
            break;
        case Block::actions:
            co_await write_actions(visit, block, number, out);
            break;
        case Block::markdown:
            out << "<section class=\"block prose\">";
            out.markup(block.html) << "</section>";
            break;
        case Block::auth:
            break;  // page/account/sign_in.cpp
        case Block::pay:
            co_await write_pay(visit, block, number, out);
            break;
        case Block::upload:
            co_await write_upload(visit, block, number, out);
            break;
        case Block::chat:
            co_await write_chat(visit, block, number, out);
            break;
        case Block::component:
            write_component(visit, block, out);
            break;
    }
}

}  // namespace svc::page
