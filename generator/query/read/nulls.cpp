#include "query/read/nulls.hpp"

#include <algorithm>

#include "query/read/scan.hpp"
#include "sql/grammar.hpp"

namespace svc::query {

using sql::byte_of;
using sql::parse_sql;
using sql::SyntaxError;
namespace {

std::size_t past_blanks(const std::string& sql, std::size_t at) {
    return std::min(sql.find_first_not_of(" \t\r\n\f", at), sql.size());
}

// The index after a name that begins at `at`; `at` itself if there is none.
std::size_t past_name(const std::string& sql, std::size_t at) {
    if (at >= sql.size()) return at;
    if (sql[at] != '"') {
        if (!starts_name(sql[at])) return at;
        while (at < sql.size() && continues_name(sql[at])) ++at;
        return at;
    }
    // A quote inside is doubled: what follows one goes on.
    std::size_t end = at;
    while (end < sql.size() && sql[end] == '"') {
        end = sql.find('"', end + 1);
        if (end == std::string::npos) return at;
        ++end;
    }
    return end;
}

// a, a.b or a.b.c; `last` is where its last name begins.
std::size_t past_column(const std::string& sql, std::size_t at, std::size_t& last) {
    last = at;
    std::size_t end = past_name(sql, at);
    while (end > at) {
        const std::size_t dot = past_blanks(sql, end);
        if (dot >= sql.size() || sql[dot] != '.') break;
        const std::size_t next = past_blanks(sql, dot + 1);
        const std::size_t after = past_name(sql, next);
        if (after == next) return at;  // a.*
        last = next;
        end = after;
    }
    return end;
}

}  // namespace

bool Nulls::put(int character) {
    if (character <= 0) return false;
    const Edited now = edited();
    const std::size_t at = now.to_source(byte_of(now.text(), character));
    std::size_t last = at;
    const std::size_t end = past_column(sql_, at, last);
    const bool again =
        std::any_of(edits_.begin(), edits_.end(), [&](const Edit& edit) { return edit.at == at; });
    if (end == at || again) return false;
    // Where it gives a column of a result its name, the name stays: others may ask for that.
    const std::string name = sql_.substr(last, end - last);
    return try_as(at, end - at, " as " + name) || try_as(at, end - at, "");
}

void Nulls::of_type(const std::string& type) { edits_.back().text = "(null::" + type + ")" + as_; }

bool Nulls::try_as(std::size_t at, std::size_t length, const std::string& as) {
    edits_.push_back({at, length, ""});
    as_ = as;
    of_type("unknown");
    SyntaxError error;
    if (parse_sql(edited().text(), error)) return true;
    edits_.pop_back();
    return false;
}

}  // namespace svc::query
