// Complete answers: a page with its frame, an error page, a redirect to another page.
#pragma once

#include "page/visit.hpp"

namespace svc::page {

// Headers that every answer with a page has. `nonce`: of its scripts; empty: it has none.
// `forms_to`: an origin that its forms may lead to besides; empty: none.
void secure(http::Reply& reply, std::string_view nonce, std::string_view forms_to = {});

// The build that made a page. An apply that changes the contract changes it.
std::string_view build_mark(const App& app);

// 303 to a page of this app, or an https address of the contract's; anything else leads to this
// page again. After a form, the answer for another site is a page with a link to it that says what
// was done. `done`: one of a closed list of words; empty: no message.
void go_on(Visit& visit, const std::string& address, std::string_view done);

// The page with its heading and the menu around it.
struct Frame {
    std::string title;
    Html crumbs = {}, buttons = {}, body = {};
    std::string live = {};     // live_tables()
    std::string live_at = {};  // where their feeds were before the rows were read
    bool narrow = false;       // one card in the middle, and no menu
};
void answer_page(Visit& visit, int status, const Frame& frame);

// Answers with a page that says what happened and what to do about it.
void answer_problem(Visit& visit, int status, std::string_view title, std::string_view words);
// The same, for a request that failed before its page was known.
void answer_bare_problem(const Site& site, std::string_view app, http::Exchange& exchange,
                         int status, std::string_view title, std::string_view words);

// The address of the sign-in: the page with an auth block, else /sign-in; with ?next=.
std::string sign_in_address(const Visit& visit, std::string_view next);
// The local path of ?next= or of a form; empty if it is not a local path.
std::string next_of(const Visit& visit);

}  // namespace svc::page
