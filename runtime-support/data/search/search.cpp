#include "data/search/search.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "base/sql_state.hpp"
#include "data/db_error.hpp"
#include "data/party.hpp"
#include "data/query_params.hpp"
#include "data/search/search_rows.hpp"

namespace svc::data::search {

using route::Handled;

namespace {

constexpr std::size_t kMostTables = 20;
constexpr WholeRange kLimit{.fallback = 5, .least = 1, .most = 25};

struct Asked {
    std::string words, limit;
    std::vector<std::string> tables;
    bool snippets = false;
};

std::string_view trimmed_words(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

// Names between commas, each once, in their order.
std::vector<std::string> listed(std::string_view text) {
    std::vector<std::string> out;
    while (!text.empty()) {
        const std::string_view item = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), item.size() + 1));
        std::string name(trimmed_words(item));
        if (!name.empty() && std::ranges::find(out, name) == out.end())
            out.push_back(std::move(name));
    }
    return out;
}

Result<Asked> read(std::string_view query) {
    Asked out;
    const http::QueryParam words = http::query_param(query, "q");
    if (trimmed_words(words.value).empty())
        return Error{Code::missing_query, "Send the words to search for in q."};
    out.words = search_words(words.value);
    out.tables = listed(http::query_param(query, "tables").value);
    if (out.tables.empty()) {
        return Error{Code::missing_tables,
                     "Send the tables to search in tables, separated by commas."};
    }
    if (out.tables.size() > kMostTables) return bad_params("A search may have at most 20 tables.");
    const auto limit = whole_param(query, "limit", kLimit);
    if (!limit) return limit.error();
    out.limit = std::to_string(*limit);
    const http::QueryParam snippets = http::query_param(query, "snippets");
    if (snippets.found && snippets.value != "0" && snippets.value != "1") {
        return bad_params("snippets takes 1.");
    }
    out.snippets = snippets.value == "1";
    return out;
}

const Entity* searched(const App& app, const Caller& caller, std::string_view table) {
    const Entity* entity = app.entity(table);
    const bool shown = entity && entity->search && entity->access.reads(caller.principals);
    return shown ? entity : nullptr;
}

std::deque<SearchRows> rows_of(const Asked& asked, const Caller& caller, const App& app,
                               std::size_t& bytes) {
    std::deque<SearchRows> out;
    for (const std::string& table : asked.tables) {
        const Entity* entity = searched(app, caller, table);
        if (entity == nullptr) continue;
        const Visible visible = visible_columns(*entity, caller.principals);
        out.emplace_back(*entity, visible, asked.snippets, bytes);
    }
    return out;
}

// PostgreSQL's own limits were met by what was typed.
Error error_of(const db::Outcome& outcome) {
    static const Entity kNone{};
    if (base::sqlstate::is_of_limit(outcome.error().sqlstate))
        return bad_params("q is too complicated. Search for fewer words.");
    return to_error(outcome, kNone);
}

}  // namespace

Task<Handled> search(http::Exchange& exchange, const Caller& caller, const App& app,
                     db::Pool& pool) {
    const auto asked = read(exchange.head().query);
    if (!asked) {
        http::fail(exchange.reply(), asked.error());
        co_return Handled::answered;
    }
    std::size_t bytes = 0;
    std::deque<SearchRows> results = rows_of(*asked, caller, app, bytes);
    const IdentityCommand identity_command(caller);
    std::vector<db::Command> commands = {identity_command.command()};
    for (SearchRows& rows : results) {
        if (rows.asks()) commands.push_back(rows.command(asked->words, asked->limit));
    }
    const db::Slow how = slow_read(caller, exchange);
    const db::Outcome outcome = co_await pool.run_slow(commands, how);
    if (session_ended(outcome)) co_return Handled::session_ended;
    if (!outcome.ok) {
        http::fail(exchange.reply(), error_of(outcome));
        co_return Handled::answered;
    }
    std::string& body = exchange.reply().body;
    body = R"({"ok":true,"results":[)";
    for (const SearchRows& rows : results) {
        if (&rows != &results.front()) body += ',';
        rows.print(body);
    }
    body += "]}";
    co_return Handled::answered;
}

}  // namespace svc::data::search
