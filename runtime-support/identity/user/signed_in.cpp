#include "identity/user/signed_in.hpp"

#include "identity/credentials.hpp"
#include "identity/key/gate.hpp"

namespace svc::identity {

Task<Result<Caller>> signed_in(Identifier& identifier, const http::Head& head,
                               std::shared_ptr<const AppKey> key) {
    const ShownSession shown = shown_session(head);
    if (shown.by_cookie && !shown.token.empty())
        if (auto meant = check_cookie_use(head, *key); !meant) co_return meant.error();
    const auto found = co_await identifier.sessions().read(shown.token);
    if (!found) co_return found.error();
    if (!*found)
        co_return shown.token.empty() ? refusal(Code::unauthorized, "Sign in first.")
                                      : session_is_over();
    Caller caller(**found);
    caller.key = std::move(key);
    co_return std::move(caller);
}

}  // namespace svc::identity
