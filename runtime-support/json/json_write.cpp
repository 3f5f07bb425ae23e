#include <libpq-fe.h>

#include "base/ascii.hpp"
#include "base/json_text.hpp"
#include "json/escape.hpp"
#include "json/formats.hpp"
#include "svc/json.hpp"

namespace svc {

namespace {

// Appends the key, and null if the column is null. True when its value must follow, which is then
// in `text`. Most values have bytes, so PostgreSQL's null is seldom asked for.
bool begin(Out& out, std::string_view key, const Row& row, int column, std::string_view& text) {
    out += key;
    text = row.text(column);
    if (!text.empty() || !row.null(column)) return true;
    out += "null";
    return false;
}

}  // namespace

bool Row::null(int column) const {
    return PQgetisnull(static_cast<const PGresult*>(result_), index_, column) != 0;
}

std::uint32_t Row::type(int column) const {
    return PQftype(static_cast<const PGresult*>(result_), column);
}

std::string_view Row::text(int column) const {
    const auto* result = static_cast<const PGresult*>(result_);
    return {PQgetvalue(result, index_, column),
            static_cast<std::size_t>(PQgetlength(result, index_, column))};
}

void write_text(Out& out, std::string_view key, const Row& row, int column) {
    std::string_view text;
    if (begin(out, key, row, column, text)) base::append_json_utf8(out, text);
}

void write_plain(Out& out, std::string_view key, const Row& row, int column) {
    std::string_view text;
    if (!begin(out, key, row, column, text)) return;
    out += '"';
    out += text;
    out += '"';
}

// Whole numbers of 8, 2 and 4 bytes by their oids; the others are texts.
void write_key(Out& out, std::string_view key, const Row& row, int column) {
    const Oid type = row.type(column);
    if (type == 20 || type == 21 || type == 23) return write_number(out, key, row, column);
    write_text(out, key, row, column);
}

void write_number(Out& out, std::string_view key, const Row& row, int column) {
    std::string_view text;
    if (begin(out, key, row, column, text)) out += text;
}

// NaN and the infinities end with a letter, and JSON has no number for them.
void write_decimal(Out& out, std::string_view key, const Row& row, int column) {
    std::string_view text;
    if (!begin(out, key, row, column, text)) return;
    const bool number = !text.empty() && base::is_digit(text.back());
    out += number ? text : "null";
}

void write_boolean(Out& out, std::string_view key, const Row& row, int column) {
    std::string_view text;
    if (begin(out, key, row, column, text)) out += text.starts_with('t') ? "true" : "false";
}

void write_timestamp(Out& out, std::string_view key, const Row& row, int column) {
    std::string_view text;
    if (begin(out, key, row, column, text)) json::append_timestamp(out, text);
}

void write_json(Out& out, std::string_view key, const Row& row, int column) {
    std::string_view text;
    if (begin(out, key, row, column, text)) out += text;
}

void write_tags(Out& out, std::string_view key, const Row& row, int column) {
    std::string_view text;
    if (!begin(out, key, row, column, text)) return;
    json::ArrayItem item;
    out += '[';
    for (bool first = true; json::next_array_item(text, item); first = false) {
        if (!first) out += ',';
        if (item.null) {
            out += "null";
        } else {
            base::append_json_utf8(out, item.text);
        }
    }
    out += ']';
}

}  // namespace svc
