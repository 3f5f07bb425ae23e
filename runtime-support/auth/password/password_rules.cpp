#include "auth/password/password_rules.hpp"

#include "auth/password/common_passwords.hpp"
#include "base/utf8.hpp"

namespace svc::auth::password {
namespace {

// More than anybody types, and no cheap way to keep the hashing threads busy.
constexpr std::size_t kMostBytes = 1024;

}  // namespace

identity::Result<void> check_password(const App& app, std::string_view password,
                                      std::string_view member) {
    const std::size_t least = app.auth.min_password;
    const auto weak = [member](std::string message) {
        return identity::refusal(Code::weak_password, std::move(message), std::string(member));
    };
    if (base::characters(password) < least)
        return weak("A password needs at least " + std::to_string(least) + " characters.");
    if (app.auth.refuse_common && is_common_password(password))
        return weak("This password is too common. Choose another one.");
    if (password.size() > kMostBytes) return weak("A password may have at most 1,024 bytes.");
    return {};
}

}  // namespace svc::auth::password
