#include "model/page/block_reader.hpp"

#include <algorithm>

#include "model/names.hpp"

namespace svc::model {

Block BlockReader::read() {
    out_.kind = *base::read_word<BlockKind>(kind_);
    out_.path = in_.path();
    head();
    switch (out_.kind) {
        case BlockKind::list:
        case BlockKind::table:
        case BlockKind::grid:
            rows();
            break;
        case BlockKind::board:
            board();
            break;
        case BlockKind::detail:
            detail();
            break;
        case BlockKind::form:
            form();
            break;
        case BlockKind::metric:
            metric();
            break;
        case BlockKind::chart:
            chart();
            break;
        case BlockKind::actions:
            actions();
            break;
        case BlockKind::pay:
            pay();
            break;
        case BlockKind::auth:
            auth();
            break;
        case BlockKind::upload:
            upload();
            break;
        case BlockKind::search:
            search();
            break;
        case BlockKind::component:
            component();
            break;
        case BlockKind::markdown:
        case BlockKind::chat:
            break;
    }
    return std::move(out_);
}

void BlockReader::head() {
    out_.title = in_.text("title").text;
    out_.text = in_.text("text").text;
    out_.empty = in_.text("empty").text;
    out_.submit = in_.text("submit").text;
    out_.placeholder = in_.text("placeholder").text;
    out_.greeting = in_.text("greeting").text;
    const auto to = in_.maybe_texts("to");
    for (const contract::Text& name : distinct(work_, to.value_or(contract::Texts{}))) {
        if (auto principal = resolve_principal(work_, name)) {
            out_.to.push_back(std::move(*principal));
        }
    }
    if (to && to->empty() && !work_.findings.doubts(in_.path() + "/to")) {
        bad(in_.path() + "/to", "\"to\" is empty, so nobody sees this block.",
            "name principals, or remove \"to\"");
    }
    if (out_.to.empty()) out_.to = page_.to;
}

void BlockReader::bad(const std::string& path, const std::string& message, const std::string& fix) {
    work_.findings.error("BAD_BLOCK", path, message, fix);
}

bool BlockReader::entity() {
    out_.entity = resolve_entity(work_, in_.text("entity"));
    return out_.entity.has_value();
}

bool BlockReader::source() {
    if (const auto name = in_.maybe_text("query")) {
        query_source(*name);
        return out_.query.has_value();
    }
    if (const Value* params = in_.find("params")) {
        bad(params->path, "\"params\" works only with a query.",
            "remove \"params\", or name a query");
    }
    return entity();
}

void BlockReader::only_of_entities(std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
        const Value* value = in_.find(key);
        if (value == nullptr) continue;
        bad(value->path, std::string("\"") + key + "\" works only with an entity.",
            "remove it, and write it in the query's SQL");
    }
}

void BlockReader::columns() {
    for (const contract::Text& name : distinct(work_, in_.texts("fields"))) {
        if (out_.query) {
            out_.query_columns.push_back(name.text);
        } else if (auto column = resolve_column(work_, *out_.entity, name)) {
            out_.fields.push_back(std::move(*column));
        }
    }
}

PageScope BlockReader::scope(bool with_row) const {
    return {work_, page_, with_row ? out_.entity : std::nullopt, with_row && out_.query};
}

// The id of the row that the page shows.
void BlockReader::row_id() {
    if (const auto text = in_.maybe_text("id")) {
        out_.id = read_page_text(scope(false), *text);
        can_be_id(*text);
        return;
    }
    const auto& params = page_.params;
    if (std::find(params.begin(), params.end(), "id") == params.end()) {
        if (work_.findings.doubts(contract::child(page_.path, "route"))) return;
        bad(in_.path(), "This block has no row: it has no \"id\", and the route has no \":id\".",
            "end the page's route with /:id, or add \"id\"");
        return;
    }
    out_.id.push_back({PageTextPart::Kind::route, "id", {}});
}

// Ids are made by the database, so what is known of the caller is never one. Rows of another
// database have the keys that they have there.
void BlockReader::can_be_id(const contract::Text& text) {
    if (!out_.entity || of().external) return;
    const auto of_caller = [](const PageTextPart& part) {
        return part.kind == PageTextPart::Kind::user;
    };
    if (std::none_of(out_.id.begin(), out_.id.end(), of_caller)) return;
    bad(text.path, "\"" + text.text + "\" is no id of a row of \"" + of().name + "\".",
        of().owner.user ? "show the caller's rows in a list whose \"filter\" is {\"field\": "
                          "\"user_id\", \"value\": \"{user.id}\"}, with a \"link\" to this page"
                        : "end the page's route with /:id, and let a list link there");
}

PageText BlockReader::link(const char* key, bool with_row) {
    const auto text = in_.maybe_text(key);
    if (!text) return {};
    const std::size_t before = work_.findings.all().size();
    PageText out = read_page_text(scope(with_row), *text);
    if (work_.findings.all().size() == before) check_link(work_, *text);
    return out;
}

std::optional<Column> BlockReader::column(const char* key) {
    const auto name = in_.maybe_text(key);
    if (!name) return std::nullopt;
    return resolve_column(work_, *out_.entity, *name);
}

FieldType BlockReader::type_of(const Column& column) const {
    return column_type(work_.out, *out_.entity, column);
}

const Field* BlockReader::field_of(const Column& column) const {
    return column.builtin.empty() ? &of().fields[column.field] : nullptr;
}

void BlockReader::count(const char* key, std::uint32_t greatest) {
    const Value* value = in_.find(key);
    if (value == nullptr) return;
    out_.limit = static_cast<std::uint32_t>(std::stoul(value->text));
    if (*out_.limit >= 1 && *out_.limit <= greatest) return;
    bad(value->path,
        std::string("\"") + key + "\" must be from 1 to " + std::to_string(greatest) + ".",
        "choose another number");
}

}  // namespace svc::model
