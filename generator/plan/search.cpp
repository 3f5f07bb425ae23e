#include "plan/search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "plan/access.hpp"
#include "plan/names.hpp"
#include "plan/sql_expr.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Field;
using model::Model;
using model::SearchField;

// PostgreSQL keeps at most 1 MB of words a row: no row may fail to be written for having more.
constexpr std::uint32_t kMaxCharacters = 160'000;
// Of a word that half of a large table has, the newest rows are ranked.
constexpr const char* kMostRanked = "5000";

// By the language of app.locale. Of others words are found as they are written.
std::string config_of(const Model& model) {
    static const std::map<std::string, std::string> kConfigs = {
        {"ar", "arabic"},     {"hy", "armenian"},   {"eu", "basque"},    {"ca", "catalan"},
        {"da", "danish"},     {"nl", "dutch"},      {"en", "english"},   {"fi", "finnish"},
        {"fr", "french"},     {"de", "german"},     {"el", "greek"},     {"hi", "hindi"},
        {"hu", "hungarian"},  {"id", "indonesian"}, {"ga", "irish"},     {"it", "italian"},
        {"lt", "lithuanian"}, {"ne", "nepali"},     {"nb", "norwegian"}, {"nn", "norwegian"},
        {"no", "norwegian"},  {"pt", "portuguese"}, {"ro", "romanian"},  {"ru", "russian"},
        {"sr", "serbian"},    {"es", "spanish"},    {"sv", "swedish"},   {"ta", "tamil"},
        {"tr", "turkish"},    {"yi", "yiddish"}};
    const std::string& locale = model.app.locale;
    const auto known = kConfigs.find(locale.substr(0, locale.find_first_of("-_")));
    return known != kConfigs.end() ? known->second : "simple";
}

std::string regconfig(const Model& model) {
    return literal("pg_catalog." + config_of(model)) + "::regconfig";
}

std::uint32_t longest(const Entity& entity) {
    return kMaxCharacters / static_cast<std::uint32_t>(entity.search.size());
}

bool is_masked(const Entity& entity) {
    return std::ranges::any_of(entity.search, [&](const SearchField& searched) {
        return entity.fields[searched.field].read.has_value();
    });
}

std::string words(const Model& model, const Entity& entity, const SearchField& searched,
                  const std::string& row) {
    const Field& field = entity.fields[searched.field];
    std::string text = row + ident(field.name);
    if (!field.max_length || *field.max_length > longest(entity)) {
        text = "left(" + text + ", " + std::to_string(longest(entity)) + ")";
    }
    return "setweight(to_tsvector(" + regconfig(model) + ", coalesce(" + text + ", '')), '" +
           searched.weight_class + "')";
}

// All words of a row. Those that some may not read come last: where a word stands tells nothing of
// what others have before it.
std::string vector(const Model& model, const Entity& entity, const std::string& row) {
    std::string open;
    std::string masked;
    for (const SearchField& searched : entity.search) {
        std::string& out = entity.fields[searched.field].read ? masked : open;
        if (!out.empty()) out += " || ";
        out += words(model, entity, searched, row);
    }
    return "(" + open + (open.empty() || masked.empty() ? "" : " || ") + masked + ")";
}

// What the classes D, C, B, A count, as ts_rank_cd takes it.
std::string weights(const Entity& entity) {
    double most = 0;
    std::array<double, 4> by_class{};
    for (const SearchField& searched : entity.search) {
        const double weight = std::stod(searched.weight);
        by_class.at(static_cast<std::size_t>('D' - searched.weight_class)) = weight;
        most = std::max(most, weight);
    }
    std::string out;
    for (const double weight : by_class) {
        // Six digits of a ratio, printed without a locale's comma.
        const auto millionths = std::lround(weight / most * 1'000'000);
        std::string digits = std::to_string(1'000'000 + millionths % 1'000'000).substr(1);
        out += (out.empty() ? "{" : ",") + std::to_string(millionths / 1'000'000) + "." + digits;
    }
    return "'" + out + "}'";
}

struct Finding {
    std::string condition;  // that the index answers
    std::string words;      // what is ranked
};

