// Statements of an entity, their parameters and what fills these in.
#include <map>
#include <utility>
#include <vector>

#include "emit/data/data.hpp"
#include "emit/text.hpp"

namespace svc::emit {
namespace {

using plan::ServedEntity;
using plan::Statement;

// svc::Type enumerator of a parameter's PostgreSQL type.
std::string parameter_type(const std::string& sql) {
    static const std::map<std::string, std::string> kTypes = {
        {"text", "text"},       {"unknown", "key"},
        {"bigint", "integer"},  {"numeric", "decimal"},
        {"boolean", "boolean"}, {"date", "date"},
        {"time", "time"},       {"timestamptz", "timestamp"},
        {"text[]", "tags"},     {"jsonb", "json"},
        {"uuid", "uuid"},       {"double precision", "floating"}};
    return "svc::Type::" + kTypes.at(sql);
}

std::string type_list(const Statement& statement) {
    std::string list;
    for (const std::string& type : statement.types)
        list += (list.empty() ? "" : ", ") + parameter_type(type);
    return list;
}

// Lists that svc/entity.hpp has.
const std::map<std::string, std::string>& known_types() {
    static const std::map<std::string, std::string> kKnown = {
        {"svc::Type::uuid", "svc::kId"},
        {"svc::Type::uuid, svc::Type::tags", "svc::kIdAndVersions"},
        {"svc::Type::uuid, svc::Type::text, svc::Type::tags", "svc::kTransition"},
        {"svc::Type::text, svc::Type::tags, svc::Type::integer", "svc::kSearch"}};
    return kKnown;
}

// {"order_get", svc::kId, R"sql(…)sql"}
std::string text_of(const Statement& statement, const std::string& types) {
    return "{" + cpp_literal(statement.name) + ", " + types + ", " + sql_literal(statement.sql) +
           "}";
}

// Collects statements whose types svc/entity.hpp has, or else an array of the file's own: keys of
// external rows are of other types.
class Listed {
  public:
    void add(const char* name, const Statement& statement) {
        const std::string list = type_list(statement);
        const auto known = known_types().find(list);
        std::string types =
            known == known_types().end() ? std::string(name) + "_types" : known->second;
        if (known == known_types().end()) {
            Data one;
            one["name"] = types;
            one["list"] = list;
            arrays.push_back(one);
        }
        texts.emplace_back(name, text_of(statement, types));
    }

    Data arrays{Data::type::list};
    std::vector<std::pair<const char*, std::string>> texts;
};

}  // namespace

void add_statements(const ServedEntity& entity, Data& out) {
    Listed listed;
    listed.add("get", entity.get);
    listed.add("remove", entity.delete_row);
    if (!entity.restore.name.empty()) listed.add("restore", entity.restore);
    if (!entity.transition.name.empty()) listed.add("transition", entity.transition);
    if (entity.search) listed.add("find", entity.search->find);
    for (const auto& [name, text] : listed.texts) out[std::string(name) + "_statement"] = text;
    out["has_types"] = !listed.arrays.is_empty_list();
    out["types"] = std::move(listed.arrays);

    const std::string create = entity.external
                                   ? "svc::CreateParameters<columns, svc::IdFrom::other_database>"
                                   : "svc::CreateParameters<columns>";
    const std::string update = "svc::UpdateParameters<columns>";
    out["create_parameters"] = create;
    out["create_statement"] = text_of(entity.insert_returning, create + "::types");
    // For an external entity the statement returns the key, so it differs.
    if (entity.external) out["insert_statement"] = text_of(entity.insert, create + "::types");
    out["insert_literal"] = cpp_literal(entity.insert.name);
    out["update_statement"] = text_of(entity.update_row, update + "::types");
    out["list_sql"] = sql_literal(entity.list_sql);
}

}  // namespace svc::emit
