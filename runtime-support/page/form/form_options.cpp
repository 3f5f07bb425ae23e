// The options of an input of a form: rows of another entity, people.
#include "page/form/form_options.hpp"

#include <algorithm>

#include "page/rows/rows_query.hpp"

namespace svc::page {
namespace {

constexpr std::size_t kOptions = 200;     // rows that a ref can be chosen from
constexpr std::size_t kFound = 50;        // rows that words find
constexpr std::size_t kMostWords = 8;     // that are looked for
constexpr std::size_t kOptionName = 200;  // characters of one's name

// Rows in the order of their names. `filter`: JSON, or nothing.
Task<Options> rows_to_choose(Visit& visit, const Field& field, std::size_t most, std::string filter,
                             bool& more) {
    Options out;
    const Entity& target = *field.target;
    if (!target.access.reads(visit.caller.principals)) co_return out;
    const Table& table = table_of(visit, target);
    const std::vector<std::string_view> names = name_columns(visit, table);
    Members members;
    members.set("select", name_selection(visit, table));
    members.set("limit", std::to_string(most));
    if (!filter.empty()) members.set("filter", filter);
    if (!names.empty() && names.front() != "id")
        members.set("sort", R"({"field":")" + std::string(names.front()) + R"(","dir":"asc"})");
    const Answer answer = co_await visit.api.get(rows_path(target), std::move(members));
    for (const Json& row : answer.rows())
        out.emplace_back(plain(row.find("id")), shortened(name_of(visit, table, row), kOptionName));
    more = answer.truncated();
    co_return out;
}

// What a row is called by; else what its list is searched by.
std::vector<std::size_t> named_columns(const Visit& visit, const Entity& target) {
    std::vector<std::size_t> out;
    for (const std::string_view name : name_columns(visit, table_of(visit, target)))
        if (const int column = readable(visit, target, name);
            column >= 0 &&
            holds_words(table_of(visit, target).fields[static_cast<std::size_t>(column)].kind))
            out.push_back(static_cast<std::size_t>(column));
    return out.empty() ? searched_columns(visit, target) : out;
}

// Rows that have every one of the words.
std::string words_filter(const Visit& visit, const Entity& target, std::string_view words) {
    const std::vector<std::size_t> columns = named_columns(visit, target);
    std::string out;
    std::size_t count = 0;
    while (!columns.empty() && count < kMostWords) {
        words.remove_prefix(std::min(words.size(), words.find_first_not_of(" \n\t")));
        if (words.empty()) break;
        const std::string_view one = words.substr(0, words.find_first_of(" \n\t"));
        words.remove_prefix(one.size());
        out += (out.empty() ? "[" : ",") + words_clause(target, columns, one);
        ++count;
    }
    return out.empty() ? out : out + "]";
}

Task<Choosable> found_rows(Visit& visit, const Field& field, const std::string& words) {
    Choosable out;
    out.finder = Finder{.words = words};
    std::string filter = words_filter(visit, *field.target, words);
    if (!filter.empty())
        out.options =
            co_await rows_to_choose(visit, field, kFound, std::move(filter), out.finder->more);
    out.finder->found = out.options.size();
    co_return out;
}

// The row that is chosen now stands among the options, however many there are.
Task<> add_chosen(Visit& visit, const Field& field, const std::string& id, Options& options) {
    const auto same = [&id](const auto& option) { return option.first == id; };
    if (id.empty() || std::ranges::any_of(options, same)) co_return;
    const Answer answer = co_await visit.api.get(rows_path(*field.target) + "/" + id, Members());
    const bool found = !answer.rows().empty();
    options.emplace_back(
        id, found ? shortened(name_of(visit, table_of(visit, *field.target), answer.rows().front()),
                              kOptionName)
                  : std::string(table_of(visit, *field.target).singular));
}

// The caller themselves, and whoever it is now.
Options people(const Visit& visit, const std::string& now) {
    Options out;
    const std::string own = visit.caller.user ? visit.caller.user->id : std::string();
    if (!own.empty()) out.emplace_back(own, "Me");
    if (!now.empty() && now != own) out.emplace_back(now, "Somebody else");
    return out;
}

}  // namespace

Task<Choosable> read_options(Visit& visit, const Field& field, std::string now,
                             const std::string* words) {
    Choosable out;
    if (field.kind == FieldKind::user) {
        out.options = people(visit, now);
        co_return out;
    }
    bool more = words != nullptr;
    if (!more) out.options = co_await rows_to_choose(visit, field, kOptions, std::string(), more);
    std::string asked;
    if (words) asked = *words;
    if (more) out = co_await found_rows(visit, field, asked);
    co_await add_chosen(visit, field, now, out.options);
    co_return out;
}

}  // namespace svc::page
