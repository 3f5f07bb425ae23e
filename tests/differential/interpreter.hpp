// A fifth opinion: the typed tree read as the contract's page says it, over rows in memory. It
// knows nothing of SQL; of the back ends it shares only how numbers and days are reckoned with C++.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"
#include "svc/predicate.hpp"
#include "world.hpp"

namespace svc::differential {

// Null is the first.
using Value =
    std::variant<std::monostate, bool, Number, std::string, Day, TimeOfDay, Moment, Span, TagList>;

// Expressions that it does not evaluate: lower, upper, matches, midnights of other zones.
struct NoOpinion : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Interpreter {
  public:
    Interpreter(const model::Model& model, const plan::Plan& plan, const World& world);

    // Nothing if it has no opinion.
    std::optional<std::vector<Answers>> answers(const model::Expr& expr, bool rule);

  private:
    using Row = const Cells*;

    bool holds(const model::Expr& expr) { return is(value(expr)); }
    static bool is(const Value& value);
    Value value(const model::Expr& expr);
    Value literal(const model::Expr& expr) const;
    Value call(const model::Expr& expr);
    Value over_rows(const model::Expr& expr);
    Value about_texts(const model::Expr& expr);
    Value chosen(const model::Expr& expr);
    Value arithmetic(const model::Expr& expr);
    Value user(model::CallerAttribute attribute) const;
    bool compare(const model::Expr& expr);
    bool member(const model::Expr& expr);
    Value field(const model::Step& step, Row row) const;
    std::vector<Value> reached(const model::Expr& path);
    std::vector<Row> next(const model::Step& step, Row row) const;
    std::size_t column(std::size_t entity, const std::string& name) const;
    Value midnight(const Value& day) const;

    const model::Model& model_;
    const plan::Plan& plan_;
    const World& world_;
    std::vector<Person> people_;
    const Person* person_ = nullptr;
    Row row_ = nullptr, before_ = nullptr, after_ = nullptr;
};

}  // namespace svc::differential
