// A second reading of the contract: access, rules and lifecycles for a row and one caller, as plain
// SQL for the owner, without policies. It shares only the typed expressions with the compiler. The
// caller is constant in the SQL, each comparison with null is false, and days and moments are
// PostgreSQL's own on a connection in the app's timezone.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.hpp"
#include "verify/verify_caller.hpp"

namespace svc::devapi::verification {

enum class Operation : std::uint8_t { read, create, update, remove };

class Oracle {
  public:
    Oracle(const model::Model& model, const VerifyCaller& caller)
        : model_(model), caller_(caller) {}

    // SQL that is true or false, never null: may the caller do this to the row `alias` of the
    // entity? For update and delete the row exists. For create its owner columns do not count: see
    // stamped().
    std::string may(Operation operation, std::size_t entity, const std::string& alias);
    // SQL that holds for a new row whose owner is its maker.
    std::string stamped(std::size_t entity, const std::string& alias) const;
    // May the caller change this field of the row `before`, which becomes `after`? may() decides
    // about both rows besides.
    std::string may_change(std::size_t entity, std::size_t field, const std::string& before,
                           const std::string& after);
    // A condition about the row `row`, or about `fresh` and `old` (rules); "" if there is none.
    struct Rows {
        std::string row{}, fresh{}, old{};
        const std::map<std::string, std::string>* parts = nullptr;  // of a topic's name
    };
    std::string holds(const model::Expr& condition, const Rows& rows);
    // True if the caller may use the topic whose name has these parts.
    using Parts = std::map<std::string, std::string>;
    std::string may_use(const std::vector<model::TopicGrant>& grants, const Parts& parts);

  private:
    struct Walk {
        std::string from, where, last;
    };

    std::string granted(Operation operation, std::size_t entity, const std::string& alias);
    std::string denied(Operation operation, std::size_t entity, const std::string& alias);
    std::string any(const std::vector<model::Grant>& grants, const std::string& alias);
    std::string value(const model::Expr& expr, const Rows& rows);
    std::string literal(const model::Expr& expr) const;
    std::string compared(const model::Expr& expr, const Rows& rows);
    std::string among(const model::Expr& expr, const Rows& rows);
    std::string reckoned(const model::Expr& expr, const Rows& rows);
    std::string path(const model::Expr& expr, const Rows& rows, const std::string& what);
    std::string of_caller(model::CallerAttribute attribute) const;
    static std::string part(const model::Expr& expr, const Rows& rows);
    static std::string interval(const std::string& text);  // of a duration such as 3d
    std::string column(const model::Step& step, const std::string& alias) const;
    std::string called(const model::Expr& call, const Rows& rows);
    std::string over_rows(const model::Expr& call, const Rows& rows);
    std::string of_text(const model::Expr& call, const Rows& rows);
    std::string can(const model::Expr& call, const Rows& rows);
    std::string fresh_alias() { return "o" + std::to_string(++aliases_); }

    const model::Model& model_;
    const VerifyCaller& caller_;
    int aliases_ = 0;
};

}  // namespace svc::devapi::verification

template <>
struct svc::base::Words<svc::devapi::verification::Operation> {
    static constexpr std::array<std::string_view, 4> kAll = {"read", "create", "update", "delete"};
};
