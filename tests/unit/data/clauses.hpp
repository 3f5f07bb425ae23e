// Clauses of filters, and what each means in plain SQL: every operator on every type of column.
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

namespace svc::data::clauses {

struct Sample {
    std::string json, sql;
};

struct Field {
    const char* name;
    bool ordered;
    std::vector<Sample> samples;
};

inline const std::vector<Field> kFields = {
    {"label", true, {{R"("Apple")", "'Apple'"}, {R"("100%")", "'100%'"}, {R"("")", "''"}}},
    {"pieces", true, {{"5", "5"}, {"5.0", "5"}, {R"("-3")", "-3"}, {"1e1", "10"}}},
    {"ratio", true, {{"0.1", "0.1"}, {"1e20", "1e20::numeric"}, {"-7.250", "-7.25"}}},
    {"weight", true, {{"0", "0::float8"}, {"0.1", "0.1::float8"}, {"1e300", "1e300::float8"}}},
    {"price", true, {{"650", "650"}, {"1000", "1000"}}},
    {"flag", false, {{"true", "true"}, {R"("false")", "false"}}},
    {"day",
     true,
     {{R"("2026-10-25")", "date '2026-10-25'"}, {R"("2026-03-29")", "date '2026-03-29'"}}},
    {"clock",
     true,
     {{R"("13:37")", "time '13:37'"}, {R"("13:37:00.000001")", "time '13:37:00.000001'"}}},
    {"at",
     true,
     {{R"("2026-10-25T00:00:00Z")", "timestamptz '2026-10-25 00:00Z'"},
      {R"("2026-10-25T02:30:00+02:00")", "timestamptz '2026-10-25 00:30Z'"},
      {R"("2026-03-29T01:15:00.000001")", "timestamptz '2026-03-29 01:15:00.000001Z'"}}},
    {"kind", true, {{R"("open")", "'open'"}, {R"("locked")", "'locked'"}}},
    {"tags", false, {{R"(["red","blue"])", "array['red','blue']"}, {"[]", "'{}'::text[]"}}},
    {"extra", false, {{R"({"a":1})", R"('{"a": 1}'::jsonb)"}, {R"("text")", R"('"text"'::jsonb)"}}},
    {"ref",
     true,
     {{R"("00000000-0000-7000-8000-00000000000A")",
       "'00000000-0000-7000-8000-00000000000a'::uuid"}}},
};

// A clause and what it means.
struct Pair {
    std::string json, sql;
};

inline std::string clause(const std::string& field, const std::string& op,
                          const std::string& value = "") {
    const std::string last = value.empty() ? "" : ",\"value\":" + value;
    return R"({"field":")" + field + R"(","op":")" + op + '"' + last + '}';
}

inline void add_equality(const Field& field, const Sample& a, const Sample& b,
                         std::vector<Pair>& out) {
    const std::string x = field.name;
    out.push_back({clause(x, "eq", a.json), x + " = " + a.sql});
    out.push_back({clause(x, "eq", "null"), x + " is null"});
    out.push_back({clause(x, "neq", a.json), x + " is distinct from " + a.sql});
    out.push_back({clause(x, "neq", "null"), x + " is not null"});
    const std::string either = x + " = " + a.sql + " or " + x + " = " + b.sql;
    out.push_back({clause(x, "in", "[" + a.json + "," + b.json + "]"), either});
    out.push_back(
        {clause(x, "in", "[null," + a.json + "]"), x + " is null or " + x + " = " + a.sql});
    out.push_back({clause(x, "in", "[]"), "false"});
    out.push_back({clause(x, "not_in", "[" + a.json + "," + b.json + "]"),
                   x + " is null or not (" + either + ")"});
    out.push_back({clause(x, "not_in", "[null]"), x + " is not null"});
    out.push_back({clause(x, "is_null"), x + " is null"});
    out.push_back({clause(x, "is_not_null", "true"), x + " is not null"});
}

inline void add_order(const Field& field, const Sample& a, const Sample& b,
                      std::vector<Pair>& out) {
    const std::string x = field.name;
    const std::map<std::string, std::string> signs = {
        {"lt", "<"}, {"lte", "<="}, {"gt", ">"}, {"gte", ">="}};
    for (const auto& [op, sign] : signs) {
        out.push_back({clause(x, op, a.json), x + ' ' + sign + ' ' + a.sql});
    }
    out.push_back({clause(x, "between", "[" + a.json + "," + b.json + "]"),
                   x + " between " + a.sql + " and " + b.sql});
    out.push_back({clause(x, "range", "{\"from\":" + a.json + ",\"to\":" + b.json + "}"),
                   x + " >= " + a.sql + " and " + x + " < " + b.sql});
    out.push_back({clause(x, "range", "{\"to\":" + b.json + "}"), x + " < " + b.sql});
}

inline void add_texts(std::vector<Pair>& out) {
    const std::vector<Sample> parts = {
        {R"("APPLE")", "apple"}, {R"("äpf")", "äpf"}, {R"("%")", "%"}, {R"("_")", "_"},
        {R"("\\")", "\\"},       {R"("")", ""},       {R"("K")", "k"}, {R"("100%")", "100%"}};
    for (const std::string x : {"label", "kind"}) {
        for (const Sample& part : parts) {
            const std::string text = "'" + part.sql + "'";
            const std::string has = "strpos(lower(" + x + "), " + text + ") > 0";
            out.push_back({clause(x, "contains", part.json), has});
            out.push_back(
                {clause(x, "not_contains", part.json), x + " is null or not (" + has + ")"});
            out.push_back({clause(x, "starts_with", part.json),
                           "left(lower(" + x + "), length(" + text + ")) = " + text});
            out.push_back({clause(x, "ends_with", part.json),
                           "right(lower(" + x + "), length(" + text + ")) = " + text});
        }
    }
    for (const char* tag : {"red", "Red", "a,b", "NULL", "{\"}", "none"}) {
        std::string json = tag;
        if (const auto quote = json.find('"'); quote != std::string::npos) json.insert(quote, "\\");
        const std::string has = std::string("'") + tag + "' = any (tags)";
        out.push_back({clause("tags", "contains", '"' + json + '"'), has});
        out.push_back({clause("tags", "not_contains", '"' + json + '"'),
                       "tags is null or not (" + has + ")"});
    }
}

