#include "calls/call_note.hpp"

#include <algorithm>

#include "calls/context.hpp"
#include "http/fields.hpp"
#include "log/log.hpp"
#include "platform/audit.hpp"
#include "platform/log_words.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kLongestTarget = 300;
constexpr std::size_t kLongestRecorded = 64 * 1024;

// Members of a body that say what it is about. Contracts, rows, SQL and secrets are none of the
// record's business.
std::string recorded_in(std::string_view body, bool first) {
    constexpr const char* kRecorded[] = {"env",        "op",      "table",      "as",
                                         "subdomain",  "preview", "skipVerify", "role",
                                         "requireMfa", "email"};
    if (body.size() > kLongestRecorded) return {};
    const json object = json::parse(body, nullptr, false);
    std::string out;
    for (const char* name : kRecorded) {
        const auto member = object.is_object() ? object.find(name) : object.end();
        if (member == object.end() || (!member->is_string() && !member->is_boolean())) continue;
        out += std::string(first ? "" : " ") + name + "=" +
               (member->is_string() ? member->get<std::string>() : member->dump());
        first = false;
    }
    return out;
}

// Changes a caller's text so that the database can store it.
std::string kept_text(std::string text) {
    text.resize(std::min(text.size(), kLongestTarget));
    for (char& c : text)
        if (c < ' ' || c > '~') c = '?';
    return text;
}

// The entry has the id of a project in a separate column.
std::string target_of(const Request& request) {
    std::string out;
    for (const auto& [name, value] : request.params)
        if (name != "id" && name != "workspace")
            out += (out.empty() ? "" : " ") + name + "=" + value;
    out += recorded_in(request.body, out.empty());
    return kept_text(out);
}

// A text of the answer; empty if it has no such member.
std::string answered(const Response& response, const char* member) {
    const json body = json::parse(response.body, nullptr, false);
    const auto found = body.is_object() ? body.find(member) : body.end();
    return found != body.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool reads_prod(const Route& route, const Request& request) {
    return route.shows && dev_or_prod(query_value(request.query, "env")) == Env::prod;
}

// The requested part of prod; the query as it was sent.
std::string prod_target(const Request& request) {
    std::string out = "env=prod";
    for (const char* name : {"kind", "to"})
        if (const auto value = query_value(request.query, name); !value.empty())
            out += std::string(" ") + name + "=" + value;
    return kept_text(out);
}

bool goes_unnoted(const Route& route, const Request& request) {
    const bool reads = route.reads || request.method == "GET" || request.method == "HEAD";
    return reads && !reads_prod(route, request);
}

// Records calls of known callers that change something or show people of prod, also if they were
// refused.
void note(Context& context, const Route& route, const Request& request, const Response& response) {
    const Caller& caller =
        request.caller.kind == Caller::Kind::nobody ? response.actor : request.caller;
    if (caller.user_id.empty() || goes_unnoted(route, request)) return;
    AuditEntry entry;
    entry.user_id = caller.user_id;
    entry.email = caller.email;
    entry.auth = caller.kind == Caller::Kind::token     ? "pat"
                 : caller.kind == Caller::Kind::session ? "session"
                                                        : "";
    entry.workspace_id = request.project                 ? request.project->workspace_id
                         : response.workspace_id.empty() ? caller.workspace_id
                                                         : response.workspace_id;
    if (request.project) entry.project_id = request.project->id;
    entry.action = std::string(request.method) + " " + std::string(route.pattern);
    entry.target = reads_prod(route, request) ? prod_target(request) : target_of(request);
    entry.address = request.remote;
    entry.status = response.status;
    if (response.status >= 400) entry.code = answered(response, "code");
    if (response.status == 201 && entry.target.empty())
        if (const auto made = answered(response, "id"); !made.empty()) entry.target = "id=" + made;
    record(context.store, entry);
}

}  // namespace

void note_call(Context& context, const Route& route, const Request& request,
               const Response& response) noexcept try {
    note(context, route, request, response);
} catch (const std::exception& error) {
    log::write(log::Level::error, "audit_not_written",
               {{"method", request.method}, {"path", request.path}, {"what", log_words(error)}});
}

}  // namespace svc::devapi
