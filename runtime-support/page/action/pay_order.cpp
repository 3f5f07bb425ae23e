// The actions of the buttons of the block pay.
#include "page/account/sign_in.hpp"
#include "page/action/moves.hpp"
#include "page/action/pay.hpp"
#include "page/answer.hpp"
#include "page/block.hpp"
#include "page/rows/rows_query.hpp"

namespace svc::page {
namespace {

constexpr std::string_view kBack = "back";  // member of the query: from the card provider

std::string pay_refusal(const Answer& answer) {
    const std::string code = answer.error("code");
    if (code == name(Code::already_paid)) return "This is paid already.";
    if (code == name(Code::payment_processing))
        return "A card payment is under way. Finish it, or wait until it has ended.";
    if (code == name(Code::order_not_found))
        return "This order does not exist, or is not yours to see.";
    if (code == name(Code::conflict) || code == name(Code::payment_mismatch))
        return answer.error("message");
    if (answer.status == 401) return "Your session has ended. Sign in again.";
    return "This did not work right now. Try again in a moment.";
}

std::string order_body(const Visit& visit, const Block& block, std::string_view method,
                       std::string_view back) {
    const std::string id = filled(visit, block.id, nullptr);
    if (method.empty()) return body_of({{"table", block.entity->name}, {"id", id}});
    return body_of(
        {{"table", block.entity->name}, {"id", id}, {"method", method}, {"returnUrl", back}});
}

// The address of this page, which then asks the provider for the result.
std::string back_address(const Visit& visit, std::size_t number) {
    return std::string(visit.exchange.head().header("origin")) + visit.with(number, kBack, "1");
}

std::string own_place(const Visit& visit, std::size_t number) {
    return visit.with(number, kBack, "") + "#b" + std::to_string(number + 1);
}

Task<std::string> place_after(Visit& visit, const Block& block, std::size_t number) {
    if (block.then.empty()) co_return own_place(visit, number);
    const std::string path =
        rows_path(*block.entity) + "/" + filled(visit, block.id, nullptr, Fill::address);
    const Answer answer = co_await visit.api.get(path, Members());
    const Json* row = answer.rows().empty() ? nullptr : &answer.rows().front();
    co_return filled(visit, block.then, row, Fill::address);
}

// Asks the provider, and leads to where the outcome is shown.
Task<> look_again(Visit& visit, const Block& block, std::size_t number) {
    const Answer answer = co_await visit.api.act("/pay/confirm", order_body(visit, block, "", ""));
    if (answer.body.text_of("status") != "paid") {
        go_on(visit, own_place(visit, number), "");
        co_return;
    }
    const std::string place = co_await place_after(visit, block, number);
    go_on(visit, place, "paid");
}

// A browser follows a form's answer only to hosts that the page has named before. Another one is
// shown as a link.
Task<Progress> lead_to_card(Visit& visit, const std::string& url) {
    const std::string pages = co_await visit.in.card_page();
    if (pages.empty() || !url.starts_with(pages + "/")) {
        visit.card_link = url;
        co_return Progress::goes_on;
    }
    http::Reply& reply = visit.exchange.reply();
    reply.status = 303;
    reply.content_type = "text/html; charset=utf-8";
    reply.header("Location", url);
    secure(reply, "");
    co_return Progress::answered;
}

}  // namespace

Task<Progress> pay_order(Visit& visit, const Block& block, std::size_t number) {
    const std::string method(visit.form.text("_do"));
    if (method == "check") {
        co_await look_again(visit, block, number);
        co_return Progress::answered;
    }
    Problems problems{.block = number};
    Answer answer;
    const bool settles = method == "settle";
    if (settles)
        answer = co_await visit.api.send("POST", "/pay/settle", order_body(visit, block, "", ""),
                                         std::string());
    else if (offers(block, method))
        answer = co_await visit.api.send(
            "POST", "/pay/checkout", order_body(visit, block, method, back_address(visit, number)),
            std::string());
    if (!answer.ok()) {
        problems.whole = answer.status == 0 ? "This order cannot be paid in this way here."
                                            : pay_refusal(answer);
        visit.problems = std::move(problems);
        co_return Progress::goes_on;
    }
    const std::string url = answer.body.text_of("url");
    if (!url.empty()) co_return co_await lead_to_card(visit, url);
    go_on(visit, own_place(visit, number), settles ? "settled" : "due");
    co_return Progress::answered;
}

Task<Progress> back_from_card(Visit& visit) {
    for (std::size_t i = 0; i < visit.page->body.size(); ++i) {
        const Block& block = visit.page->body[i];
        const bool asked =
            block.kind == Block::pay && visit.sees(block.to) && visit.asked(i, kBack) == "1";
        if (!asked) continue;
        co_await look_again(visit, block, i);
        co_return Progress::answered;
    }
    co_return Progress::goes_on;
}

}  // namespace svc::page
