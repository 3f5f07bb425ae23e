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
    {"and", "write && for \"and\""},
    {"or", "write || for \"or\""},
    {"not", "write ! for \"not\": !active, !(status in ['draft'])"},
    {"is", "write x == null or x != null"},
    {"eq", "write =="},
    {"ne", "write !="},
    {"like", "use startsWith(x, 'a'), endsWith, contains or matches(x, '^a.*b$')"},
    {"ilike", "use contains(lower(x), 'a')"},
    {"similar", "use matches(x, '^a.*b$')"},
    {"between", "write x >= 1 && x <= 9"},
    {"contains", "write contains(x, 'a')"},
    {"mod", "the language has no remainder"},
    {"div", "write /"},
};

constexpr std::string_view kCaller =
    "write user for the caller: user.id, user.persona, user.org, user.email, user.isAdmin";

constexpr Known kSymbols[] = {
    {"=", "write =="},
    {"&", "write && for \"and\""},
    {"|", "write || for \"or\""},
    {"?", "write a rule for each case, or (a && b) || (!a && c)"},
    {":", "remove the cast: values have the types of their fields"},
    {"@", kCaller},
    {"$", kCaller},
    {"%", "the language has no remainder"},
    {"{", "remove the braces; join strings with +: code + ' ' + title"},
    {";", "remove the semicolon"},
    {"~", "use matches(x, '^a.*b$')"},
    {"`", "write strings in single quotes: 'draft'"},
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
    {"concat", "join strings with +"},
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
    {"weekday", "keep the weekday in a field: an expression cannot compute it"},
    {"dayofweek", "keep the weekday in a field: an expression cannot compute it"},
    {"extract",
     "compare whole dates, or keep the part in a field: an expression cannot compute it"},
    {"date_part",
     "compare whole dates, or keep the part in a field: an expression cannot compute it"},
    {"filter", "exists(bookings) and count(bookings) look at all rows: they take no condition"},
    {"map", "exists(bookings) and count(bookings) look at all rows: they take no condition"},
    {"interval", "write duration('7d')"},
    {"days", "use duration('7d')"},
    {"dateadd", "write due + duration('7d')"},
    {"date_add", "write due + duration('7d')"},
    {"datediff", "subtract one date from the other: the result is in days"},
    {"date_trunc", "use date(x): the day of a datetime"},
    {"current_date", "use today()"},
    {"current_timestamp", "use now()"},
    {"timestamp", "write a datetime as '2026-01-31T10:00:00Z'"},
};

// Functions of other services: auth.uid(), auth.role().
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
    {"self", "name the row's fields without a prefix"},
    {"this", "name the row's fields without a prefix"},
    {"row", "name the row's fields without a prefix"},
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
