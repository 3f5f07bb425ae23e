#include "looks.hpp"

#include <algorithm>
#include <iostream>
#include <set>

#include "feed/judge/recorded_row.hpp"
#include "model/expr/typing.hpp"
#include "plan/sql/expr.hpp"
#include "rows.hpp"

namespace svc::differential {
namespace {

constexpr int kChangesOfEach = 4;
constexpr std::size_t kShelf = 1;
const std::string kOfThings = id_of('0', 0).substr(0, 24);  // how their ids begin

// Every few changes meet a row that matters.
const std::vector<std::string> kChanges = {
    "update public.shelf set keeper = $account where id = $shelf",
    "update public.shelf set lit = not coalesce(lit, false), room = 1 where id = $shelf",
    "update public.shelf set title = 'a' where id = $shelf",
    "update public.thing set user_id = $account, name = 'b' where id = $thing",
    "update public.thing set who = $account where id = $thing",
    "update public.thing set flag = not coalesce(flag, false), qty = 2 where id = $thing",
    "update public.thing set parent_id = $thing, shelf_id = $shelf where id = $thing",
    "update public.thing set note = 'a' where id = $thing",
    "update public.part set thing_id = $thing where id = $part",
    "update public.part set good = not coalesce(good, true), shelf_id = $shelf where id = $part",
    "update public.part set maker = $account where id = $part",
    "insert into public.part (id, thing_id, maker) values (gen_random_uuid(), $thing, $account)",
    "insert into public.thing (id, user_id, parent_id) values (gen_random_uuid(), $account, "
    "$thing)",
    "delete from public.part where id = $part",
    "delete from public.thing where id = $thing",
    "update public.thing set parent_id = null where parent_id = $thing; "
    "delete from public.thing where id = $thing",
    "update public.part set maker = $account where thing_id = $thing"};

void replace_each(std::string& text, const std::string& what, const auto& with) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at))
        text.replace(at, what.size(), with());
}

}  // namespace

// What the policies of apps compare: the caller with rows that refer to this one, or that it
// refers to.
Written LookTrials::random_policy() {
    static const std::vector<std::string> kAtoms = {"#parent.user_id == user.id",
                                                    "#parent.who != user.id",
                                                    "#shelf.keeper == user.id",
                                                    "#parent.shelf.keeper == user.id",
                                                    "#parent.parent.user_id == user.id",
                                                    "#parent.code == user.org",
                                                    "#parent.note == user.email",
                                                    "user.id in #children.user_id",
                                                    "user.id in #parent.children.user_id",
                                                    "user.id in #parts.maker",
                                                    "user.id in #parent.parts.maker",
                                                    "user.id in [#parent.user_id, #shelf.keeper]",
                                                    "user.id in [#parent.user_id, #parent.who]",
                                                    "#parent.user_id in [user.id, user.org]",
                                                    "user.id == #user_id",
                                                    "#parent.flag",
                                                    "#shelf.lit",
                                                    "#shelf.room > 0",
                                                    "exists(#parts)",
                                                    "count(#children) > 1",
                                                    "all(#parts.good)",
                                                    "#parent == null",
                                                    "can('read', #shelf_id)",
                                                    "can('read', #parent.shelf_id)",
                                                    "#flag",
                                                    "user.isAdmin"};
    std::string text;
    const std::size_t count = 1 + dice_.below(4);
    for (std::size_t i = 0; i < count; ++i) {
        const std::string next = (dice_.chance(20) ? "!(" : "(") + dice_.one(kAtoms) + ")";
        text = text.empty() ? next
                            : (dice_.chance(20) ? "!(" : "(") + text +
                                  (dice_.chance(60) ? " && " : " || ") + next + ")";
    }
    replace_each(text, "#", [] { return std::string(1, kRow); });
    return {text, true, {}};
}

std::string LookTrials::random_change() {
    std::string out = dice_.one(kChanges);
    const auto some = [&](char kind, std::size_t count) {
        return "'" + id_of(kind, 1 + static_cast<int>(dice_.below(count))) + "'::uuid";
    };
    replace_each(out, "$account",
                 [&] { return dice_.chance(15) ? std::string("null") : some('0', 3); });
    // The first things and shelves are those that most others refer to.
    replace_each(out, "$thing", [&] { return some('0', dice_.chance(70) ? 12 : kThings); });
    replace_each(out, "$shelf", [&] { return some('2', 12); });
    replace_each(out, "$part", [&] { return some('3', 70); });
    return out;
}

