#include "data/sql/raw_body.hpp"

#include "base/sql_state.hpp"
#include "json/value.hpp"

namespace svc::data::sql {

namespace {

using json::Value;

constexpr std::size_t kMaxParams = 1000;
// PostgreSQL's grammar makes its trees on the stack, of the thread that answers everybody.
constexpr std::size_t kMaxSql = 16 * 1024;

// Lists and objects go as JSON.
std::string param_text(const Value& value) {
    const bool nested = value.is(Value::Kind::array) || value.is(Value::Kind::object);
    return nested ? value.shown() : value.text;
}

}  // namespace

Result<RawBody> read_raw_body(std::string_view text) {
    const json::Parsed parsed = json::parse(text);
    if (parsed.nul)
        return Error{Code::params_invalid, parsed.error, "",
                     std::string(base::sqlstate::kNoCharacter)};
    if (!parsed.error.empty()) return bad_params(parsed.error);
    if (!parsed.value.is(Value::Kind::object)) return bad_params("The body must be a JSON object.");
    RawBody body;
    for (const Value::Member& member : parsed.value.members) {
        if (member.name != "sql" && member.name != "params") {
            return bad_params("The body may hold only sql and params.", member.name);
        }
    }
    const Value* sql = parsed.value.find("sql");
    if (!sql || !sql->is(Value::Kind::string)) return bad_params("sql must be a string.", "sql");
    if (sql->text.size() > kMaxSql)
        return bad_params("sql may have at most 16 KiB. Send values as params.", "sql");
    body.sql = sql->text;
    const Value* params = parsed.value.find("params");
    if (!params) return body;
    if (!params->is(Value::Kind::array) || params->items.size() > kMaxParams) {
        return bad_params("params must be a list of at most 1,000 values.", "params");
    }
    for (const Value& value : params->items) body.texts.push_back(param_text(value));
    for (std::size_t i = 0; i < body.texts.size(); ++i) {
        const bool null = params->items[i].is(Value::Kind::null);
        body.params.push_back(null ? db::Param() : db::Param(body.texts[i]));
    }
    return body;
}

}  // namespace svc::data::sql
