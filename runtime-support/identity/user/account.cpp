#include "identity/user/account.hpp"

namespace svc::identity {

void AccountRow::row(const Row& row) {
    account.emplace();
    account->user.id = row.text(0);
    account->user.email = row.text(1);
    account->user.name = row.text(2);
    account->user.role = row.text(3);
    account->user.is_admin = row.text(4) == "t";
    account->password_hash = row.text(5);
    account->disabled = row.text(6) == "t";
    account->verified = row.text(7) == "t";
}

}  // namespace svc::identity
