#include "page/rights.hpp"

namespace svc::page {
namespace {

// Booleans of one row.
struct RightsSink final : db::RowSink {
    void row(const Row& row) override {
        first = row.text(0) == "t";
        second = second_wanted && row.text(1) == "t";
    }
    bool first = false, second = false, second_wanted = false;
};

// False: the database cannot tell.
Task<bool> ask_policies(Visit& visit, std::string_view sql, std::string_view id,
                        RightsSink& by_policies) {
    const svc::IdentityCommand identity_command(visit.caller);
    const db::Param params[] = {id};
    const Statement statement{.name = "?", .types = kId, .sql = sql};
    const db::Command commands[] = {identity_command.command(), {statement, params, &by_policies}};
    const db::Outcome outcome = co_await visit.in.data.read(commands);
    co_return outcome.ok;
}

}  // namespace

Task<Rights> rights_on(Visit& visit, const Entity& entity, std::string id) {
    for (const KnownRights& known : visit.rights)
        if (known.entity == &entity && known.id == id) co_return known.rights;
    Rights out{entity.access.updates(visit.caller.principals),
               entity.access.removes(visit.caller.principals)};
    const Table& table = table_of(visit, entity);
    RightsSink by_policies;
    by_policies.second_wanted = true;
    const bool asks = (out.update || out.remove) && !table.rights.empty();
    if (asks && co_await ask_policies(visit, table.rights, id, by_policies)) {
        out.update = out.update && by_policies.first;
        out.remove = out.remove && by_policies.second;
    }
    visit.rights.push_back({&entity, std::move(id), out});
    co_return out;
}

Task<std::vector<bool>> may_update_rows(Visit& visit, const Entity& entity,
                                        const std::vector<std::string>& ids) {
    std::vector<bool> out(ids.size(), entity.access.updates(visit.caller.principals));
    const std::string_view sql = table_of(visit, entity).rights;
    if (ids.empty() || !out.front() || sql.empty()) co_return out;
    const svc::IdentityCommand identity_command(visit.caller);
    const Statement statement{.name = "?", .types = kId, .sql = sql};
    std::vector<db::Param> params(ids.begin(), ids.end());
    std::vector<RightsSink> by_policies(ids.size());
    std::vector<db::Command> commands{identity_command.command()};
    for (std::size_t i = 0; i < ids.size(); ++i)
        commands.push_back({statement, {&params[i], 1}, &by_policies[i]});
    const db::Outcome outcome = co_await visit.in.data.read(commands);
    for (std::size_t i = 0; outcome.ok && i < ids.size(); ++i) out[i] = by_policies[i].first;
    co_return out;
}

Task<bool> may_create_under(Visit& visit, const Entity& entity, std::string_view column,
                            std::string id) {
    if (!entity.access.creates(visit.caller.principals)) co_return false;
    const Table& table = table_of(visit, entity);
    if (table.created_under.empty() || table.created_under != column || id.empty()) co_return true;
    RightsSink by_policies;
    const bool known = co_await ask_policies(visit, table.create_right, id, by_policies);
    co_return !known || by_policies.first;
}

}  // namespace svc::page
