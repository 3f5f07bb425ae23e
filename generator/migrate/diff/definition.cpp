#include "migrate/diff/definition.hpp"

#include "plan/names.hpp"

namespace svc::migrate {
namespace {

constexpr std::string_view kAdd = " add constraint ";

// The end of a text literal or quoted name that begins at `from`; doubled quotes belong to it.
std::size_t past_quoted(const std::string& sql, std::size_t from) {
    const char quote = sql[from];
    const bool escapes =
        quote == '\'' && from > 0 && (sql[from - 1] == 'E' || sql[from - 1] == 'e');
    for (std::size_t i = from + 1; i < sql.size(); ++i) {
        if (escapes && sql[i] == '\\') {
            ++i;
        } else if (sql[i] == quote) {
            if (i + 1 == sql.size() || sql[i + 1] != quote) return i + 1;
            ++i;
        }
    }
    return sql.size();
}

// The text in the parentheses that open at `open`; `end` is the index after them.
std::string inside(const std::string& sql, std::size_t open, std::size_t& end) {
    int depth = 0;
    for (end = open; end < sql.size();) {
        if (sql[end] == '\'' || sql[end] == '"') {
            end = past_quoted(sql, end);
            continue;
        }
        if (sql[end] == '(') ++depth;
        if (sql[end] == ')') --depth;
        ++end;
        if (depth == 0) return sql.substr(open + 1, end - open - 2);
    }
    return {};
}

// A name, quoted or not, that begins at `from`; with its schema.
std::size_t past_name(const std::string& sql, std::size_t from) {
    while (from < sql.size() && sql[from] != ' ') {
        from = sql[from] == '"' ? past_quoted(sql, from) : from + 1;
    }
    return from;
}

Definition read_index(const std::string& sql, bool unique) {
    Definition out;
    out.kind = Definition::Kind::index;
    out.unique_index = unique;
    const auto open = sql.find('(');
    std::size_t end = 0;
    if (open == std::string::npos) return {};
    out.columns = inside(sql, open, end);
    const auto where = sql.find(" where ", end);
    if (where != std::string::npos) out.condition = sql.substr(where + 7);
    return out;
}

}  // namespace

Definition definition_of(const std::string& sql) {
    if (sql.starts_with("create unique index ")) return read_index(sql, true);
    if (sql.starts_with("create index ")) return read_index(sql, false);
    const auto add = sql.find(kAdd);
    if (add == std::string::npos) return {};
    const auto at = past_name(sql, add + kAdd.size()) + 1;
    Definition out;
    const std::string_view rest = std::string_view(sql).substr(std::min(at, sql.size()));
    using Kind = Definition::Kind;
    out.kind = rest.starts_with("check (")         ? Kind::check
               : rest.starts_with("unique (")      ? Kind::unique
               : rest.starts_with("foreign key (") ? Kind::foreign_key
                                                   : Kind::other;
    if (out.kind == Kind::other) return out;
    std::size_t end = 0;
    out.columns = inside(sql, sql.find('(', at), end);
    if (out.kind == Kind::foreign_key) {
        const auto target = sql.find("references ", end) + 11;
        out.target = sql.substr(target, past_name(sql, target) - target);
    }
    return out;
}

std::string concurrently(const std::string& create_index, const std::string& name) {
    const bool unique = create_index.starts_with("create unique");
    const std::string head = unique ? "create unique index " : "create index ";
    const auto after = past_name(create_index, head.size());
    return head + "concurrently " + plan::ident(name) + create_index.substr(after);
}

}  // namespace svc::migrate
