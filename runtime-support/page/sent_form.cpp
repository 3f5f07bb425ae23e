#include "page/sent_form.hpp"

#include <algorithm>
#include <charconv>

#include "identity/credentials.hpp"
#include "page/action/moves.hpp"
#include "page/answer.hpp"
#include "page/form/form.hpp"
#include "page/form/form_body.hpp"
#include "page/show.hpp"

namespace svc::page {
namespace {

// Whether the block whose form this is asks for a file there.
bool wants_file(const Visit& visit, std::string_view input) {
    const auto number = block_of(visit);
    if (!number || !visit.sees(visit.page->body[*number].to)) return false;
    const Block& block = visit.page->body[*number];
    const auto named = [&](std::string_view column) {
        return input.starts_with("f.") && input.substr(2) == column;
    };
    if (block.kind == Block::upload) return takes_file(visit, block, input);
    if (block.kind != Block::form) return false;
    return std::ranges::any_of(asked_columns(visit, block), [&](std::size_t column) {
        return named(block.entity->columns[column].name) &&
               table_of(visit, *block.entity).fields[column].kind == FieldKind::file;
    });
}

}  // namespace

std::optional<std::size_t> block_of(const Visit& visit) {
    const std::string_view text = visit.form.text("_block");
    std::size_t out = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    if (!whole || out >= visit.page->body.size()) return std::nullopt;
    return out;
}

Progress leave_lapsed(Visit& visit) {
    const http::Head& head = visit.exchange.head();
    if (visit.signed_in() || identity::session_cookie(head).empty()) return Progress::goes_on;
    const std::string path = identity::session_path(head);
    visit.exchange.reply().header("Set-Cookie",
                                  identity::cookie_name(head, identity::kSessionCookie, path) +
                                      "=; Path=" + path + "; HttpOnly; SameSite=Lax; Max-Age=0" +
                                      (head.by_tls ? "; Secure" : ""));
    go_on(visit, sign_in_address(visit, visit.place()), "");
    return Progress::answered;
}

Task<Progress> read_files(Visit& visit) {
    WantsFile wanted = [&visit](std::string_view input) { return wants_file(visit, input); };
    const FormBody body = co_await read_form_body(visit, std::move(wanted));
    if (body == FormBody::good) co_return Progress::goes_on;
    // The body of a form comes once: a session that was found to have ended meanwhile leaves none.
    if (body != FormBody::too_large && leave_lapsed(visit) == Progress::answered)
        co_return Progress::answered;
    if (body == FormBody::no_account)
        answer_problem(visit, 401, "Sign in first",
                       "Files belong to an account. Sign in, then send this form again.");
    else if (body == FormBody::too_large)
        answer_problem(visit, 413, "This form is too large",
                       "What you sent is larger than this page takes. Go back and send less.");
    else
        answer_problem(visit, 400, "This form did not arrive completely", "Go back and try again.");
    co_return Progress::answered;
}

Task<Progress> act(Visit& visit, std::size_t number, std::optional<SignInState>& state) {
    const Block& block = visit.page->body[number];
    const std::string_view what = visit.form.text("_do");
    if (block.kind == Block::form) co_return co_await save_form(visit, block, number);
    if (block.kind == Block::actions && what == "move")
        co_return co_await move_row(visit, block, number);
    if (block.kind == Block::actions && what == "delete")
        co_return co_await delete_row(visit, block, number);
    if (block.kind == Block::board && what == "move")
        co_return co_await move_card(visit, block, number);
    if (block.kind == Block::upload) co_return co_await change_file(visit, block, number);
    if (block.kind == Block::pay) co_return co_await pay_order(visit, block, number);
    if (block.kind == Block::chat) co_return co_await ask_assistant(visit, block, number);
    if (block.kind == Block::auth) {
        state = sign_in_state_of(visit, block, number);
        const Progress progress = co_await enter(visit, *state);
        if (visit.problems) visit.problems->block = number;
        co_return progress;
    }
    co_return Progress::goes_on;
}

}  // namespace svc::page
