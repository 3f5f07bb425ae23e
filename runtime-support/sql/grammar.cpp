#include "sql/grammar.hpp"

#include "base/utf8.hpp"
#include "sql/library.hpp"
#include "sql/unfolded.hpp"

namespace svc::sql {
namespace {

constexpr std::size_t kMaxTree = 8 * 1024 * 1024;  // bytes of JSON
// All functions that read, copy or walk the tree recurse. An operator has about four levels.
constexpr std::size_t kMaxDepth = 1000;

// Bytes of the text once each assignment to several columns is written out.
constexpr std::size_t kMostUnfolded = 512 * 1024;

bool is_too_great(std::string_view tree) {
    if (tree.size() > kMaxTree) return true;
    std::size_t depth = 0;
    bool in_text = false;
    for (std::size_t at = 0; at < tree.size(); ++at) {
        const char c = tree[at];
        if (in_text && c == '\\') {
            ++at;
        } else if (c == '"') {
            in_text = !in_text;
        } else if (!in_text && (c == '{' || c == '[')) {
            if (++depth > kMaxDepth) return true;
        } else if (!in_text && (c == '}' || c == ']')) {
            --depth;
        }
    }
    return false;
}

}  // namespace

std::optional<nlohmann::json> parse_sql(const std::string& sql, SyntaxError& error) {
    // The library ends the whole process where a tree does not fit its buffers.
    if (unfolded_bytes(sql) > kMostUnfolded) return nlohmann::json();
    const PgQueryLibrary& library = pg_query_library();
    const PgQueryParseResult result = library.parse(sql.c_str());
    std::optional<nlohmann::json> tree;
    // Never thrown: the result is freed below.
    const auto read = [&] { return nlohmann::json::parse(result.parse_tree, nullptr, false); };
    if (result.error != nullptr) {
        error = {result.error->message, byte_of(sql, result.error->cursorpos)};
    } else if (is_too_great(result.parse_tree)) {
        tree = nlohmann::json();
    } else {
        nlohmann::json whole = read();
        if (whole.is_discarded())
            error = {"The statement is not valid UTF-8 text.", 0};
        else
            tree = std::move(whole.at("stmts"));
    }
    library.free_parse(result);
    return tree;
}

std::size_t byte_of(std::string_view text, int position) {
    std::size_t at = 0;
    for (int left = position - 1; left > 0 && at < text.size(); --left) {
        ++at;
        while (at < text.size() && base::continues_character(text[at])) ++at;
    }
    return at;
}

}  // namespace svc::sql
