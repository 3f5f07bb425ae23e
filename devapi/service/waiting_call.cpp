// Makes a call wait for workers, and for a slot if it is a long call.
#include <algorithm>
#include <functional>
#include <iterator>

#include "calls/call_note.hpp"
#include "calls/dispatch.hpp"
#include "service/dev_call.hpp"

namespace svc::devapi {
namespace {

constexpr int kRetryAfter = 5;  // seconds

// Builds, copies, and whatever runs what somebody wrote.
bool is_long(const Route& route) {
    constexpr std::string_view kShort[] = {"/projects/:id/keys", "/projects/:id/preview-token"};
    if (route.follows) return false;
    if (route.pattern == "/mcp" || route.pattern == "/components/check")
        return route.method == "POST";
    if (std::ranges::find(kShort, route.pattern) != std::end(kShort)) return false;
    if (route.pattern == "/projects/:id/files/check") return true;  // reads a whole store
    const bool drops = route.method == "DELETE" && (route.pattern == "/projects/:id" ||
                                                    route.pattern == "/projects/:id/preview");
    return drops || (route.method == "POST" && route.has_project());
}

// A client of tools names its project later: a token has its workspace, a session its account.
LongCalls::Owner owner_of(const Request& request) {
    const std::string& account = request.caller.user_id;
    if (request.project) return {request.project->workspace_id, account};
    const std::string& pinned = request.caller.workspace_id;
    return {pinned.empty() ? account : pinned, account};
}

}  // namespace

// A long call of one workspace may take minutes. Sign-ins, reads and long calls of other workspaces
// do not wait for it.
Task<> DevService::run(Call& call) {
    if (is_long(*call.route)) {
        co_await run_long(call);
        co_return;
    }
    const std::function<void()> work =
        std::bind_front(&DevService::dispatch_call, this, std::ref(call));
    Workers& workers = call.route->follows ? followers_ : workers_;
    co_await workers.run(work);
}

Task<> DevService::run_long(Call& call) {
    const std::function<void()> admit =
        std::bind_front(&DevService::admit_call, this, std::ref(call));
    co_await workers_.run(admit);
    if (!call.admitted) co_return;
    const LongCalls::Owner owner = owner_of(call.request);
    const bool entered = co_await long_calls_.enter(owner);
    if (!entered) {
        const std::function<void()> refuse =
            std::bind_front(&DevService::turn_away, this, std::ref(call));
        co_await workers_.run(refuse);
        co_return;
    }
    const LongCalls::Slot slot(long_calls_, owner);
    const std::function<void()> work =
        std::bind_front(&DevService::perform_call, this, std::ref(call));
    co_await slow_.run(work);
}

void DevService::dispatch_call(Call& call) const noexcept {
    dispatch(context_, *call.route, call.request, call.response);
}

void DevService::admit_call(Call& call) const noexcept {
    call.admitted = admit(context_, *call.route, call.request, call.response);
}

// If the caller was removed or the token revoked while the call waited, it is refused.
void DevService::perform_call(Call& call) const noexcept {
    if (admit_again(context_, *call.route, call.request, call.response))
        perform(context_, *call.route, call.request, call.response);
}

void DevService::turn_away(Call& call) const noexcept {
    call.response.header("Retry-After", std::to_string(kRetryAfter));
    call.response.refuse(
        Code::rate_limited,
        "Too many long calls of this workspace or account are running right now; at most " +
            std::to_string(context_.config.long_calls) +
            " may run at a time. Wait until one has ended, and try again.");
    note_call(context_, *call.route, call.request, call.response);
}

}  // namespace svc::devapi
