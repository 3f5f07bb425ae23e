// Block pay: what an order costs, how its payment stands, and the ways to pay it. The routes of
// payments do all of it.
#include <algorithm>

#include "base/ascii.hpp"
#include "page/action/pay.hpp"
#include "page/answer.hpp"
#include "page/block.hpp"
#include "page/rows/rows_query.hpp"
#include "page/value/amount.hpp"
#include "page/value/value.hpp"
#include "pay/status.hpp"

namespace svc::page {
namespace {

// The state of an order's payment.
struct PaymentState {
    std::optional<pay::Status> status = {};  // none: never checked out
    std::optional<pay::PayMethod> method = {};
    std::string note = {};
    std::string amount = {};   // with its currency; empty: it cannot be computed
    std::string trouble = {};  // why not
    bool nothing = false;      // the amount is 0
    bool card = false;         // a provider is connected
    bool changed = false;      // the payment is due, and the amount of the order is another one now
    std::string reference = {};  // what the order is called
};

std::string pay_path(const Visit& visit, const Block& block, std::string_view what) {
    return "/pay/" + std::string(what) + "/" + std::string(block.entity->name) + "/" +
           filled(visit, block.id, nullptr, Fill::address);
}

std::string in_money(const Visit& visit, const Json& of) {
    std::string currency = of.text_of("currency");
    for (char& c : currency) c = base::upper(c);
    return money(plain(of.find("amount_cents")), currency, visit.site().digits);
}

Task<> read_total(Visit& visit, const Block& block, PaymentState& out) {
    const Answer answer = co_await visit.api.get(pay_path(visit, block, "total"), Members());
    const Json* total = answer.ok() ? answer.body.find("total") : nullptr;
    if (!total) {
        out.trouble = answer.status == 409 ? answer.error("message")
                                           : "The price cannot be computed right now. Try again.";
        co_return;
    }
    out.amount = in_money(visit, *total);
    out.nothing = plain(total->find("amount_cents")) == "0";
}

// The order's name; else the beginning of its id, which a payment can name as well.
Task<std::string> read_reference(Visit& visit, const Block& block) {
    const std::string id = filled(visit, block.id, nullptr, Fill::address);
    const Answer answer = co_await visit.api.get(rows_path(*block.entity) + "/" + id, Members());
    const Table& table = table_of(visit, *block.entity);
    std::string name =
        answer.rows().empty() ? std::string() : name_of(visit, table, answer.rows().front());
    if (name.empty() || name == table.singular) co_return id.substr(0, 8);
    co_return name;
}

Task<PaymentState> read_standing(Visit& visit, const Block& block, const Json* payment) {
    PaymentState out;
    if (payment && payment->is(Json::Kind::object)) {
        out.status = base::read_word<pay::Status>(payment->text_of("status"));
        out.method = base::read_word<pay::PayMethod>(payment->text_of("method"));
        out.note = payment->text_of("note");
        out.amount = in_money(visit, *payment);
    }
    if (!out.status || out.status == pay::Status::failed) co_await read_total(visit, block, out);
    if (out.status == pay::Status::due) {
        out.reference = co_await read_reference(visit, block);
        PaymentState now;
        co_await read_total(visit, block, now);
        out.changed = now.trouble.empty() && now.amount != out.amount;
        if (out.changed) out.amount = now.amount;
    }
    if (out.status == pay::Status::paid) co_return out;
    const Answer methods = co_await visit.api.get("/pay/methods", Members());
    if (const Json* list = methods.body.find("methods"))
        for (const Json& method : list->items) out.card = out.card || plain(&method) == "card";
    co_return out;
}

void write_state(Html& out, const PaymentState& now) {
    const auto badge = [&](std::string_view tone, std::string_view words) {
        out << "<span class=\"badge " << tone << "\">" << words << "</span>";
    };
    out << "<p class=\"pay-line\">";
    if (!now.amount.empty()) out << "<strong class=\"pay-amount\">" << now.amount << "</strong>";
    if (now.status == pay::Status::paid)
        badge("green", "Paid");
    else if (now.status == pay::Status::processing)
        badge("blue", "Payment under way");
    else if (now.status == pay::Status::failed)
        badge("red", "Payment failed");
    else if (now.status == pay::Status::due)
        badge("amber", "To be paid");
    else
        badge("grey", "Not paid");
    out << "</p>";
}

std::string_view sentence(const PaymentState& now) {
    if (now.status == pay::Status::paid)
        return now.method == pay::PayMethod::card ? "This was paid by card."
                                                  : "This was paid without a card.";
    if (now.status == pay::Status::processing)
        return "A card payment has begun. Finish it on the card page, or look here again in a "
               "moment.";
    if (!now.trouble.empty()) return now.trouble;
    if (now.status == pay::Status::failed) return "The card payment did not go through. Try again.";
    if (now.changed) return "The order has changed since it was checked out. Check it out again.";
    if (now.status == pay::Status::due && !now.note.empty()) return now.note;
    return now.nothing ? "There is nothing to pay yet." : "";
}

bool is_payable(const PaymentState& now) {
    return now.status != pay::Status::paid && now.status != pay::Status::processing &&
           now.trouble.empty() && !now.nothing;
}

// What the author wrote stands there before somebody decides to pay so.
void write_how(Html& out, const Block& block, const PaymentState& now) {
    if (now.changed) return;
    if (now.status != pay::Status::due) {
        if (block.text.empty() || !is_payable(now) || !offers(block, "offline")) return;
        const bool beside = now.card && offers(block, "card");
        out << "<div class=\"pay-how\"><h3>"
            << std::string_view(beside ? "Without a card" : "How to pay")
            << "</h3><p class=\"as-written\">" << block.text << "</p></div>";
        return;
    }
    out << "<div class=\"pay-how\"><h3>How to pay</h3>";
    if (block.text.empty())
        out << "<p>You pay without a card, as you have agreed.</p>";
    else
        out << "<p class=\"as-written\">" << block.text << "</p>";
    out << "<dl class=\"facts\"><div><dt>Amount</dt><dd>" << now.amount << "</dd></div>";
    if (!now.reference.empty())
        out << "<div><dt>Reference</dt><dd>" << shortened(now.reference, kLongestName)
            << "</dd></div>";
    out << "</dl></div>";
}

void write_button(Html& out, std::string_view act, std::string_view look, std::string_view words) {
    out << "<button name=\"_do\"";
    out.attribute("value", act) << " class=\"button " << look << "\">" << words << "</button>";
}

// Empty where nothing can be done.
Html buttons_of(const Visit& visit, const Block& block, const PaymentState& now) {
    Html out;
    const bool payable = is_payable(now);
    if (!visit.card_link.empty()) {
        out << "<a class=\"button primary\"";
        out.href(visit.card_link) << ">Go to the card page</a>";
    } else if (now.status == pay::Status::processing && offers(block, "card")) {
        write_button(out, "card", "primary", "Go on to the card page");
    } else if (payable && now.card && offers(block, "card")) {
        write_button(out, "card", "primary", "Pay " + now.amount + " by card");
    }
    if (now.status == pay::Status::processing) write_button(out, "check", "quiet", "Look again");
    if (now.status == pay::Status::due && !now.changed &&
        (block.settle & visit.caller.principals) != 0)
        write_button(out, "settle", out.empty() ? "primary" : "quiet", "The money has arrived");
    if (payable && (now.status != pay::Status::due || now.changed) && offers(block, "offline"))
        write_button(out, "offline", out.empty() ? "primary" : "quiet",
                     now.changed                         ? "Check out again"
                     : now.card && offers(block, "card") ? "Pay without a card"
                                                         : "Confirm");
    return out;
}

}  // namespace

Task<> write_pay(Visit& visit, const Block& block, std::size_t number, Html& out) {
    const Answer latest = co_await visit.api.get(pay_path(visit, block, "for"), Members());
    if (!latest.ok() && latest.status < 500) co_return;
    open_block(out, "pay", block.title.empty() ? std::string_view("Payment") : block.title, number,
               Html());
    if (!latest.ok()) {
        write_failure(latest, out);
        close_block(out);
        co_return;
    }
    const PaymentState now = co_await read_standing(visit, block, latest.body.find("payment"));
    if (now.status != pay::Status::paid) visit.card_page = co_await visit.in.card_page();
    out << "<div class=\"pay-card\">";
    if (has_failed(visit, number)) write_notice(out, visit.problems->whole);
    write_state(out, now);
    if (const std::string_view words = sentence(now); !words.empty())
        out << "<p class=\"quiet\">" << words << "</p>";
    write_how(out, block, now);
    if (const Html buttons = buttons_of(visit, block, now); !buttons.empty()) {
        out << "<form method=\"post\">";
        write_number(out, number);
        out << "<div class=\"buttons\">" << buttons << "</div></form>";
    }
    out << "</div>";
    close_block(out);
}

}  // namespace svc::page
