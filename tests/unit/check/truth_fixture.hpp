// Compares the exposure matrix with a real database: every caller tries every operation on every
// row as the data role, and reaches exactly the rows that the matrix says.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "check/exposure/exposure.hpp"
#include "unit/migrate/fixture.hpp"

namespace svc::truth {

using Ids = std::set<std::string>;

struct Case {
    std::string name, contract;
    std::vector<std::string> rows;  // inserts; :client and the like are accounts
};

// The account of the caller with this index in the matrix.
inline std::string account(std::size_t number) {
    return "00000000-0000-7000-8000-0000000000" + std::to_string(10 + number);
}

class Truth : public migrate::MigrateTest {
  protected:
    void hold(const Case& with);

  private:
    void enter(pqxx::transaction_base& work, const std::string& role, std::size_t caller);
    void fill(const Case& with);
    void try_entity(const plan::ServedEntity& served, std::size_t entity, std::size_t caller);
    std::string predicate(std::size_t entity, const check::Formula& rows) const;
    // Rows of `from` (aliased r) where the formula holds, asked as the owner.
    Ids expected(std::size_t entity, std::size_t caller, const check::Formula& rows,
                 const std::string& from);
    // The rows on which the caller's statement works; $id is the row's.
    Ids worked(std::size_t caller, const Ids& ids, const std::string& statement);
    // The number of rows that the caller's statement reaches without a condition of its own.
    void sweep(std::size_t caller, const std::string& statement, std::size_t expected);
    Ids created(const plan::ServedEntity& served, std::size_t caller);
    std::string new_row(const plan::ServedEntity& served, std::size_t caller) const;
    bool is_computed(const plan::ServedEntity& served, const std::string& column) const {
        for (const auto& entity : model_.entities) {
            if (entity.name != served.name) continue;
            for (const auto& field : entity.fields) {
                if (field.name == column) return field.computed != nullptr;
            }
        }
        return false;
    }
    bool has_account(std::size_t caller) const {
        using Kind = check::Caller::Kind;
        const Kind kind = exposure_.callers[caller].kind;
        return kind == Kind::staff || kind == Kind::consumer || kind == Kind::member;
    }

    // A member has the account of their persona.
    std::string account_of(std::size_t caller) const {
        const std::string& persona = exposure_.callers[caller].persona;
        for (std::size_t i = 0; i < caller; ++i) {
            if (exposure_.callers[i].name == persona) return account(i);
        }
        return account(caller);
    }

    model::Model model_;
    plan::Plan plan_;
    check::Exposure exposure_;
    std::unique_ptr<pqxx::connection> connection_;
};

}  // namespace svc::truth
