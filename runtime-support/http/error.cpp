#include "http/error.hpp"

#include <array>
#include <cstddef>

namespace svc {
namespace {

struct CodeRow {
    Code code;
    std::string_view name;
    int status;
};

constexpr std::array kCodeRows = {
    CodeRow{Code::params_invalid, "PARAMS_INVALID", 400},
    CodeRow{Code::missing_query, "MISSING_QUERY", 400},
    CodeRow{Code::missing_tables, "MISSING_TABLES", 400},
    CodeRow{Code::unauthorized, "UNAUTHORIZED", 401},
    CodeRow{Code::origin_not_allowed, "ORIGIN_NOT_ALLOWED", 403},
    CodeRow{Code::origin_required, "ORIGIN_REQUIRED", 403},
    CodeRow{Code::rate_limited, "RATE_LIMITED", 429},
    CodeRow{Code::no_app, "NO_APP", 404},
    CodeRow{Code::not_found, "NOT_FOUND", 404},
    CodeRow{Code::method_not_allowed, "METHOD_NOT_ALLOWED", 405},
    CodeRow{Code::table_forbidden, "TABLE_FORBIDDEN", 403},
    CodeRow{Code::row_forbidden, "ROW_FORBIDDEN", 403},
    CodeRow{Code::owner_stamp, "OWNER_STAMP", 403},
    CodeRow{Code::field_forbidden, "FIELD_FORBIDDEN", 403},
    CodeRow{Code::rule_refused, "RULE_REFUSED", 422},
    CodeRow{Code::function_failed, "FUNCTION_FAILED", 422},
    CodeRow{Code::conflict, "CONFLICT", 409},
    CodeRow{Code::transition_refused, "TRANSITION_REFUSED", 409},
    CodeRow{Code::stale, "STALE", 412},
    CodeRow{Code::idempotency_mismatch, "IDEMPOTENCY_MISMATCH", 409},
    CodeRow{Code::server_key_required, "SERVER_KEY_REQUIRED", 403},
    CodeRow{Code::payload_too_large, "PAYLOAD_TOO_LARGE", 413},
    CodeRow{Code::headers_too_large, "HEADERS_TOO_LARGE", 431},
    CodeRow{Code::invalid_email, "INVALID_EMAIL", 400},
    CodeRow{Code::weak_password, "WEAK_PASSWORD", 400},
    CodeRow{Code::invalid_credentials_missing, "INVALID_CREDENTIALS", 400},
    CodeRow{Code::invalid_credentials, "INVALID_CREDENTIALS", 401},
    CodeRow{Code::invalid_role, "INVALID_ROLE", 400},
    CodeRow{Code::email_taken, "EMAIL_TAKEN", 409},
    CodeRow{Code::email_not_verified, "EMAIL_NOT_VERIFIED", 403},
    CodeRow{Code::account_disabled, "ACCOUNT_DISABLED", 403},
    CodeRow{Code::signup_disabled, "SIGNUP_DISABLED", 403},
    CodeRow{Code::signup_invite_only, "SIGNUP_INVITE_ONLY", 403},
    CodeRow{Code::missing_token, "MISSING_TOKEN", 400},
    CodeRow{Code::invalid_token, "INVALID_TOKEN", 400},
    CodeRow{Code::token_used, "TOKEN_USED", 400},
    CodeRow{Code::user_not_found, "USER_NOT_FOUND", 400},
    CodeRow{Code::self_lockout, "SELF_LOCKOUT", 400},
    CodeRow{Code::invalid_code, "INVALID_CODE", 401},
    CodeRow{Code::mfa_required, "MFA_REQUIRED", 403},
    CodeRow{Code::last_owner, "LAST_OWNER", 409},
    CodeRow{Code::org_forbidden, "ORG_FORBIDDEN", 403},
    CodeRow{Code::topic_invalid, "TOPIC_INVALID", 400},
    CodeRow{Code::topic_forbidden, "TOPIC_FORBIDDEN", 403},
    CodeRow{Code::topic_publish_forbidden, "TOPIC_PUBLISH_FORBIDDEN", 403},
    CodeRow{Code::bad_signature, "BAD_SIGNATURE", 401},
    CodeRow{Code::input_too_large, "INPUT_TOO_LARGE", 400},
    CodeRow{Code::budget_exceeded, "BUDGET_EXCEEDED", 402},
    CodeRow{Code::insufficient_credits, "INSUFFICIENT_CREDITS", 402},
    CodeRow{Code::tool_not_allowed, "TOOL_NOT_ALLOWED", 403},
    CodeRow{Code::model_not_allowed, "MODEL_NOT_ALLOWED", 403},
    CodeRow{Code::ai_disabled, "AI_DISABLED_FOR_PROJECT", 503},
    CodeRow{Code::embedding_not_configured, "EMBEDDING_NOT_CONFIGURED", 503},
    CodeRow{Code::provider_error, "PROVIDER_ERROR", 503},
    CodeRow{Code::signature_invalid, "SIGNATURE_INVALID", 403},
    CodeRow{Code::mime_not_allowed, "MIME_NOT_ALLOWED", 415},
    CodeRow{Code::invalid_size, "INVALID_SIZE", 400},
    CodeRow{Code::too_large, "TOO_LARGE", 413},
    CodeRow{Code::quota_exceeded, "QUOTA_EXCEEDED", 413},
    CodeRow{Code::invalid_multipart, "INVALID_MULTIPART", 400},
    CodeRow{Code::missing_file, "MISSING_FILE", 400},
    CodeRow{Code::invalid_id, "INVALID_ID", 400},
    CodeRow{Code::storage_error, "STORAGE_ERROR", 500},
    CodeRow{Code::meta_insert_failed, "META_INSERT_FAILED", 500},
    CodeRow{Code::not_in_allowlist, "NOT_IN_ALLOWLIST", 403},
    CodeRow{Code::integration_not_connected, "INTEGRATION_NOT_CONNECTED", 403},
    CodeRow{Code::execution_error, "EXECUTION_ERROR", 500},
    CodeRow{Code::mcp_tool_not_found, "MCP_TOOL_NOT_FOUND", 404},
    CodeRow{Code::not_an_order, "NOT_AN_ORDER", 400},
    CodeRow{Code::bad_table, "BAD_TABLE", 400},
    CodeRow{Code::bad_contract, "BAD_CONTRACT", 400},
    CodeRow{Code::order_not_found, "ORDER_NOT_FOUND", 404},
    CodeRow{Code::no_card_payment, "NO_CARD_PAYMENT", 404},
    CodeRow{Code::payment_mismatch, "PAYMENT_MISMATCH", 409},
    CodeRow{Code::payment_processing, "PAYMENT_PROCESSING", 409},
    CodeRow{Code::already_paid, "ALREADY_PAID", 409},
    CodeRow{Code::stripe_not_connected, "STRIPE_NOT_CONNECTED", 503},
    CodeRow{Code::stripe_error, "STRIPE_ERROR", 502},
    CodeRow{Code::admin_required, "", 403},
    CodeRow{Code::database_error, "DB_ERROR", 500},
    CodeRow{Code::unavailable, "UNAVAILABLE", 503},
    CodeRow{Code::bad_request, "BAD_REQUEST", 400},
    CodeRow{Code::internal, "INTERNAL", 500},
};

constexpr bool codes_in_order() {
    for (std::size_t i = 0; i < kCodeRows.size(); ++i) {
        if (static_cast<std::size_t>(kCodeRows[i].code) != i) return false;
    }
    return kCodeRows.size() == static_cast<std::size_t>(Code::internal) + 1;
}
static_assert(codes_in_order(), "every code has its row, at its place");

}  // namespace

std::string_view name(Code code) { return kCodeRows[static_cast<std::size_t>(code)].name; }

int status(Code code) { return kCodeRows[static_cast<std::size_t>(code)].status; }

}  // namespace svc
