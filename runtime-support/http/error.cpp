#include "http/error.hpp"

namespace svc {

std::string_view name(Code code) {
    switch (code) {
        case Code::params_invalid:
            return "PARAMS_INVALID";
        case Code::unauthorized:
            return "UNAUTHORIZED";
        case Code::origin_not_allowed:
            return "ORIGIN_NOT_ALLOWED";
        case Code::origin_required:
            return "ORIGIN_REQUIRED";
        case Code::rate_limited:
            return "RATE_LIMITED";
        case Code::no_app:
            return "NO_APP";
        case Code::not_found:
            return "NOT_FOUND";
        case Code::method_not_allowed:
            return "METHOD_NOT_ALLOWED";
        case Code::table_forbidden:
            return "TABLE_FORBIDDEN";
        case Code::row_forbidden:
            return "ROW_FORBIDDEN";
        case Code::owner_stamp:
            return "OWNER_STAMP";
        case Code::field_forbidden:
            return "FIELD_FORBIDDEN";
        case Code::rule_refused:
            return "RULE_REFUSED";
        case Code::conflict:
            return "CONFLICT";
        case Code::transition_refused:
            return "TRANSITION_REFUSED";
        case Code::payload_too_large:
            return "PAYLOAD_TOO_LARGE";
        case Code::headers_too_large:
            return "HEADERS_TOO_LARGE";
        case Code::invalid_email:
            return "INVALID_EMAIL";
        case Code::weak_password:
            return "WEAK_PASSWORD";
        case Code::invalid_credentials_missing:
        case Code::invalid_credentials:
            return "INVALID_CREDENTIALS";
        case Code::invalid_role:
            return "INVALID_ROLE";
        case Code::email_taken:
            return "EMAIL_TAKEN";
        case Code::email_not_verified:
            return "EMAIL_NOT_VERIFIED";
        case Code::account_disabled:
            return "ACCOUNT_DISABLED";
        case Code::signup_disabled:
            return "SIGNUP_DISABLED";
        case Code::signup_invite_only:
            return "SIGNUP_INVITE_ONLY";
        case Code::database_error:
            return "DB_ERROR";
        case Code::unavailable:
            return "UNAVAILABLE";
        case Code::internal:
            return "INTERNAL";
        case Code::unauthenticated:
            return "UNAUTHENTICATED";
        case Code::session_required:
            return "SESSION_REQUIRED";
        case Code::forbidden_scope:
            return "FORBIDDEN_SCOPE";
        case Code::forbidden_role:
            return "FORBIDDEN_ROLE";
        case Code::bad_request:
            return "BAD_REQUEST";
        case Code::invalid_scope:
            return "INVALID_SCOPE";
        case Code::contract_invalid:
            return "CONTRACT_INVALID";
        case Code::project_busy:
            return "PROJECT_BUSY";
        case Code::hand_edited_files:
            return "HAND_EDITED_FILES";
        case Code::build_failed:
            return "BUILD_FAILED";
    }
    return "INTERNAL";
}

int status(Code code) {
    switch (code) {
        case Code::params_invalid:
        case Code::invalid_email:
        case Code::weak_password:
        case Code::invalid_credentials_missing:
        case Code::invalid_role:
        case Code::bad_request:
        case Code::invalid_scope:
            return 400;
        case Code::unauthorized:
        case Code::invalid_credentials:
        case Code::unauthenticated:
            return 401;
        case Code::origin_not_allowed:
        case Code::origin_required:
        case Code::table_forbidden:
        case Code::row_forbidden:
        case Code::owner_stamp:
        case Code::field_forbidden:
        case Code::email_not_verified:
        case Code::account_disabled:
        case Code::signup_disabled:
        case Code::signup_invite_only:
        case Code::session_required:
        case Code::forbidden_scope:
        case Code::forbidden_role:
            return 403;
        case Code::no_app:
        case Code::not_found:
            return 404;
        case Code::method_not_allowed:
            return 405;
        case Code::conflict:
        case Code::transition_refused:
        case Code::email_taken:
        case Code::project_busy:
        case Code::hand_edited_files:
            return 409;
        case Code::payload_too_large:
            return 413;
        case Code::rule_refused:
        case Code::contract_invalid:
            return 422;
        case Code::rate_limited:
            return 429;
        case Code::headers_too_large:
            return 431;
        case Code::database_error:
        case Code::internal:
        case Code::build_failed:
            return 500;
        case Code::unavailable:
            return 503;
    }
    return 500;
}

}  // namespace svc
