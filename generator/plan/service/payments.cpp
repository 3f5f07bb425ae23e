#include "plan/service/payments.hpp"

#include "base/currency.hpp"
#include "base/sql_state.hpp"
#include "plan/json_writer.hpp"
#include "plan/names.hpp"
#include "plan/principals.hpp"
#include "plan/write/trigger_sql.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Field;
using model::Model;
using model::Payments;

// As in persona_bits(): these personas, and the server.
std::string readers(const Field& price) {
    if (!price.read) return "null";
    std::vector<std::string> names = {json_string("server")};
    for (const std::string& persona : *price.read) names.push_back(json_string(persona));
    return json_list(names);
}

std::string principals_json(const std::vector<model::Principal>& principals) {
    std::vector<std::string> names;
    names.reserve(principals.size());
    for (const model::Principal& one : principals)
        names.push_back(json_string(principal_name(one)));
    return json_list(names);
}

// JSON has no fractions, and PostgreSQL's numeric reads this one.
std::string charge_factor(const base::Currency& currency) {
    if (currency.charge_factor > 0) return std::to_string(currency.charge_factor);
    return currency.charge_factor == -100 ? "0.01" : "0.1";
}

const char* flag(bool value) { return value ? "true" : "false"; }

// The names that the body uses.
struct Names {
    Names(const Model& model, const Entity& entity)
        : order(table(model.entities[model.payments->order].name)),
          link(ident(entity.fields[model.payments->link].name)),
          item(literal(entity.fields[model.payments->item].name)),
          quantity(literal(entity.fields[model.payments->quantity].name)) {}
    const std::string order, link, item, quantity;
};

// The columns that a writer sets, without computed ones.
std::string columns(const Entity& entity, const std::string& row) {
    std::string out = row + "id";
    if (entity.owner.user) out += ", " + row + "user_id";
    if (entity.owner.org) out += ", " + row + "org_id";
    for (const Field& field : entity.fields)
        if (!field.computed) out += ", " + row + ident(field.name);
    return "(" + out + ")";
}

std::string paid_columns(const Model& model, const Entity& entity, const std::string& row) {
    const Payments& payments = *model.payments;
    std::string out;
    for (const std::size_t field : {payments.link, payments.item, payments.quantity})
        out += (out.empty() ? "" : ", ") + row + ident(entity.fields[field].name);
    return "(" + out + ")";
}

// Waits for a checkout of the order under way, and keeps the next one waiting.
std::string meet(const Names& names, const std::string& row) {
    return "        perform from " + names.order + " where id = " + row + names.link +
           " for key share;\n        perform svc.meet_checkout(" + row + names.link + ");\n";
}

std::string refuse_processing(const std::string& order) {
    return "        if exists (select from svc.payment _p\n                   where _p.order_id "
           "= " +
           order + " and _p.status = 'processing') then\n            " +
           raise(base::sqlstate::kPaymentProcessing,
                 literal("A card payment of this order is under way: its lines cannot change."),
                 "") +
           "        end if;\n";
}

// The row as it was: gone from its order, or changed in it. A line that made the order cheaper
// stays, once that was paid.
std::string before_row(const Names& names) {
    return "    if tg_op <> 'INSERT' then\n" + meet(names, "old.") +
           refuse_processing("old." + names.link) +
           "        if exists (select from svc.payment _p, jsonb_array_elements(_p.lines) _l\n"
           "                   where _p.order_id = old." +
           names.link +
           " and _p.status = 'paid'\n                       and _l ->> 'id' = old.id::text "
           "and (_l ->> 'amount')::numeric < 0) then\n            " +
           raise(base::sqlstate::kPaid,
                 literal("The order is paid: a line that lowered its price cannot change."), "") +
           "        end if;\n    end if;\n";
}

// The row as it becomes: of a paid order, no more than what was paid for.
std::string after_row(const Names& names) {
    return "    if tg_op <> 'DELETE' then\n" + meet(names, "new.") +
           refuse_processing("new." + names.link) +
           "        if exists (select from svc.payment _p\n                   where _p.order_id = "
           "new." +
           names.link +
           " and _p.status = 'paid' and not exists (\n"
           "                       select from jsonb_array_elements(_p.lines) _l\n"
           "                       where _l ->> 'id' = new.id::text\n"
           "                           and _l -> 'item' = to_jsonb(new) -> " +
           names.item +
           "\n                           and (_l ->> 'quantity')::numeric >= "
           "(to_jsonb(new) ->> " +
           names.quantity + ")::numeric)) then\n            " +
           raise(base::sqlstate::kPaid,
                 literal("The order is paid: its lines cannot become more than what was paid for."),
                 "") +
           "        end if;\n    end if;\n    return null;\n";
}

std::string body_of(const Model& model, const Entity& entity) {
    const Names names(model, entity);
    const std::string changed =
        columns(entity, "new.") + "\n            is not distinct from " + columns(entity, "old.");
    // An account or a row that goes takes its name out of others.
    const std::string referred =
        "pg_trigger_depth() > 1 and " + paid_columns(model, entity, "new.") +
        "\n            is not distinct from " + paid_columns(model, entity, "old.");
    return "    if tg_op = 'UPDATE' then\n        if " + changed + "\n            or " + referred +
           " then\n            return null;\n        end if;\n    end if;\n" + before_row(names) +
           after_row(names);
}

}  // namespace

std::string payments_json(const Model& model) {
    if (!model.payments) return "null";
    const Payments& in = *model.payments;
    const Entity& lines = model.entities[in.lines];
    const Entity& catalogue = model.entities[in.catalogue];
    const base::Currency currency = base::currency(model.app.currency);
    const bool follow = lines.access.same_as && *lines.access.same_as == in.link;
    return JsonWriter()
        .put_text("app", model.app.name)
        .put_text("currency", model.app.currency)
        .put_text("order_table", model.entities[in.order].name)
        .put_text("lines_table", lines.name)
        .put_text("link", lines.fields[in.link].name)
        .put_text("quantity", lines.fields[in.quantity].name)
        .put_text("item", lines.fields[in.item].name)
        .put_text("catalogue", catalogue.name)
        .put_text("price", catalogue.fields[in.price].name)
        .put_number("factor", in.price_in_cents ? 1 : base::units_of_whole(currency))
        .put_number("step", currency.step)
        .put("charge_factor", charge_factor(currency))
        .put("offline", flag(in.offline))
        .put("card", flag(in.card))
        .put("settle", principals_json(in.settle))
        .put("price_readers", readers(catalogue.fields[in.price]))
        .put("lines_follow", flag(follow))
        .str();
}

// The trigger runs after the write, so that policies refuse first and a stranger learns nothing
// about the order.
std::vector<Routine> plan_payment_lines(const Model& model, const Entity& entity) {
    if (!model.payments || &model.entities[model.payments->lines] != &entity) return {};
    const Routine function =
        trigger_function(entity, "payment", body_of(model, entity), Rights::owner);
    Routine after;
    after.kind = Routine::Kind::trigger;
    after.name = function.name;
    after.table = entity.name;
    after.create = "create trigger " + ident(after.name) + " after insert or update or delete on " +
                   table(entity.name) + " for each row\n    execute function svc." +
                   ident(function.name) + "()";
    after.drop = "drop trigger if exists " + ident(after.name) + " on " + table(entity.name);
    return {function, after};
}

}  // namespace svc::plan
