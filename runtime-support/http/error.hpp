// The closed list of error codes that app servers answer, each with its status. A code is never
// reused for another meaning. Database codes (SQLSTATE) travel beside it as text.
// Source: docs/http/app.md, "Errors".
#pragma once

#include <string>
#include <string_view>

namespace svc {

enum class Code {
    params_invalid,
    missing_query,
    missing_tables,
    unauthorized,
    origin_not_allowed,
    origin_required,
    rate_limited,
    no_app,
    not_found,
    method_not_allowed,
    table_forbidden,
    row_forbidden,
    owner_stamp,
    field_forbidden,
    rule_refused,
    function_failed,  // 422 FUNCTION_FAILED: by a step of its own
    conflict,
    transition_refused,
    stale,                 // 412 STALE: If-Match names another version
    idempotency_mismatch,  // 409: the key came with another request before
    server_key_required,
    payload_too_large,
    headers_too_large,
    invalid_email,
    weak_password,
    invalid_credentials_missing,  // 400 INVALID_CREDENTIALS
    invalid_credentials,          // 401 INVALID_CREDENTIALS
    invalid_role,
    email_taken,
    email_not_verified,
    account_disabled,
    signup_disabled,
    signup_invite_only,
    missing_token,
    invalid_token,
    token_used,
    user_not_found,
    self_lockout,
    invalid_code,  // 401: of a second factor
    mfa_required,  // 403: a session good for enrolment only
    last_owner,
    org_forbidden,
    topic_invalid,
    topic_forbidden,
    topic_publish_forbidden,
    bad_signature,  // 401: of a webhook's call
    input_too_large,
    budget_exceeded,
    insufficient_credits,
    tool_not_allowed,
    model_not_allowed,
    ai_disabled,
    embedding_not_configured,
    provider_error,
    signature_invalid,   // 403: of an upload or a link to a file
    mime_not_allowed,    // 415
    invalid_size,        // 400
    too_large,           // 413 TOO_LARGE: a file
    quota_exceeded,      // 413
    invalid_multipart,   // 400
    missing_file,        // 400
    invalid_id,          // 400
    storage_error,       // 500
    meta_insert_failed,  // 500
    not_in_allowlist,
    integration_not_connected,
    execution_error,  // 500: an action could not be run
    mcp_tool_not_found,
    not_an_order,  // 400: of payments, as all down to STRIPE_ERROR
    bad_table,
    bad_contract,
    order_not_found,
    no_card_payment,
    payment_mismatch,
    payment_processing,    // 409: a card payment is under way
    already_paid,          // 409
    stripe_not_connected,  // 503
    stripe_error,          // 502
    admin_required,        // 403 without a code: "Admin required"
    database_error,        // 500 DB_ERROR
    unavailable,           // 503 UNAVAILABLE: pool full, database lost; sent with Retry-After
    bad_request,
    internal,  // 500 INTERNAL
};

// The code that the client reads: "PARAMS_INVALID"; empty if the answer has none.
std::string_view name(Code code);
int status(Code code);

// The answer of a handler instead of its result. If `sqlstate` is set, the client reads it as the
// code instead of name(code). `field` is the column at fault.
struct Error {
    Code code = Code::internal;
    std::string message{};
    std::string field{};
    std::string sqlstate{};
    std::string extra{};  // further members of the error object, as JSON: ,"allowed":["ship"]
};

}  // namespace svc
