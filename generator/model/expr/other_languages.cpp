#include "model/expr/other_languages.hpp"

#include <algorithm>
#include <span>

#include "base/ascii.hpp"

namespace svc::model {
namespace {

struct Known {
    std::string_view theirs;  // lower case
    std::string_view ours;
};

constexpr Known kOperators[] = {
    {"and", "and is written &&"},
    {"or", "or is written ||"},
    {"not", "not is written !: !active, !(status in ['draft'])"},
    {"is", "a null test is written x == null or x != null"},
    {"eq", "equality is written =="},
    {"ne", "inequality is written !="},
    {"like", "use startsWith(x, 'a'), endsWith, contains or matches(x, '^a.*b$')"},
    {"ilike", "use contains(lower(x), 'a')"},
    {"similar", "use matches(x, '^a.*b$')"},
    {"between", "write x >= 1 && x <= 9"},
    {"contains", "write contains(x, 'a')"},
    {"mod", "there is no remainder"},
    {"div", "division is written /"},
};

constexpr std::string_view kCaller =
    "the caller is user: user.id, user.persona, user.org, user.email, user.isAdmin";

constexpr Known kSymbols[] = {
    {"=", "equality is written =="},
    {"&", "and is written &&"},
    {"|", "or is written ||"},
    {"?", "there is no a ? b : c: write a rule for each case, or (a && b) || (!a && c)"},
    {":", "there are no casts: values have the types of their fields"},
    {"@", kCaller},
    {"$", kCaller},
    {"%", "there is no remainder"},
    {"{", "an expression stands without braces; texts are joined with +: code + ' ' + title"},
    {";", "an expression ends without a semicolon"},
    {"~", "use matches(x, '^a.*b$')"},
    {"`", "texts stand in single quotes: 'draft'"},
};

constexpr Known kFunctions[] = {
    {"current_setting", kCaller},
    {"has_role", "write user.persona == 'clerk'"},
    {"hasrole", "write user.persona == 'clerk'"},
    {"length", "use size"},
    {"len", "use size"},
    {"char_length", "use size"},
    {"array_length", "use size"},
    {"cardinality", "use size"},
    {"substring", "use startsWith, endsWith, contains or matches"},
    {"concat", "texts are joined with +"},
    {"includes", "use contains, or 'value' in tags"},
    {"strpos", "use contains"},
    {"position", "use contains"},
    {"regexp_match", "use matches(x, '^a.*b$')"},
    {"starts_with", "use startsWith"},
    {"ends_with", "use endsWith"},
    {"lowercase", "use lower"},
    {"uppercase", "use upper"},
    {"tolower", "use lower"},
    {"toupper", "use upper"},
    {"ifnull", "use coalesce"},
    {"nvl", "use coalesce"},
    {"isnull", "write x == null"},
    {"is_null", "write x == null"},
    {"greatest", "use max"},
    {"least", "use min"},
    {"avg", "write sum(lines.price) / count(lines)"},
    {"bool_and", "use all"},
    {"any", "use exists(lines), or 'value' in tags"},
    {"some", "use exists(lines), or 'value' in tags"},
    {"weekday", "days of the week cannot be asked for: keep the weekday in a field"},
    {"dayofweek", "days of the week cannot be asked for: keep the weekday in a field"},
    {"extract", "parts of a date cannot be asked for: compare dates, or keep the part in a field"},
    {"date_part",
     "parts of a date cannot be asked for: compare dates, or keep the part in a field"},
    {"filter", "rows under a condition cannot be asked for: exists(bookings), count(bookings)"},
    {"map", "rows under a condition cannot be asked for: exists(bookings), count(bookings)"},
    {"interval", "write duration('7d')"},
    {"days", "use duration('7d')"},
    {"dateadd", "write due + duration('7d')"},
    {"date_add", "write due + duration('7d')"},
    {"datediff", "the days between two dates are one minus the other"},
    {"date_trunc", "use date(x), the day of a moment"},
    {"current_date", "use today()"},
    {"current_timestamp", "use now()"},
    {"timestamp", "a moment is written as '2026-01-31T10:00:00Z'"},
};

// Of other services: auth.uid(), auth.role().
constexpr Known kOfAuth[] = {
    {"uid", "write user.id"},
    {"userid", "write user.id"},
    {"role", "write user.persona"},
    {"email", "write user.email"},
    {"jwt", kCaller},
};

constexpr Known kPrincipals[] = {
    {"anon", "write \"guest\""},
    {"anonymous", "write \"guest\""},
    {"public", "write \"guest\", or \"*\" for everybody"},
    {"everyone", "write \"*\""},
    {"anyone", "write \"*\""},
    {"all", "write \"*\""},
    {"authenticated", "write \"signed_in\""},
    {"loggedin", "write \"signed_in\""},
    {"users", "write \"signed_in\""},
    {"user", "write \"signed_in\""},
    {"service_role", "write \"server\""},
    {"owner", "write {\"to\": \"signed_in\", \"if\": \"user_id == user.id\"}"},
};

constexpr Known kNames[] = {
    {"auth", kCaller},
    {"request", kCaller},
    {"session", kCaller},
    {"current_user", "write user.id, or user.email"},
    {"currentuser", "write user.id, or user.email"},
    {"me", "write user.id"},
    {"self", "name the row's fields as they are"},
    {"this", "name the row's fields as they are"},
    {"row", "name the row's fields as they are"},
    {"current_date", "write today()"},
    {"current_timestamp", "write now()"},
    {"null", "write null in lower case"},
    {"true", "write true in lower case"},
    {"false", "write false in lower case"},
    {"none", "write null"},
    {"nil", "write null"},
    {"undefined", "write null"},
};

std::string find(std::span<const Known> list, std::string_view word) {
    const std::string name = base::lower(word);
    const auto at = std::ranges::find(list, name, &Known::theirs);
    return at == list.end() ? std::string() : std::string(at->ours);
}

}  // namespace

std::string operator_for(std::string_view word) { return find(kOperators, word); }

std::string instead_of_symbol(std::string_view symbol) { return find(kSymbols, symbol); }

std::string instead_of_function(std::string_view name, std::string_view subject) {
    if (base::lower(subject) == "auth") return find(kOfAuth, name);
    return find(kFunctions, name);
}

std::string instead_of_principal(std::string_view name) { return find(kPrincipals, name); }

std::string instead_of_name(std::string_view name) { return find(kNames, name); }

}  // namespace svc::model
