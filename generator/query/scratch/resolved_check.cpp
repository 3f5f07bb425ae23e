#include "query/scratch/resolved_check.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "query/scratch/node_tree.hpp"
#include "sql/allowed.hpp"

namespace svc::query {

namespace {

using What = Resolved::What;

// The names in PostgreSQL 15 and later.
constexpr std::string_view kLabels =
    " AGGREF ALIAS ARRAY ARRAYCOERCEEXPR ARRAYEXPR BOOLEANTEST BOOLEXPR CASE CASEEXPR CASETESTEXPR "
    "CASEWHEN COALESCE COALESCEEXPR COERCETODOMAIN COERCEVIAIO COLLATE COLLATEEXPR COMMONTABLEEXPR "
    "CONST CONVERTROWTYPEEXPR CTECYCLECLAUSE CTESEARCHCLAUSE DISTINCTEXPR FIELDSELECT FIELDSTORE "
    "FROMEXPR FUNCEXPR GROUPINGFUNC GROUPINGSET INFERENCEELEM JOINEXPR MERGEACTION MINMAX "
    "MINMAXEXPR NAMEDARGEXPR NULLIFEXPR NULLTEST ONCONFLICTEXPR OPEXPR PARAM QUERY RANGETBLENTRY "
    "RANGETBLFUNCTION RANGETBLREF RELABELTYPE ROW ROWCOMPARE ROWCOMPAREEXPR ROWEXPR ROWMARKCLAUSE "
    "RTEPERMISSIONINFO SCALARARRAYOPEXPR SETOPERATIONSTMT SETTODEFAULT SORTGROUPCLAUSE "
    "SQLVALUEFUNCTION SUBLINK SUBSCRIPTINGREF TARGETENTRY VAR WHEN WINDOWCLAUSE WINDOWFUNC ";

// Types of values that functions and columns give, and that a constant takes from what stands
// beside it. Nothing may be cast to them.
constexpr std::string_view kGiven =
    " char cid datemultirange int4multirange int8multirange name nummultirange oid record "
    "regconfig regtype tid tsmultirange tstzmultirange unknown void xid ";
constexpr std::string_view kGivenToDevelopers =
    " int2vector oidvector pg_lsn pg_node_tree pg_snapshot regclass regproc xid8 ";

// Functions about rows, types and definitions, and functions whose result is new with each call.
constexpr std::string_view kDevelopers =
    " bit_count clock_timestamp col_description convert convert_from convert_to current_database "
    "current_schema current_schemas current_setting currval format_type gen_random_uuid get_bit "
    "get_byte lastval nextval obj_description pg_client_encoding pg_column_compression "
    "pg_column_size pg_current_snapshot pg_current_xact_id_if_assigned pg_get_constraintdef "
    "pg_get_expr "
    "pg_get_function_arguments pg_get_function_result pg_get_functiondef pg_get_indexdef "
    "pg_get_partkeydef pg_get_serial_sequence pg_get_triggerdef pg_get_viewdef pg_indexes_size "
    "pg_relation_size pg_size_bytes pg_size_pretty pg_table_is_visible pg_table_size "
    "pg_total_relation_size pg_typeof random set_bit set_byte setval sha224 sha384 timeofday "
    "version ";
constexpr std::string_view kOfSvc = " acts_as claim new_id past_policies reads_across user_id ";

constexpr std::string_view kCatalogues =
    " pg_aggregate pg_am pg_attrdef pg_attribute pg_cast pg_class pg_collation pg_constraint "
    "pg_depend pg_description pg_enum pg_extension pg_index pg_indexes pg_inherits pg_matviews "
    "pg_namespace pg_opclass pg_operator pg_partitioned_table pg_policies pg_policy pg_proc "
    "pg_range pg_rewrite pg_rules pg_sequence pg_sequences pg_stats pg_tables pg_timezone_names "
    "pg_trigger pg_ts_config pg_type pg_views ";

constexpr const char* kFunctionsTaken =
    "it may call only those functions of PostgreSQL that only compute.";

class Checker {
  public:
    Checker(const ScratchConnection::Names& names, StatementAuthor author)
        : names_(names), author_(author) {}

    std::optional<Violation> object(const Resolved& found) const {
        switch (found.what) {
            case What::function:
                return function(found);
            case What::cast:
                return cast(found);
            case What::op:
                return op(found);
            case What::type:
            case What::column:
                return type(found);
            case What::relation:
                return relation(found);
            case What::node:
                break;
        }
        if (sql::lists(kLabels, found.label)) return std::nullopt;
        return Violation{Violation::What::node, found.label,
                         "This part of SQL (" + found.label + ") is not allowed here."};
    }

  private:
    using Named = ScratchConnection::Named;

    static const Named& of(const std::map<std::uint32_t, Named>& names, std::uint32_t id) {
        static const Named kNone;
        const auto at = names.find(id);
        return at == names.end() ? kNone : at->second;
    }

