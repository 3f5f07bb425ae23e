// Only comparisons with other rows can make a condition change its value for a caller. An equality
// of a column with the caller's id changes it only for the callers of the old and the new value.
// The same is true of everything that is joined to such an equality on the same row by "and": the
// whole is false for all others, before and after.
#include "plan/access/read_look.hpp"

#include <algorithm>
#include <utility>

#include "model/expr/typer.hpp"
#include "plan/access.hpp"
#include "plan/access/read_key.hpp"
#include "plan/access/required_keys.hpp"
#include "plan/principals.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Expr;
using model::ExprKind;
using model::Grant;
using model::Model;
using model::Step;

bool reaches_rows(const Step& step) {
    return step.kind == Step::Kind::ref || step.kind == Step::Kind::many;
}

// The place of a condition.
struct Place {
    Way way;                 // from the row that is read to the row that the condition is about
    std::size_t judged = 0;  // so many of these rows are judged themselves
    PrincipalBits who = kEveryone;
    RequiredKeys required;  // what must hold besides it
};

class ReadLooks {
  public:
    explicit ReadLooks(const Model& model) : model_(model) {}

    void policy(const Entity& entity, Operation operation, const Place& place) {
        for (const Grant& deny : denied(entity.access, operation)) grant(deny, place);
        if (!entity.access.same_as) {
            for (const Grant& each : grants(entity, operation)) {
                if (there(place)) row_of(each, place);
                grant(each, place);
            }
            return;
        }
        Place above = place;
        above.way.push_back(ref_of(entity, *entity.access.same_as));
        if (!there(place)) ++above.judged;
        policy(decided_by(model_, entity), needed_above(operation), above);
    }
    std::vector<ReadLook> take() { return std::move(found_); }

  private:
    // The policy is that of a row which a condition names, not of the one that is read.
    static bool there(const Place& place) { return place.way.size() > place.judged; }

    Step ref_of(const Entity& entity, std::size_t field) const {
        const auto index = static_cast<std::size_t>(&entity - model_.entities.data());
        return {Step::Kind::ref, index, field, entity.fields[field].ref_entity, {}};
    }

    Place narrowed(const Grant& grant, Place place) const {
        if (place.who == kEveryone) place.who = bits(model_, grant.to);
        return place;
    }
    void grant(const Grant& grant, const Place& place) {
        if (grant.condition) condition(*grant.condition, narrowed(grant, place));
    }
    // Nobody may read a row that is not there.
    void row_of(const Grant& grant, const Place& place) {
        Place at = narrowed(grant, place);
        if (grant.condition) at.required.merge(required_keys(model_, *grant.condition, at.way));
        note(at.way, at, {});
    }

    void condition(const Expr& expr, Place place) {
        place.required.merge(required_keys(model_, expr, place.way));
        if (model::is_call(expr, model::ExprFunction::can)) return asked(expr, place);
        if (is_row_path(expr)) return note(joined(place.way, expr.steps), place, {});
        if (expr.kind == ExprKind::eq || expr.kind == ExprKind::ne)
            return compared(*expr.args[0], {expr.args[1]}, place);
        if (expr.kind == ExprKind::in) {
            const Expr& set = *expr.args[1];
            const bool list = set.kind == ExprKind::list;
            return compared(*expr.args[0], list ? set.args : std::vector{expr.args[1]}, place);
        }
        if (model::is_call(expr, model::ExprFunction::member))
            return side(*expr.args[0], KeyList{{"", ReadKey::Of::org}}, place);
        for (const model::ExprPtr& arg : expr.args) condition(*arg, place);
    }

    // A value that is compared with others. Each side has keys if all that it is compared with is
    // the caller's.
    void compared(const Expr& one, const std::vector<model::ExprPtr>& others, const Place& place) {
        KeyList of_others;
        for (const model::ExprPtr& other : others)
            if (const auto of = key_of_caller(*other)) of_others.push_back({"", *of});
        if (of_others.size() != others.size()) of_others.clear();
        side(one, of_others, place);
        const auto of = key_of_caller(one);
        for (const model::ExprPtr& other : others)
            side(*other, of ? KeyList{{"", *of}} : KeyList{}, place);
    }
    void side(const Expr& expr, KeyList keys, const Place& place) {
        const auto column =
            is_row_path(expr) ? key_column(model_, expr.steps.back()) : std::nullopt;
        if (!column || keys.empty()) return condition(expr, place);
        for (ReadKey& key : keys) key.column = *column;
        note(joined(place.way, expr.steps), place, keys);
    }

    // can('update', order_id): the policies of the row that it names.
    void asked(const Expr& call, const Place& place) {
        const Expr& path = *call.args[1];
        const Step& last = path.steps.back();
        Place at = place;
        at.way = joined(place.way, path.steps);
        at.way.back() = ref_of(model_.entities[last.entity], last.field);
        const Entity& target = model_.entities[at.way.back().target];
        policy(target, Operation::read, at);
        if (call.args[0]->text == "update") policy(target, Operation::update, at);
        if (call.args[0]->text == "delete") policy(target, Operation::remove, at);
    }

    // Notes each row on the way, and what of it is read. `keys`: of the last one.
    void note(const Way& way, const Place& place, const KeyList& keys) {
        for (std::size_t i = place.judged; i < way.size() && reaches_rows(way[i]); ++i) {
            const bool last = i + 1 == way.size() || !reaches_rows(way[i + 1]);
            ReadLook look{way[i].target, way[i].kind == Step::Kind::many, place.who, {}, {}};
            if (look.made)
                look.columns.insert(model_.entities[look.entity].fields[way[i].field].name);
            if (i + 1 == way.size())
                look.columns.insert("id");
            else if (way[i + 1].kind != Step::Kind::many)
                look.columns.insert(column_of(way[i + 1]));
            // A row between a ref and a relation is read for its id. If it is deleted, the rows of
            // the relation change too: their refs no longer name it.
            if (look.columns.empty()) continue;
            const auto name = row_name(way, i + 1);
            const auto known = name ? place.required.find(*name) : place.required.end();
            if (last && !keys.empty())
                add(look, keys);
            else
                add(look, known != place.required.end() ? known->second : KeyList{});
        }
    }
    std::string column_of(const Step& step) const {
        return step.builtin.empty() ? model_.entities[step.entity].fields[step.field].name
                                    : step.builtin;
    }

    void add(const ReadLook& look, const KeyList& keys) {
        if (keys.empty()) return add(look);
        for (const ReadKey& key : keys) {
            ReadLook one = look;
            one.key = key;
            add(one);
        }
    }
    void add(const ReadLook& look) {
        const auto known = std::ranges::find_if(found_, [&](const ReadLook& one) {
            return one.entity == look.entity && one.made == look.made && one.who == look.who &&
                   one.key == look.key;
        });
        if (known == found_.end())
            found_.push_back(look);
        else
            known->columns.insert(look.columns.begin(), look.columns.end());
    }

    const Model& model_;
    std::vector<ReadLook> found_;
};

}  // namespace

std::vector<ReadLook> read_looks(const Model& model, const Entity& entity) {
    ReadLooks looks(model);
    looks.policy(entity, Operation::read, {});
    return looks.take();
}

}  // namespace svc::plan
