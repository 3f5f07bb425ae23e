// The options of an input of a form: rows of another entity, people.
#include "page/form/form_options.hpp"

#include <algorithm>

#include "page/rows/rows_query.hpp"

namespace svc::page {
namespace {

constexpr std::size_t kOptions = 200;     // rows that a ref can be chosen from
constexpr std::size_t kOptionName = 200;  // characters of one's name

Task<Options> rows_to_choose(Visit& visit, const Field& field, bool& more) {
    Options out;
    const Entity& target = *field.target;
    if (!target.access.reads(visit.caller.principals)) co_return out;
    const Table& table = table_of(visit, target);
    const std::vector<std::string_view> names = name_columns(visit, table);
    Members members;
    members.set("select", name_selection(visit, table));
    members.set("limit", std::to_string(kOptions));
    if (!names.empty() && names.front() != "id")
        members.set("sort", R"({"field":")" + std::string(names.front()) + R"(","dir":"asc"})");
    const Answer answer = co_await visit.api.get(rows_path(target), std::move(members));
    for (const Json& row : answer.rows())
        out.emplace_back(plain(row.find("id")), shortened(name_of(visit, table, row), kOptionName));
    const Json* truncated = answer.body.find("truncated");
    more = truncated && truncated->text == "true";
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

Task<Options> read_options(Visit& visit, const Field& field, const std::string& now, bool& more) {
    if (field.kind == FieldKind::user) co_return people(visit, now);
    Options out = co_await rows_to_choose(visit, field, more);
    co_await add_chosen(visit, field, now, out);
    co_return out;
}

}  // namespace svc::page