    std::optional<Violation> function(const Resolved& found) const {
        const Named& name = of(names_.functions, found.id);
        if (name.schema == "pg_catalog" && sql::is_computing(name.name)) return std::nullopt;
        if (author_ == StatementAuthor::developer && is_developers(name.schema, name.name))
            return std::nullopt;
        const std::string called =
            (name.schema == "pg_catalog" ? "" : name.schema + ".") + name.name;
        return Violation{Violation::What::function, called,
                         "The statement calls the function " + called +
                             ", which is not allowed here: " + kFunctionsTaken};
    }

    // The types on both sides are held for themselves. What makes a name of the catalogue of a text
    // is called as its type is.
    std::optional<Violation> cast(const Resolved& found) const {
        const Named& name = of(names_.functions, found.id);
        if (name.schema == "pg_catalog" && name.casts && !name.name.starts_with("reg"))
            return std::nullopt;
        return Violation{Violation::What::function, name.name,
                         "The cast by " + name.name + " is not allowed here."};
    }

    std::optional<Violation> op(const Resolved& found) const {
        const Named& name = of(names_.operators, found.id);
        if (name.schema == "pg_catalog" && sql::is_operator(name.name)) return std::nullopt;
        return Violation{Violation::What::op, name.name,
                         "The operator " + name.name + " is not allowed here."};
    }

    // A text becomes a row, and each part of it a value of its column's type.
    static bool is_given_row(const std::string& columns) {
        std::istringstream types(columns);
        return std::all_of(std::istream_iterator<std::string>(types), {}, [](const auto& name) {
            return sql::is_type(name) || name == "name" || name == "tid";
        });
    }

    bool is_given(const Named& type) const {
        const bool developer = author_ == StatementAuthor::developer;
        if (type.kind == 'c')
            return type.schema.starts_with("pg_temp") ||
                   (developer && (type.schema == "svc" ||
                                  (type.schema == "public" && is_given_row(type.columns))));
        if (type.kind == 'e') return type.schema == "public" || type.schema == "svc";
        if (type.kind == 'd') return developer && type.schema == "information_schema";
        if (type.schema != "pg_catalog") return false;
        return sql::is_type(type.name) || sql::lists(kGiven, type.name) ||
               (developer && sql::lists(kGivenToDevelopers, type.name));
    }

    std::optional<Violation> type(const Resolved& found) const {
        const Named& name = of(names_.types, found.id);
        if (is_given(name)) return std::nullopt;
        const bool column = found.what == What::column;
        return Violation{
            Violation::What::type, name.name,
            column ? "A column of type " + name.name +
                         " cannot be read here. Name the columns that you need, without this one."
                   : "The type " + name.name +
                         " is not allowed here. Use types for strings, numbers, dates, JSON, "
                         "ranges and uuid."};
    }

    std::optional<Violation> relation(const Resolved& found) const {
        const Named& name = of(names_.relations, found.id);
        const bool fine = author_ == StatementAuthor::author
                              ? name.schema.starts_with("pg_temp")
                              : name.schema == "public" || name.schema == "information_schema" ||
                                    (name.schema == "svc" && !name.name.ends_with("_rows")) ||
                                    (name.schema == "pg_catalog" && is_read_catalogue(name.name));
        if (fine) return std::nullopt;
        const std::string called = name.schema + "." + name.name;
        return Violation{Violation::What::relation, called, called + " cannot be read here."};
    }

    const ScratchConnection::Names& names_;
    StatementAuthor author_;
};

}  // namespace

bool is_developers(const std::string& schema, const std::string& function) {
    if (schema == "pg_catalog") return sql::lists(kDevelopers, function);
    if (schema != "svc") return false;
    for (const char* made :
         {"_transition", "_may_select", "_may_insert", "_may_update", "_may_delete"})
        if (function.ends_with(made)) return true;
    return sql::lists(kOfSvc, function);
}

bool is_read_catalogue(const std::string& name) { return sql::lists(kCatalogues, name); }

std::optional<Violation> check_resolved(ScratchConnection& scratch, const std::string& sql,
                                        const std::vector<std::string>& types,
                                        StatementAuthor author, std::optional<Refusal>& refused) {
    Refusal refusal;
    const auto tree = scratch.tree(sql, types, refusal);
    if (!tree) {
        refused = refusal;
        return std::nullopt;
    }
    const auto found = read_node_tree(tree->text);
    if (!found)
        return Violation{Violation::What::node, "", "PostgreSQL's grammar cannot read this."};
    const ScratchConnection::Names names = scratch.names(*found);
    const Checker checker(names, author);
    for (const Resolved& each : *found)
        if (auto objection = checker.object(each)) {
            objection->at = each.at < tree->before ? -1 : each.at - tree->before;
            return objection;
        }
    return std::nullopt;
}

}  // namespace svc::query
