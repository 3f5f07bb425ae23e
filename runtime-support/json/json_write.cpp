#include <libpq-fe.h>

#include "base/json_text.hpp"
#include "json/escape.hpp"
#include "json/formats.hpp"
#include "svc/json.hpp"

namespace svc {

namespace {

// Appends the key, and null if the column is null. True when a value must follow.
bool begin(Out& out, std::string_view key, const Row& row, int column) {
    out += key;
    if (!row.null(column)) return true;
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
    if (begin(out, key, row, column)) base::append_json_utf8(out, row.text(column));
}

void write_plain(Out& out, std::string_view key, const Row& row, int column) {
    if (!begin(out, key, row, column)) return;
    out += '"';
    out += row.text(column);
    out += '"';
}

// Whole numbers of 8, 2 and 4 bytes by their oids; the others are texts.
void write_key(Out& out, std::string_view key, const Row& row, int column) {
    const Oid type = row.type(column);
    if (type == 20 || type == 21 || type == 23) return write_number(out, key, row, column);
    write_text(out, key, row, column);
}

void write_number(Out& out, std::string_view key, const Row& row, int column) {
    if (begin(out, key, row, column)) out += row.text(column);
}

// NaN and the infinities begin with a letter, and JSON has no number for them.
void write_decimal(Out& out, std::string_view key, const Row& row, int column) {
    if (!begin(out, key, row, column)) return;
    const std::string_view text = row.text(column);
    const bool number = text.find_first_of("NI") == std::string_view::npos;
    out += number ? text : "null";
}

void write_boolean(Out& out, std::string_view key, const Row& row, int column) {
    if (begin(out, key, row, column)) out += row.text(column).starts_with('t') ? "true" : "false";
}

void write_timestamp(Out& out, std::string_view key, const Row& row, int column) {
    if (begin(out, key, row, column)) json::append_timestamp(out, row.text(column));
}

void write_json(Out& out, std::string_view key, const Row& row, int column) {
    if (begin(out, key, row, column)) out += row.text(column);
}

void write_tags(Out& out, std::string_view key, const Row& row, int column) {
    if (!begin(out, key, row, column)) return;
    std::string_view text = row.text(column);
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
