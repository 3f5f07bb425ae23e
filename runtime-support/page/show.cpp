#include "page/show.hpp"

#include "page/answer.hpp"
#include "page/block.hpp"
#include "page/form/form.hpp"
#include "page/html/icons.hpp"
#include "page/live.hpp"
#include "page/rights.hpp"
#include "page/rows/rows_query.hpp"

namespace svc::page {
namespace {

// A visitor who may change none of the fields has nothing to do in the form.
bool has_fields(const Visit& visit, const Entity& entity) {
    static constexpr Part kId[] = {{Part::route, "id"}};
    Block form;
    form.entity = &entity;
    form.id = kId;
    return !asked_columns(visit, form).empty();
}

Task<> write_edit(Visit& visit, const Page& page, Html& out) {
    const std::string_view route = edit_route(visit, *page.about);
    const bool asked = !route.empty() && !visit.missing && !visit.params.empty();
    if (!asked || !has_fields(visit, *page.about)) co_return;
    const std::string id = visit.params.front().second;
    const Rights rights = co_await rights_on(visit, *page.about, id);
    if (!rights.update) co_return;
    // If the row has a next step, that is the primary button.
    out << "<a class=\"button "
        << (page.about->lifecycle ? std::string_view("quiet") : std::string_view("primary"))
        << "\"";
    out.href(row_address(route, id)) << ">";
    out.markup(icon("pencil")) << "Edit</a>";
}

Task<Html> buttons_of(Visit& visit) {
    Html out;
    const Page& page = *visit.page;
    if (page.about && page.role == Page::rows)
        out << create_button(visit, *page.about, Block(), "primary");
    if (page.about && page.role == Page::row) co_await write_edit(visit, page, out);
    co_return out;
}

Html crumbs_of(const Visit& visit) {
    Html out;
    const Page& page = *visit.page;
    if (!page.about || page.role == Page::rows || page.role == Page::home) return out;
    const std::string_view route = list_route(visit, *page.about);
    if (route.empty()) return out;
    out << "<a";
    out.href(route) << ">" << table_of(visit, *page.about).plural << "</a>";
    return out;
}

// The first page of an app for somebody who sees nothing there yet.
void write_welcome(Html& out, const Visit& visit) {
    out << "<div class=\"hero\"><p>"
        << (visit.site().description.empty() ? std::string_view("Sign in to see what is yours.")
                                             : visit.site().description)
        << "</p>";
    if (!visit.signed_in()) {
        out << "<div class=\"buttons\"><a class=\"button primary\"";
        out.href(sign_in_address(visit, "/")) << ">Sign in</a>";
        if (visit.app().auth.signup == SignupPolicy::open)
            out << "<a class=\"button quiet\" href=\"/sign-up\">Sign up</a>";
        out << "</div>";
    }
    out << "</div>";
}

void write_auth(Html& out, const Visit& visit, const Block& block, const SignInState& state) {
    out << "<section class=\"block card-alone\">";
    if (!block.title.empty()) out << "<h2>" << block.title << "</h2>";
    if (visit.signed_in())
        out << "<p>You are signed in.</p>";
    else
        write_sign_in_forms(out, visit, state);
    out << "</section>";
}

// Metrics that follow each other stand side by side; cards with rows are wider than numbers.
std::string_view group_of(const Visit& visit, const Block& block) {
    if (block.kind != Block::metric) return {};
    return is_overview(visit, block) ? "metrics overview" : "metrics";
}

void change_group(Html& out, std::string_view& now, std::string_view next) {
    if (now == next) return;
    if (!now.empty()) out << "</div>";
    if (!next.empty()) out << "<div class=\"" << next << "\">";
    now = next;
}

Task<> write_blocks(Visit& visit, const SignInState* state, Html& out) {
    std::string_view group;
    for (std::size_t i = 0; i < visit.page->body.size(); ++i) {
        const Block& block = visit.page->body[i];
        if (block.kind == Block::auth && visit.sees(block.to)) {
            const bool shown = state && state->block == i;
            SignInState one = shown ? *state : sign_in_state_of(visit, block, i);
            co_await read_providers(visit, one);
            change_group(out, group, {});
            write_auth(out, visit, block, one);
            continue;
        }
        Html one;
        co_await write_block(visit, block, i, one);
        if (one.empty()) continue;
        change_group(out, group, group_of(visit, block));
        out << std::move(one);
    }
    change_group(out, group, {});
}

}  // namespace

SignInState sign_in_state_of(const Visit& visit, const Block& block, std::size_t number) {
    return {.kind = SignInKind::sign_in,
            .block = number,
            .signup = block.signup,
            .then = filled(visit, block.then, nullptr, Fill::address),
            .methods = block.methods};
}

Task<> show_page(Visit& visit, const SignInState* state) {
    Frame frame;
    frame.live = live_tables(visit);
    // Before the rows are read: what is written meanwhile is told twice, never not.
    if (!frame.live.empty()) frame.live_at = co_await visit.in.recent_place(visit.caller);
    co_await write_blocks(visit, state, frame.body);
    frame.title = visit.title.empty() ? std::string(visit.page->title) : visit.title;
    if (visit.missing && visit.page->about) {
        answer_problem(visit, 404, "Not found", "This does not exist, or is not yours to see.");
        co_return;
    }
    if (frame.body.empty() && visit.page->role == Page::home) {
        frame.title = visit.app().name;
        write_welcome(frame.body, visit);
    } else if (frame.body.empty()) {
        frame.body << "<p class=\"empty\">There is nothing here for you.</p>";
    }
    frame.buttons = co_await buttons_of(visit);
    frame.crumbs = crumbs_of(visit);
    const bool wrong = visit.problems && !visit.problems->finds;
    answer_page(visit, wrong ? 422 : 200, frame);
}

}  // namespace svc::page
