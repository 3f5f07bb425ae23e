#include "operate/row_failure.hpp"

#include <optional>

#include "data/db_error.hpp"
#include "http/error.hpp"

namespace svc::devapi {
namespace {

std::optional<Error> told_by_external(const SqlFailure& failure) {
    db::Outcome outcome;
    outcome.make_error() = failure;
    return data::told_by_external(outcome);
}

}  // namespace

SqlFailure row_refused(const char* sqlstate, const std::string& message,
                       const std::string& column) {
    SqlFailure failure(message);
    failure.sqlstate = sqlstate;
    failure.column = column;
    return failure;
}

std::string row_code(const SqlFailure& failure) {
    const std::string& state = failure.sqlstate;
    if (const auto told = told_by_external(failure)) return std::string(name(told->code));
    if (state.starts_with("08")) return std::string(name(Code::unavailable));
    if (state == "P0002") return std::string(name(Code::not_found));  // no such row
    const auto code = data::code_of(state);
    return code ? std::string(name(*code)) : state;
}

std::string row_message(const SqlFailure& failure) {
    const auto told = told_by_external(failure);
    return told ? told->message : failure.what();
}

}  // namespace svc::devapi
