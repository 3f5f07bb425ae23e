#include <algorithm>

#include "model/names.hpp"
#include "model/parts.hpp"

namespace svc::model {
namespace {

void bad_payment(Work work, const contract::Text& at, const std::string& message,
                 const std::string& fix) {
    work.findings.error("BAD_PAYMENT", at.path, message, fix);
}

// A ref field of `entity`; nothing after a finding.
std::optional<std::size_t> ref_field(Work work, std::size_t entity, const contract::Text& name) {
    const auto field = resolve_own_field(work, entity, name);
    if (!field || work.out.entities[entity].fields[*field].broken) return std::nullopt;
    if (work.out.entities[entity].fields[*field].type == FieldType::ref) return field;
    bad_payment(work, name, "\"" + name.text + "\" is not a ref field.",
                "name the ref field of the lines");
    return std::nullopt;
}

void link(Work work, const contract::Payments& in, Payments& out) {
    const auto field = ref_field(work, out.lines, in.link);
    if (!field) return;
    out.link = *field;
    if (work.out.entities[out.lines].fields[*field].ref_entity == out.order) return;
    bad_payment(
        work, in.link,
        "\"" + in.link.text + "\" of " + in.lines.text + " is not a ref to " + in.order.text + ".",
        "name the ref field that points to the order");
}

void quantity(Work work, const contract::Payments& in, Payments& out) {
    const auto field = resolve_own_field(work, out.lines, in.quantity);
    if (!field) return;
    out.quantity = *field;
    const FieldType type = work.out.entities[out.lines].fields[*field].type;
    if (type == FieldType::integer || type == FieldType::number) return;
    bad_payment(work, in.quantity, "\"" + in.quantity.text + "\" cannot be the quantity.",
                "name an integer or number field of the lines");
}

void price(Work work, const contract::Payments& in, Payments& out) {
    const auto item = ref_field(work, out.lines, in.item);
    if (!item) return;
    out.item = *item;
    out.catalogue = work.out.entities[out.lines].fields[*item].ref_entity;
    const auto field = resolve_own_field(work, out.catalogue, in.price);
    if (!field) return;
    out.price = *field;
    const FieldType type = work.out.entities[out.catalogue].fields[*field].type;
    out.price_in_cents = type == FieldType::money;
    if (out.price_in_cents || type == FieldType::number || type == FieldType::decimal) return;
    bad_payment(work, in.price, "\"" + in.price.text + "\" cannot be the price.",
                "name a money field (cents), or a number or decimal (whole currency units)");
}

void methods(Work work, const contract::Payments& in, Payments& out) {
    if (!in.methods) return;
    const std::vector<std::string> names = distinct_names(work, *in.methods);
    out.card = std::find(names.begin(), names.end(), "card") != names.end();
    out.offline = std::find(names.begin(), names.end(), "offline") != names.end();
    if (!names.empty()) return;
    const std::string path = in.path + "/methods";
    work.findings.missing("BAD_PAYMENT", path, path, "\"methods\" is empty, so nobody can pay.",
                          "add offline or card, or remove \"methods\"");
}

// Reads "settle". Warns if it names principals that anybody can be.
void settle(Work work, const contract::Payments& in, Payments& out) {
    for (const contract::Text& name : in.settle) {
        auto principal = resolve_principal(work, name);
        if (!principal) continue;
        using Kind = Principal::Kind;
        const Kind kind = principal->kind;
        if (kind == Kind::any || kind == Kind::guest || kind == Kind::signed_in ||
            kind == Kind::consumer)
            work.findings.warning("PAYMENT_OPEN", name.path,
                                  "\"settle\" lets " + name.text + " say that an order is paid.",
                                  "list the personas of staff that take money");
        out.settle.push_back(std::move(*principal));
    }
}

// Their rows are in another database: nothing here can keep them as they are.
bool are_own(Work work, const contract::Payments& in, const Payments& out) {
    bool own = true;
    const auto check = [&](std::size_t entity, const contract::Text& name) {
        if (!work.out.entities[entity].external) return;
        own = false;
        bad_payment(work, name, "The rows of " + work.out.entities[entity].name + " are external.",
                    "name an entity whose rows are the app's own");
    };
    check(out.order, in.order);
    check(out.lines, in.lines);
    check(out.catalogue, in.item);
    return own;
}

// Calls of the card provider come to it.
void own_webhook(Work work, const Payments& out) {
    if (!out.card) return;
    for (const contract::WebhookIn& hook : work.in.flows.webhooks_in)
        if (hook.name.text == "card")
            work.findings.error("NAME_TAKEN", hook.name.path,
                                "The webhook \"card\" belongs to the payments of the app.",
                                "choose another name");
}

}  // namespace

void resolve_payments(Work work) {
    if (!work.in.services.payments) return;
    const contract::Payments& in = *work.in.services.payments;
    Payments out;
    methods(work, in, out);
    const auto order = resolve_entity(work, in.order);
    const auto lines = resolve_entity(work, in.lines);
    if (!lines || !order) return;
    out.order = *order;
    out.lines = *lines;
    if (out.order == out.lines) {
        return bad_payment(work, in.lines, "\"lines\" cannot be the entity of the order itself.",
                           "name the entity whose rows are the lines of an order");
    }
    link(work, in, out);
    quantity(work, in, out);
    price(work, in, out);
    settle(work, in, out);
    out.instructions = in.instructions.text;
    if (!are_own(work, in, out)) return;
    own_webhook(work, out);
    work.out.payments = std::move(out);
}

}  // namespace svc::model