// A day on moments is all of its moments, as local dates say.
inline void add_days(const std::string& zone, std::vector<Pair>& out) {
    const std::string x = "(at at time zone '" + zone + "')::date";
    for (const std::string day : {"2026-10-25", "2026-11-01", "2026-03-29"}) {
        const std::string json = '"' + day + '"', sql = " date '" + day + "'";
        out.push_back({clause("at", "eq", json), x + " =" + sql});
        out.push_back({clause("at", "neq", json), x + " is distinct from" + sql});
        out.push_back({clause("at", "lt", json), x + " <" + sql});
        out.push_back({clause("at", "lte", json), x + " <=" + sql});
        out.push_back({clause("at", "gt", json), x + " >" + sql});
        out.push_back({clause("at", "gte", json), x + " >=" + sql});
        out.push_back({clause("at", "in", "[null," + json + ",\"2026-10-25T00:30:00Z\"]"),
                       "at is null or at = '2026-10-25T00:30:00Z' or " + x + " =" + sql});
        out.push_back({clause("at", "between", "[" + json + ",\"2026-11-01\"]"),
                       x + " between" + sql + " and date '2026-11-01'"});
        out.push_back({clause("at", "range", "{\"from\":" + json + ",\"to\":\"2026-11-01\"}"),
                       x + " >=" + sql + " and " + x + " < date '2026-11-01'"});
    }
}

inline void add_periods(const std::string& zone, std::vector<Pair>& out) {
    const std::string now = "(now() at time zone '" + zone + "')";
    const std::map<std::string, std::string> local = {{"day", "day::timestamp"},
                                                      {"at", "(at at time zone '" + zone + "')"}};
    for (const auto& [field, x] : local) {
        const auto both = [&](const std::string& name, const std::string& sql, bool op = true) {
            if (op) out.push_back({clause(field, name), sql});
            out.push_back({clause(field, "range", '"' + name + '"'), sql});
        };
        const auto same = [&, x = x](const std::string& unit) {
            return "date_trunc('" + unit + "', " + x + ") = date_trunc('" + unit + "', " + now +
                   ")";
        };
        both("today", same("day"));
        both("yesterday", x + "::date = " + now + "::date - 1");
        both("this_week", same("week"));
        both("this_month", same("month"));
        both("this_quarter", same("quarter"), false);
        both("this_year", same("year"));
        both("all", "true", false);
        const std::string cast = field == "day" ? "::date" : " at time zone '" + zone + "'";
        const auto span = [&, field = field](int from, int to) {
            const auto end = [&](int days) {
                return "((" + now + " + " + std::to_string(days) + " * interval '1 day')" + cast +
                       ")";
            };
            return field + " between " + end(from) + " and " + end(to);
        };
        // The last day of dates is today; moments end now.
        const auto days = [&, field = field](int n) {
            if (field == "day") {
                return "day > " + now + "::date - " + std::to_string(n) + " and day <= " + now +
                       "::date";
            }
            return span(-n, 0) + " and at < now()";
        };
        both("last_7_days", days(7), false);
        both("last_30_days", days(30), false);
        for (const int n : {1, 20, 36500}) {
            out.push_back({clause(field, "last_n_days", std::to_string(n)), span(-n, 0)});
            out.push_back({clause(field, "next_n_days", std::to_string(n)), span(0, n)});
        }
    }
}

inline std::vector<Pair> pairs(const std::string& zone) {
    std::vector<Pair> out;
    for (const Field& field : kFields) {
        for (std::size_t i = 0; i < field.samples.size(); ++i) {
            const Sample& a = field.samples[i];
            const Sample& b = field.samples[(i + 1) % field.samples.size()];
            add_equality(field, a, b, out);
            if (field.ordered) add_order(field, a, b, out);
        }
    }
    add_texts(out);
    add_days(zone, out);
    add_periods(zone, out);
    return out;
}

// Conditions in SQL are two-valued only under "coalesce": that is what a clause that does not hold
// means.
class Trees {
  public:
    explicit Trees(std::vector<Pair> leaves) : leaves_(std::move(leaves)) {}

    Pair make(unsigned depth) {
        const unsigned kind = depth == 0 ? 3 : below(5);
        if (kind > 2) {
            const Pair& leaf = leaves_[below(static_cast<unsigned>(leaves_.size()))];
            return {leaf.json, "coalesce(" + leaf.sql + ", false)"};
        }
        if (kind == 2) {
            const Pair inner = make(depth - 1);
            return {R"({"not":)" + inner.json + '}', "(not " + inner.sql + ')'};
        }
        const std::string word = kind == 0 ? "and" : "or";
        Pair out{"{\"" + word + "\":[", kind == 0 ? "(true" : "(false"};
        for (unsigned i = 0, n = below(4); i < n; ++i) {
            const Pair one = make(depth - 1);
            out.json += (i == 0 ? "" : ",") + one.json;
            out.sql += ' ' + word + ' ' + one.sql;
        }
        return {out.json + "]}", out.sql + ')'};
    }

  private:
    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

    std::vector<Pair> leaves_;
    std::mt19937 random_{20261121};
};

}  // namespace svc::data::clauses