std::string find(const Model& model, const Entity& entity, const Finding& finding) {
    const Scope scope{model, "r.", "r."};
    return "    return query select m.id from (\n        select r.id, " + finding.words +
           " as words\n        from " + table(entity.name) + " r where " + finding.condition +
           "\n            and (" + access_predicate(model, entity, Operation::read, scope) +
           ")\n        order by r.id desc limit " + kMostRanked + ") m\n    order by ts_rank_cd(" +
           weights(entity) + ", m.words, _q) desc, m.id desc limit _limit;\n";
}

// For callers who may not read all of the words: the index gives whoever has the words anywhere,
// and what they may read decides. What must not occur is left out of the first question, because it
// may occur where they cannot see it.
std::string find_masked(const Model& model, const Entity& entity) {
    const std::string all = vector(model, entity, "r.");
    const std::string readable = "ts_filter(" + all + ", _classes::\"char\"[])";
    return "    if _classes is not null and querytree(_q) <> 'T' then\n        _wanted := "
           "querytree(_q);\n" +
           find(model, entity,
                {all + " @@ _wanted\n            and " + readable + " @@ _q", readable}) +
           "        return;\n    end if;\n    if _classes is not null then\n" +
           find(model, entity, {readable + " @@ _q", readable}) + "        return;\n    end if;\n";
}

std::string signature(const Entity& entity) {
    return "svc." + ident(entity.name + "_search") +
           "(_words text, _classes text[], _limit bigint)";
}

}  // namespace

std::optional<TableObject> plan_search_index(const Model& model, const Entity& entity) {
    if (entity.search.empty()) return std::nullopt;
    TableObject index;
    index.name = entity.name + "_search_gin";
    index.sql = "create index " + ident(index.name) + " on " + table(entity.name) + " using gin (" +
                vector(model, entity, "") + ")";
    index.path = entity.path + "/search";
    return index;
}

std::optional<Routine> plan_search_function(const Model& model, const Entity& entity) {
    if (entity.search.empty()) return std::nullopt;
    const bool masked = is_masked(entity);
    const std::string all = vector(model, entity, "r.");
    const std::string body = "declare\n    _q tsquery := websearch_to_tsquery(" + regconfig(model) +
                             ", _words);\n" + (masked ? "    _wanted tsquery;\n" : "") + "begin\n" +
                             (masked ? find_masked(model, entity) : "") +
                             find(model, entity, {all + " @@ _q", all}) + "end\n";
    Routine out;
    out.kind = "function";
    out.name = entity.name + "_search";
    out.create = "create function " + signature(entity) +
                 " returns setof uuid\nlanguage plpgsql stable rows 25 security definer\n" +
                 kSafePath + " as " + dollar_quoted(body) + ";\nrevoke all on function " +
                 signature(entity) + " from public;\ngrant execute on function " +
                 signature(entity) + " to :data_role";
    out.drop = "drop function if exists " + signature(entity) + " cascade";
    return out;
}

std::optional<ServedSearch> serve_search(const Model& model, const Entity& entity,
                                         const std::vector<ServedColumn>& columns) {
    if (entity.search.empty()) return std::nullopt;
    ServedSearch out;
    out.config = config_of(model);
    out.max_length = longest(entity);
    for (const SearchField& searched : entity.search) {
        const std::string& name = entity.fields[searched.field].name;
        const auto at = std::ranges::find(columns, name, &ServedColumn::name);
        out.fields.emplace_back(static_cast<std::size_t>(at - columns.begin()),
                                searched.weight_class);
    }
    std::string list;
    for (const ServedColumn& column : columns) {
        list += (list.empty() ? "t." : ", t.") + ident(column.name);
    }
    out.find = {entity.name + "_find",
                "select " + list + "\nfrom svc." + ident(entity.name + "_search") +
                    "($1, $2, $3) with ordinality as found (id, place)\njoin " +
                    table(entity.name) + " t on t.id = found.id\norder by found.place",
                {"text", "text[]", "bigint"}};
    return out;
}

}  // namespace svc::plan
