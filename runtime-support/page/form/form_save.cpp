// A form that was sent: what it may ask for, and the row that comes of it.
#include <algorithm>

#include "page/answer.hpp"
#include "page/block.hpp"
#include "page/form/form.hpp"
#include "page/rights.hpp"
#include "page/rows/rows_query.hpp"

namespace svc::page {
namespace {

// Whether the row or what was filled in is at fault, where the policy has refused a change.
Task<RowAction> refused_action(Visit& visit, const Block& block, const Answer& answer) {
    if (!changes_row(block)) co_return RowAction::create;
    if (answer.status != 403) co_return RowAction::change;
    std::string id = filled(visit, block.id, nullptr);
    const Rights rights = co_await rights_on(visit, *block.entity, std::move(id));
    co_return rights.update ? RowAction::fill : RowAction::change;
}

// The address that a visitor is sent to after a row is saved: the block's, otherwise that of the
// row, otherwise that of its list. `id`: the changed row; empty: a row was created.
std::string address_after(const Visit& visit, const Block& block, const std::string& id,
                          const Answer& answer) {
    const Json* row = answer.rows().empty() ? nullptr : &answer.rows().front();
    std::string then = filled(visit, block.then, row, Fill::address);
    if (!then.empty() || !visit.page->about) return then;
    const std::string made = changes_row(block) ? id : row ? plain(row->find("id")) : std::string();
    const std::string_view route = row_route(visit, *block.entity);
    if (!made.empty() && !route.empty()) then = row_address(route, made);
    return then.empty() ? std::string(list_route(visit, *block.entity)) : then;
}

}  // namespace

bool may_save(const Visit& visit, const Block& block) {
    const Access& access = block.entity->access;
    return changes_row(block) ? access.updates(visit.caller.principals)
                              : access.creates(visit.caller.principals);
}

bool changes_row(const Block& block) { return !block.id.empty(); }

std::vector<std::size_t> asked_columns(const Visit& visit, const Block& block) {
    const Entity& entity = *block.entity;
    const Table& table = table_of(visit, entity);
    const bool changes = changes_row(block);
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < entity.columns.size(); ++i) {
        const std::string_view name = entity.columns[i].name;
        const bool named =
            block.fields.empty() || std::ranges::find(block.fields, name) != block.fields.end();
        const bool set = std::ranges::find(block.set, name, &Pair::name) != block.set.end();
        // Files belong to accounts: guests upload none.
        const bool takes = table.fields[i].kind != FieldKind::file || visit.signed_in();
        const bool asked = named && !set && !table.fields[i].made && takes &&
                           may_send(visit, entity, i, changes) &&
                           (!changes || may_see(visit, entity, i));
        if (asked) out.push_back(i);
    }
    // In the order that the page gives.
    const auto place = [&](std::size_t column) {
        return std::ranges::find(block.fields, entity.columns[column].name) - block.fields.begin();
    };
    if (!block.fields.empty()) std::ranges::stable_sort(out, {}, place);
    return out;
}

bool finds_rows(Visit& visit, const Block& block, std::size_t number) {
    Problems problems{.block = number, .finds = visit.form.text("_do") == "find"};
    for (const std::size_t column : asked_columns(visit, block)) {
        const std::string name(block.entity->columns[column].name);
        const std::string_view words = visit.form.text("q." + name);
        if (words.empty()) continue;
        if (words != visit.form.text("l." + name))
            problems.finds = true;
        else if (visit.form.text("f." + name).empty())
            problems.fields.emplace_back(name, "Choose one that was found, or clear the words.");
    }
    if (!problems.finds && problems.none()) return false;
    if (problems.finds) problems.fields.clear();
    visit.problems = std::move(problems);
    return true;
}

Task<Progress> save_form(Visit& visit, const Block& block, std::size_t number) {
    const Entity& entity = *block.entity;
    Problems problems{.block = number};
    if (!may_save(visit, block)) {
        const RowAction action = changes_row(block) ? RowAction::change : RowAction::create;
        problems.whole = forbidden_words(visit, entity, action);
        visit.problems = std::move(problems);
        co_return Progress::goes_on;
    }
    if (finds_rows(visit, block, number)) co_return Progress::goes_on;
    std::string body = read_form(visit, block, problems);
    if (!problems.none()) {
        visit.problems = std::move(problems);
        co_return Progress::goes_on;
    }
    const std::string path = rows_path(entity);
    const std::string id = filled(visit, block.id, nullptr);
    const bool changes = changes_row(block);
    const std::string target = changes ? path + "/" + id : path;
    Answer answer;
    if (changes && body == "{}")  // nothing was touched
        answer.status = 200;
    else
        answer = co_await visit.api.send(changes ? "PATCH" : "POST", target, std::move(body),
                                         std::string(visit.form.text("_version")));
    if (!answer.ok()) {
        const RowAction action = co_await refused_action(visit, block, answer);
        report_refusal(visit, entity, action, answer, problems);
        visit.problems = std::move(problems);
        co_return Progress::goes_on;
    }
    go_on(visit, address_after(visit, block, id, answer), changes ? "saved" : "created");
    co_return Progress::answered;
}

}  // namespace svc::page
