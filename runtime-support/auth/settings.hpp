// The settings of an app server that the account routes use.
#pragma once

#include <string>

namespace svc::auth {

struct Settings {
    std::string secret;  // SVC_SECRET: what is signed is signed with keys made from it
    std::string origin;  // SVC_ORIGIN: where the app's pages are, for links in mails; may be empty
    unsigned rate_signup = 10;  // SVC_RATE_SIGNUP, an hour and address
    unsigned rate_login = 10;   // SVC_RATE_LOGIN, failures in 15 minutes, account and address
    unsigned rate_mail = 5;     // SVC_RATE_MAIL, an hour and account; ten times that an address
};

}  // namespace svc::auth
