// The nodes and names that SQL of authors, developers and callers may contain: an author's named
// queries, a developer's statements, a server key's statements. The lists say what is allowed, in
// PostgreSQL's own words; each reader adds its own. Each word has a space before and after it.
#pragma once

#include <string_view>

namespace svc::sql {

// Functions that compute from their arguments, with results of limited size. None runs a text,
// waits, changes a setting, or reads anything else; none is volatile.
inline constexpr std::string_view kBounded =
    " abs age array_agg array_append array_cat array_length array_position array_remove "
    "array_to_string avg bit_and bit_or bool_and bool_or btrim cardinality ceil ceiling "
    "char_length concat concat_ws corr count cume_dist date date_bin date_part date_trunc "
    "dense_rank every exp extract first_value floor initcap json_agg json_array_elements "
    "json_array_elements_text json_array_length json_build_array json_build_object "
    "json_object_agg jsonb_agg jsonb_array_elements jsonb_array_elements_text "
    "jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text "
    "jsonb_extract_path jsonb_extract_path_text jsonb_object_agg jsonb_object_keys jsonb_set "
    "jsonb_strip_nulls jsonb_typeof justify_days justify_interval lag last_value lead left "
    "length ln log lower ltrim make_date make_interval make_timestamptz max md5 min mod mode "
    "now nth_value ntile octet_length overlay percent_rank percentile_cont percentile_disc "
    "position power rank regexp_match regexp_replace replace reverse right round row_number "
    "row_to_json rtrim sign split_part sqrt starts_with stddev stddev_pop stddev_samp "
    "string_agg string_to_array strpos substr substring sum timezone to_char to_date to_json "
    "to_jsonb to_number to_timestamp translate trunc unnest upper var_pop var_samp variance "
    "width_bucket ";

// These also only compute, but their results may be large, or they need a separate check. Authors
// and developers may call them; statements of a server key may not.
inline constexpr std::string_view kUnbounded =
    " acos array_dims array_fill array_lower array_ndims array_positions array_prepend "
    "array_replace array_to_json array_upper ascii asin atan atan2 bit_length bit_xor cbrt "
    "character_length chr cos cot covar_pop covar_samp daterange decode degrees div encode "
    "factorial format gcd generate_series generate_subscripts int4range int8range "
    "is_normalized isempty isfinite json_each json_each_text json_extract_path "
    "json_extract_path_text json_object json_object_keys json_strip_nulls json_to_record "
    "json_to_recordset json_typeof jsonb_insert jsonb_object jsonb_path_exists "
    "jsonb_path_match jsonb_path_query jsonb_path_query_array jsonb_path_query_first "
    "jsonb_pretty jsonb_set_lax jsonb_to_record jsonb_to_recordset justify_hours lcm "
    "like_escape log10 lower_inc lower_inf lpad make_time make_timestamp min_scale normalize "
    "num_nonnulls num_nulls numnode numrange overlaps phraseto_tsquery pi plainto_tsquery pow "
    "quote_ident quote_literal quote_nullable radians range_agg range_merge regexp_count "
    "regexp_instr regexp_like regexp_matches regexp_split_to_array regexp_split_to_table "
    "regexp_substr regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx "
    "regr_sxy regr_syy repeat rpad scale setweight sha256 sha512 similar_to_escape sin "
    "statement_timestamp string_to_table strip tan to_hex to_tsquery to_tsvector "
    "transaction_timestamp trim_array trim_scale ts_headline ts_rank ts_rank_cd tsrange "
    "tstzrange unistr upper_inc upper_inf websearch_to_tsquery ";

// Types to cast to, by PostgreSQL's own names: int8, not bigint. None of them reads the catalogue,
// so none names a role, a hidden column or what is another project's. Of each also its arrays.
inline constexpr std::string_view kTypes =
    " bit bool bpchar bytea date daterange float4 float8 int2 int4 int4range int8 int8range "
    "interval json jsonb jsonpath numeric numrange text time timestamp timestamptz timetz tsquery "
    "tsrange tstzrange tsvector uuid varbit varchar ";

// Operators of these types; none of them calls what is volatile.
inline constexpr std::string_view kOperators =
    " !! !~ !~* !~~ !~~* != # #- #> #>> % & && &< &> * *< *<= *<> *= *> *>= + - -> ->> -|- / < <-> "
    "<< <= <> <@ = > >= >> ? ?& ?| @ @> @? @@ @@@ ^ ^@ | |/ || ||/ ~ ~* ~<=~ ~<~ ~>=~ ~>~ ~~ ~~* ";

// Nodes of the syntax tree that need no separate check.
inline constexpr std::string_view kPlainNodes =
    " A_ArrayExpr A_Const A_Expr A_Indices A_Indirection A_Star Alias BitString BoolExpr Boolean "
    "BooleanTest CTECycleClause CTESearchClause CaseExpr CaseWhen CoalesceExpr CollateClause "
    "ColumnDef ColumnRef Float GroupingFunc GroupingSet IndexElem InferClause Integer JoinExpr "
    "List MinMaxExpr MultiAssignRef NamedArgExpr Null NullTest OnConflictClause RangeFunction "
    "RangeSubselect ResTarget RowExpr SetToDefault SortBy String SubLink TypeCast WindowDef ";

constexpr bool lists(std::string_view list, std::string_view word) {
    if (word.empty() || word.find(' ') != std::string_view::npos) return false;
    for (auto at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1))
        if (list[at - 1] == ' ' && list[at + word.size()] == ' ') return true;
    return false;
}

constexpr bool is_bounded(std::string_view function) { return lists(kBounded, function); }
constexpr bool is_computing(std::string_view function) {
    return is_bounded(function) || lists(kUnbounded, function);
}
constexpr bool is_type(std::string_view name) { return lists(kTypes, name); }
constexpr bool is_operator(std::string_view symbol) { return lists(kOperators, symbol); }
// True for an operator node of the syntax tree. Operators of the grammar itself, such as BETWEEN,
// are words.
constexpr bool is_operator_node(std::string_view symbol) {
    return (!symbol.empty() && symbol[0] >= 'A' && symbol[0] <= 'Z') || is_operator(symbol);
}
constexpr bool is_plain_node(std::string_view kind) { return lists(kPlainNodes, kind); }

}  // namespace svc::sql