std::vector<Answers> LookTrials::ask(const Case& one) {
    const plan::Scope scope{model_, "", "a."};
    return world_.ask(
        "select string_agg(right(a.id::text, 3), '' order by a.id) from public.thing a"
        " where a.id::text like '" +
            kOfThings + "%' and " + plan::sql_true(*one.on_row, scope),
        false);
}

bool LookTrials::names(const plan::ReadLook& look, const Change& change,
                       const Person& person) const {
    if (plan_.entities[look.entity].name != change.table) return false;
    const feed::RecordedRow before(change.before), after(change.after);
    const auto differs = [&](const std::string& column) {
        return before.value(column) != after.value(column);
    };
    const bool matters = !before.there()  ? look.made
                         : !after.there() ? true
                                          : std::ranges::any_of(look.columns, differs);
    if (!matters || !look.key) return matters;
    using Of = plan::ReadKey::Of;
    const Cell& own = look.key->of == Of::id    ? person.id
                      : look.key->of == Of::org ? person.org
                                                : person.email;
    const auto has = [&](const feed::RecordedRow& row) {
        return row.there() && own && row.text(look.key->column) == Maybe<std::string>(*own);
    };
    return has(before) || has(after);
}

bool LookTrials::is_named(const std::vector<plan::ReadLook>& looks,
                          const std::vector<Change>& changes, const Person& person) const {
    return std::ranges::any_of(looks, [&](const plan::ReadLook& look) {
        return std::ranges::any_of(
            changes, [&](const Change& change) { return names(look, change, person); });
    });
}

bool LookTrials::holds(const Case& one, const std::vector<Change>& changes,
                       const std::vector<Answers>& before) {
    const std::vector<plan::ReadLook> looks = plan::read_looks(model_, model_.entities[kThing]);
    const std::vector<Answers> after = ask(one);
    std::set<std::size_t> own;  // rows that changed themselves: their readers are told so
    for (const Change& change : changes)
        if (change.table == "thing" && change.id.starts_with(kOfThings))
            own.insert(std::stoul(change.id.substr(change.id.size() - 3)) - 1);
    ++changes_;
    for (std::size_t who = 0; who < people_.size(); ++who) {
        const bool named = is_named(looks, changes, people_[who]);
        ++(named ? named_ : spared_);
        for (std::size_t row = 0; row < kThings; ++row) {
            if (before[who][row] == after[who][row] || own.contains(row)) continue;
            ++moved_;
            if (named) continue;
            std::cout << "\nNot named: " << people_[who].label << ", who sees row " << row + 1
                      << ' ' << before[who][row] << " then " << after[who][row] << " of "
                      << with_rows(one.written.text, "") << "\n";
            for (const Change& change : changes)
                std::cout << "  " << change.table << ' ' << change.before << " -> " << change.after
                          << "\n";
            return false;
        }
    }
    return true;
}

// For can().
void LookTrials::grant_shelves() {
    const auto read = [&](const std::string& condition) {
        diag::Findings findings;
        const model::ExprScope scope{.model = model_, .entity = kShelf, .row = true};
        return model::read_condition({condition, "/if"}, scope, findings);
    };
    using Kind = model::Principal::Kind;
    model_.entities[kShelf].access.read = {
        {{Kind::persona, "customer"}, read("keeper == user.id && lit"), {}, ""},
        {{Kind::persona, "clerk"}, read("room > 0"), {}, ""},
        {{Kind::persona, "manager"}, nullptr, {}, ""}};
}

bool LookTrials::run(std::size_t policies) {
    grant_shelves();
    bool sound = true;
    for (std::size_t i = 0; i < policies; ++i) {
        const auto one = read_case(model_, random_policy(), false);
        if (!one) continue;
        model_.entities[kThing].access.read = {
            {{model::Principal::Kind::any, ""}, one->on_row, {}, ""}};
        if (i % 20 == 0) world_.settle();
        const std::vector<Answers> before = ask(*one);
        for (int n = 0; n < kChangesOfEach; ++n)
            world_.meanwhile(random_change(), [&](const std::vector<Change>& changes) {
                sound = holds(*one, changes, before) && sound;
            });
    }
    std::cout << changes_ << " changes of rows that policies look at: " << moved_
              << " rows came or went, " << named_ << " callers were named, " << spared_
              << " spared\n";
    return sound && moved_ > policies && spared_ > named_ / 2;
}

}  // namespace svc::differential
