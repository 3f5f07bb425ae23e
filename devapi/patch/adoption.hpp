// Writes an unmanaged table as an entity of a contract.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/database/unmanaged.hpp"
#include "model/model.hpp"
#include "patch/adopted_checks.hpp"

namespace svc::devapi::patch {

struct Owned {
    bool user = false, org = false;
};

// A field as it is put together: members as JSON.
struct NewField {
    std::string name;
    std::optional<model::FieldType> type;  // none: not found yet
    std::string rest;
    void add(std::string_view member, std::string_view json);
    std::string text() const;
};

// All functions throw EditError if a contract cannot describe the table.
class Adoption {
  public:
    Adoption(const std::string& contract, const std::string& name, const Unmanaged& table,
             std::optional<std::string> owner)
        : contract_(contract), name_(name), table_(table), owner_(std::move(owner)) {}

    std::string entity();
    std::vector<migrate::Replaced> replaced() const;

  private:
    [[noreturn]] void refuse(const std::string& sentence) const;
    [[noreturn]] void refuse_column(const std::string& column, const std::string& reason) const;
    const UnmanagedColumn* column(std::string_view name) const;
    const UnmanagedConstraint* on(const std::string& column, UnmanagedConstraint::Kind kind) const;
    bool foreign(const std::string& column) const {
        return on(column, UnmanagedConstraint::Kind::foreign) != nullptr;
    }

    void need_key() const;
    std::string owner();
    void need_type(std::string_view column, const char* type, const char* who) const;
    static bool made(const std::string& column);  // by the compiler: no field
    NewField field(const UnmanagedColumn& column) const;
    void take_type(const UnmanagedColumn& column, NewField& field, Limits& limits) const;
    // Throws EditError.
    void refuse_type(const UnmanagedColumn& column) const;
    void take_foreign(const UnmanagedColumn& column, NewField& field) const;
    void take_checks(const UnmanagedColumn& column, Limits& limits) const;
    void take_default(const UnmanagedColumn& column, NewField& field) const;
    void write(const Limits& limits, NewField& field) const;
    std::string unique_lists() const;
    void need_no_others() const;

    const std::string& contract_;
    const std::string& name_;
    const Unmanaged& table_;
    std::optional<std::string> owner_;
    Owned owned_;
};

}  // namespace svc::devapi::patch
