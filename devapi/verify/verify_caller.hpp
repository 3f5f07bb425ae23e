// The callers of a verification: every kind that the contract distinguishes, with temporary
// accounts.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"

namespace svc::devapi::verification {

struct VerifyCaller {
    std::string name;  // as a report says it: "customer (1)", "guest"
    bool guest = false, server = false, staff = false, is_admin = false;
    std::string persona;                 // empty: none
    std::vector<std::string> acts_as{};  // personas
    std::string id, email;               // of the account; empty: none
    std::string org, org_role;

    bool is(const model::Principal& principal) const;
    bool is_any(const std::vector<model::Principal>& principals) const;
    // The field, of rows that they may read.
    bool reads(const model::Field& field) const;
    // The values of svc.principals and svc.claims for this caller.
    std::string names() const;
    std::string claims() const;
};

// Two organisations and two accounts a persona; the first of each works for the first one.
inline constexpr const char* kOrgs[] = {"0198b6a0-0000-7000-8000-00000000c0a1",
                                        "0198b6a0-0000-7000-8000-00000000c0a2"};

std::vector<VerifyCaller> all_callers(const model::Model& model);
// An administrator of each persona. The first is among all_callers().
std::vector<VerifyCaller> all_admins(const model::Model& model);
// Members of the first organisation, whose accounts have their role there: callers that no server
// vouches for. Each persona and each role is among them, not each persona in each role.
std::vector<VerifyCaller> all_members(const model::Model& model);

}  // namespace svc::devapi::verification
