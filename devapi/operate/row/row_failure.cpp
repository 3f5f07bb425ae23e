#include "operate/row/row_failure.hpp"

#include <optional>

#include "data/db_error.hpp"
#include "http/error.hpp"

namespace svc::devapi {
namespace {

std::optional<Error> external_error(const SqlFailure& failure) {
    db::Outcome outcome;
    outcome.make_error() = failure;
    return data::external_error(outcome);
}

}  // namespace

SqlFailure row_refused(std::string_view sqlstate, const std::string& message,
                       const std::string& column) {
    SqlFailure failure(message);
    failure.sqlstate = sqlstate;
    failure.column = column;
    return failure;
}

std::string row_code(const SqlFailure& failure) {
    const std::string& state = failure.sqlstate;
    if (const auto external = external_error(failure)) return std::string(name(external->code));
    if (failure.lost()) return std::string(name(Code::unavailable));
    const auto code = data::code_of(state);
    return code ? std::string(name(*code)) : state;
}

std::string row_message(const SqlFailure& failure) {
    const auto external = external_error(failure);
    return external ? external->message : failure.what();
}

}  // namespace svc::devapi
