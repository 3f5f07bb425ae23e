// Signing in, signing up, asking for a new password: forms without a script, over the routes of
// accounts.
#pragma once

#include "page/visit.hpp"

namespace svc::page {

enum class SignInKind { sign_in, sign_up, reset };

// The state of a sign-in form, beside the visit.
struct SignInState {
    SignInKind kind = SignInKind::sign_in;
    std::size_t block = 0;              // of the page; 0 where the page is the sign-in page itself
    bool signup = true;                 // people may make an account here
    std::string then = {};              // where it leads without ?next=
    std::string pending = {};           // a sign-in that waits for its second factor
    bool code = true, passkey = false;  // which ones may be shown
    std::string mailed = {};            // what to say in place of the form
    List<std::string_view> methods{};   // those that are offered; empty: all of the app's
    // Sign-in providers: those of the contract, and those that an administrator has added.
    struct Provider {
        std::string id, label;
    };
    std::vector<Provider> providers = {};
};

bool offers(const SignInState& state, std::string_view method);
Task<> read_providers(Visit& visit, SignInState& state);

void write_sign_in_forms(Html& out, const Visit& visit, const SignInState& state);
// Handles the form. If it does not answer the request, `state` and visit.problems say what to show.
Task<Progress> enter(Visit& visit, SignInState& state);
// /sign-in, /sign-up, /reset
Task<> answer_sign_in_page(Visit& visit, SignInKind kind);
// Ends the session.
Task<> leave(Visit& visit);

// A refusal of an account route, as a sentence for people.
std::string account_words(const Answer& answer);
// {"email": …}: texts of a form as a body.
std::string body_of(std::initializer_list<std::pair<std::string_view, std::string_view>> members);

}  // namespace svc::page
