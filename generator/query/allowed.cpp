#include "query/allowed.hpp"

#include <algorithm>

namespace svc::query {
namespace {

// Of texts.
constexpr std::string_view kTexts =
    "ascii bit_length btrim char_length character_length chr concat concat_ws decode encode "
    "format initcap is_normalized left length like_escape lower lpad ltrim md5 normalize "
    "octet_length overlay position quote_ident quote_literal quote_nullable regexp_count "
    "regexp_instr regexp_like regexp_match regexp_matches regexp_replace "
    "regexp_split_to_array regexp_split_to_table regexp_substr repeat replace reverse right "
    "rpad rtrim sha256 sha512 similar_to_escape split_part starts_with string_to_array "
    "string_to_table strpos substr substring to_hex translate unistr upper ";

// Of numbers.
constexpr std::string_view kNumbers =
    "abs acos asin atan atan2 cbrt ceil ceiling cos cot degrees div exp factorial floor gcd "
    "lcm ln log log10 min_scale mod num_nonnulls num_nulls pi pow power radians round scale "
    "sign sin sqrt tan to_number trim_scale trunc width_bucket ";

// Of dates and times.
constexpr std::string_view kDatesTimes =
    "age date date_bin date_part date_trunc extract isfinite justify_days justify_hours "
    "justify_interval make_date make_interval make_time make_timestamp make_timestamptz now "
    "overlaps statement_timestamp timezone to_char to_date to_timestamp transaction_timestamp ";

// Of lists and ranges.
constexpr std::string_view kListsRanges =
    "array_append array_cat array_dims array_fill array_length array_lower array_ndims "
    "array_position array_positions array_prepend array_remove array_replace array_to_string "
    "array_upper cardinality daterange generate_series generate_subscripts int4range "
    "int8range isempty lower_inc lower_inf numrange range_merge trim_array tsrange tstzrange "
    "unnest upper_inc upper_inf ";

// Of JSON.
constexpr std::string_view kJson =
    "array_to_json json_array_elements json_array_elements_text json_array_length "
    "json_build_array json_build_object json_each json_each_text json_extract_path "
    "json_extract_path_text json_object json_object_keys json_strip_nulls json_to_record "
    "json_to_recordset json_typeof jsonb_array_elements jsonb_array_elements_text "
    "jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text "
    "jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_keys "
    "jsonb_path_exists jsonb_path_match jsonb_path_query jsonb_path_query_array "
    "jsonb_path_query_first jsonb_pretty jsonb_set jsonb_set_lax jsonb_strip_nulls "
    "jsonb_to_record jsonb_to_recordset jsonb_typeof row_to_json to_json to_jsonb ";

// Of aggregates and windows.
constexpr std::string_view kAggregatesWindows =
    "array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp "
    "cume_dist dense_rank every first_value json_agg json_object_agg jsonb_agg "
    "jsonb_object_agg lag last_value lead max min mode nth_value ntile percent_rank "
    "percentile_cont percentile_disc range_agg rank regr_avgx regr_avgy regr_count "
    "regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy row_number stddev "
    "stddev_pop stddev_samp string_agg sum var_pop var_samp variance ";

// Of text search.
constexpr std::string_view kTextSearch =
    "numnode phraseto_tsquery plainto_tsquery setweight strip to_tsquery to_tsvector "
    "ts_headline ts_rank ts_rank_cd websearch_to_tsquery ";

constexpr std::string_view kTypes =
    "bit bool bpchar bytea date daterange float4 float8 int2 int4 int4range int8 int8range "
    "interval "
    "json jsonb jsonpath numeric numrange text time timestamp timestamptz timetz tsquery tsrange "
    "tstzrange tsvector uuid varbit varchar ";

constexpr std::string_view kNodes =
    "A_ArrayExpr A_Const A_Expr A_Indices A_Indirection A_Star Alias BitString BoolExpr Boolean "
    "BooleanTest CTECycleClause CTESearchClause CaseExpr CaseWhen CoalesceExpr CollateClause "
    "ColumnDef ColumnRef Float GroupingFunc GroupingSet IndexElem InferClause Integer JoinExpr "
    "List "
    "MinMaxExpr MultiAssignRef NamedArgExpr Null NullTest OnConflictClause RangeFunction "
    "RangeSubselect ResTarget RowExpr SetToDefault SortBy String SubLink TypeCast WindowDef ";

std::vector<std::string> split(std::initializer_list<std::string_view> lists) {
    std::vector<std::string> out;
    for (std::string_view list : lists) {
        for (auto blank = list.find(' '); blank != std::string_view::npos; blank = list.find(' ')) {
            out.emplace_back(list.substr(0, blank));
            list.remove_prefix(blank + 1);
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

bool has(const std::vector<std::string>& sorted, std::string_view word) {
    return std::binary_search(sorted.begin(), sorted.end(), word);
}

}  // namespace

const std::vector<std::string>& functions() {
    static const std::vector<std::string> kAll = split(
        {kTexts, kNumbers, kDatesTimes, kListsRanges, kJson, kAggregatesWindows, kTextSearch});
    return kAll;
}

bool is_function(std::string_view name) { return has(functions(), name); }

bool is_type(std::string_view name) {
    static const std::vector<std::string> kAll = split({kTypes});
    return has(kAll, name);
}

bool is_plain_node(std::string_view kind) {
    static const std::vector<std::string> kAll = split({kNodes});
    return has(kAll, kind);
}

}  // namespace svc::query
