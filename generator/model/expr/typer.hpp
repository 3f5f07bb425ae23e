// The type checker of one expression. Its parts: typer.cpp conditions and literals,
// typer_arithmetic.cpp sums, typer_compare.cpp comparisons, typer_as.cpp conversions,
// typer_path.cpp paths, typer_flow.cpp paths of functions and workflows, typer_call.cpp functions,
// typer_rows.cpp those over rows, typer_caller.cpp those about the caller.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/expr/flow_type.hpp"
#include "model/expr/syntax.hpp"
#include "model/expr/typing.hpp"

namespace svc::model {

// The position that a path of a function or workflow has reached.
struct FlowPlace {
    const FlowType* type;
    FlowType made;  // what `type` points to where nothing else holds it
};

class Typer {
  public:
    Typer(const ExprScope& scope, Written written, diag::Findings& findings)
        : scope_(scope), written_(std::move(written)), findings_(findings) {}

    // All of these return null after a finding.
    ExprPtr value(const Syntax& node);      // of one row: neither rows nor a list
    ExprPtr condition(const Syntax& node);  // a boolean value
    ExprPtr any(const Syntax& node);        // rows and lists too
    // `expr` as a value of `type`, if it is one or is a literal that can be written as one.
    ExprPtr as(const ExprPtr& expr, ExprType type, const Syntax& node);
    // Checks that a literal is among the values that the other side can have.
    bool known_value(const ExprPtr& literal, const std::vector<std::string>& values,
                     const Syntax& node);
    ExprPtr fail(const Syntax& node, std::string code, const std::string& message,
                 std::string fix = {});

  private:
    ExprPtr literal(const Syntax& node);
    ExprPtr negated(const Syntax& node);
    ExprPtr as_condition(const ExprPtr& expr, const Syntax& node);
    ExprPtr joined(const Syntax& node);
    ExprPtr compared(const Syntax& node);
    ExprPtr member_of(const Syntax& node);
    ExprPtr item_of_list(const Syntax& node, ExprPtr left, std::vector<ExprPtr> items);
    ExprPtr member_of_many(const Syntax& node, ExprPtr left, const ExprPtr& right);
    ExprPtr arithmetic(const Syntax& node);
    ExprType sum_type(ExprKind kind, ExprType left, ExprType right) const;
    bool makes_day(ExprKind kind, const Expr& left, const Expr& right) const;
    ExprPtr not_reckoned(const Syntax& node, const Expr& left, const Expr& right);
    ExprPtr mismatch(const Syntax& node, const ExprPtr& left, const ExprPtr& right);
    // Converts a date to a datetime: its midnight in the app's time zone.
    ExprPtr moment(const ExprPtr& date) const;
    // Brings two values to one type; false after a finding.
    bool unify(ExprPtr& left, ExprPtr& right, const Syntax& node);
    std::vector<std::string> values_of(const Expr& expr) const;

    ExprPtr path(const Syntax& node);
    ExprPtr user_path(const Syntax& node);
    ExprPtr part_path(const Syntax& node);
    ExprPtr row_path(const Syntax& node, Root root, std::size_t begin);
    bool step(const Syntax& node, const std::string& name, bool last, Expr& out,
              std::size_t& entity);
    bool walk(const std::string& name, Expr& out, std::size_t& entity) const;
    bool last_step(const std::string& name, Expr& out, std::size_t entity) const;
    bool unknown(const Syntax& node, const std::string& name, bool last, std::size_t entity);
    ExprPtr root_not_here(const Syntax& node);
    ExprPtr bare_name(const Syntax& node);
    bool too_far(const Syntax& node, const Expr& path);

    ExprPtr flow_path(const Syntax& node);
    ExprPtr unknown_root(const Syntax& node);
    ExprPtr actor_path(const Syntax& node);
    ExprPtr input_path(const Syntax& node);
    ExprPtr steps_path(const Syntax& node);
    ExprPtr walked(const Syntax& node, std::size_t begin, const FlowType& from,
                   std::shared_ptr<Expr> out);
    bool flow_step(const Syntax& node, const std::string& name, bool last, Expr& out,
                   FlowPlace& at);
    bool row_step(const Syntax& node, const std::string& name, bool last, Expr& out, FlowPlace& at);
    bool member_step(const Syntax& node, const std::string& name, Expr& out, FlowPlace& at);

    struct Signature {
        ExprFunction function;
        std::size_t least, most;  // arguments
        ExprPtr (Typer::*type)(ExprFunction, const Syntax&);
    };
    static const Signature kSignatures[];  // of the functions that authors write
    static const Signature* find_signature(std::string_view name);
    ExprPtr call(const Syntax& node);
    ExprPtr bad_count(const Syntax& node, const Signature& signature);
    ExprPtr unknown_function(const Syntax& node);
    ExprPtr clock(ExprFunction function, const Syntax& node);
    ExprPtr day(ExprFunction function, const Syntax& node);
    ExprPtr duration(ExprFunction function, const Syntax& node);
    ExprPtr over_rows(ExprFunction function, const Syntax& node);
    ExprPtr extreme(ExprFunction function, const Syntax& node);
    ExprPtr changed(ExprFunction function, const Syntax& node);
    ExprPtr of_text(ExprFunction function, const Syntax& node);
    ExprPtr size(ExprFunction function, const Syntax& node);
    ExprPtr about_texts(ExprFunction function, const Syntax& node);
    ExprPtr same_types(ExprFunction function, const Syntax& node);
    ExprPtr of_number(ExprFunction function, const Syntax& node);
    ExprPtr member(ExprFunction function, const Syntax& node);
    ExprPtr can(ExprFunction function, const Syntax& node);
    bool has_caller(const Syntax& node);

    const ExprScope& scope_;
    Written written_;
    diag::Findings& findings_;
};

ExprPtr made(ExprKind kind, ExprType type, std::vector<ExprPtr> args);
ExprPtr made_call(ExprFunction function, ExprType type, std::vector<ExprPtr> args);
// user.<attribute>
ExprPtr caller_value(CallerAttribute attribute);
bool is_number(ExprType type);
// True if it means values of many rows.
bool of_many(const Expr& expr);
bool is_literal(const Expr& expr);
bool is_call(const Expr& expr, ExprFunction function);
bool is_null_literal(const Expr& expr);
// True for a part of a topic's name: a text, which may also be an id.
bool is_part(const Expr& expr);
// The days of a duration that is written as whole days. A date that is moved by it stays a date.
std::optional<std::int64_t> whole_days(const Expr& expr);
// The entity whose rows a path to a ref field names.
std::optional<std::size_t> referred_entity(const Model& model, const Expr& path);

}  // namespace svc::model
