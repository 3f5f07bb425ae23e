#include "plan/search/search.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "plan/access.hpp"
#include "plan/names.hpp"
#include "plan/search/search_words.hpp"
#include "plan/sql/expr.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Field;
using model::Model;
using model::SearchField;

// If many rows have the words, only the newest are ranked.
constexpr const char* kMostRanked = "5000";

bool is_masked(const Entity& entity) {
    return std::ranges::any_of(entity.search, [&](const SearchField& searched) {
        return entity.fields[searched.field].read.has_value();
    });
}

// The weights of the classes D, C, B, A, as ts_rank_cd takes them.
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

struct SearchPart {
    std::string condition;  // that the index answers
    std::string words;      // what is ranked
};

// The newest first: of a word that many rows have they are met in the order of their ids, of a rare
// one by the index of words.
std::string find(const Model& model, const Entity& entity, const SearchPart& part) {
    const Scope scope{model, "r.", "r."};
    return "    return query select m.id from (\n        select r.id, " + part.words +
           " as words\n        from " + words_table(entity) + " _w join " + table(entity.name) +
           " r on r.id = _w.id where " + part.condition + "\n            and (" +
           access_predicate(model, entity, Operation::read, scope) +
           ")\n        order by _w.id desc limit " + kMostRanked + ") m\n    order by ts_rank_cd(" +
           weights(entity) + ", m.words, _q) desc, m.id desc limit _limit;\n";
}

// For callers who may not read all words: the index finds the rows that have the words anywhere,
// and then only the readable words decide. Excluded words are left out of the first search, because
// they may occur where the caller cannot see them.
std::string find_masked(const Model& model, const Entity& entity) {
    const std::string readable = "ts_filter(_w.words, _classes::\"char\"[])";
    return "    if _classes is not null and querytree(_q) <> 'T' then\n        _wanted := "
           "querytree(_q);\n" +
           find(model, entity,
                {"_w.words @@ _wanted\n            and " + readable + " @@ _q", readable}) +
           "        return;\n    end if;\n    if _classes is not null then\n" +
           find(model, entity, {readable + " @@ _q", readable}) + "        return;\n    end if;\n";
}

std::string signature(const Entity& entity) {
    return "svc." + ident(entity.name + "_search") +
           "(_words text, _classes text[], _limit bigint)";
}

Routine search_function(const Model& model, const Entity& entity) {
    const bool masked = is_masked(entity);
    const std::string body = "declare\n    _q tsquery := websearch_to_tsquery(" +
                             search_config(model) + ", _words);\n" +
                             (masked ? "    _wanted tsquery;\n" : "") + "begin\n" +
                             (masked ? find_masked(model, entity) : "") +
                             find(model, entity, {"_w.words @@ _q", "_w.words"}) + "end\n";
    Routine out;
    out.kind = Routine::Kind::function;
    out.name = entity.name + "_search";
    // Each word has a plan of its own.
    out.create = "create function " + signature(entity) +
                 " returns setof uuid\nlanguage plpgsql stable rows 25 security definer\n" +
                 kSafePath + " set plan_cache_mode = force_custom_plan as " + dollar_quoted(body) +
                 ";\nrevoke all on function " + signature(entity) +
                 " from public;\ngrant execute on function " + signature(entity) + " to :data_role";
    out.drop = "drop function if exists " + signature(entity) + " cascade";
    return out;
}

}  // namespace

std::vector<Routine> plan_search(const Model& model, const Entity& entity) {
    if (entity.search.empty()) return {};
    std::vector<Routine> out = plan_words(model, entity);
    out.push_back(search_function(model, entity));
    return out;
}

std::optional<ServedSearch> serve_search(const Model& model, const Entity& entity,
                                         const std::vector<ServedColumn>& columns) {
    if (entity.search.empty()) return std::nullopt;
    ServedSearch out;
    out.config = search_language(model);
    out.max_length = longest_searched(entity);
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
