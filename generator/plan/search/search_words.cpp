#include "plan/search/search_words.hpp"

#include <map>

#include "plan/names.hpp"
#include "plan/write/trigger_sql.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Field;
using model::Model;
using model::SearchField;

// PostgreSQL keeps at most 1 MB of words a row: no row may fail to be written for having more. A
// character has four bytes, and stands twice where a hyphen joins words.
constexpr std::uint32_t kMaxCharacters = 80'000;
// Kilobytes of new words that wait to be sorted into the index, and are read through by every
// search: at PostgreSQL's 4 MB each search takes ten times as long, and inserts are not faster.
constexpr const char* kMostUnsorted = "256";
// Rows that are taken in at a time.
constexpr const char* kMostTaken = "2000";

std::string field_words(const Model& model, const Entity& entity, const SearchField& searched,
                        const std::string& row) {
    const Field& field = entity.fields[searched.field];
    std::string text = row + ident(field.name);
    if (!field.max_length || *field.max_length > longest_searched(entity)) {
        text = "left(" + text + ", " + std::to_string(longest_searched(entity)) + ")";
    }
    return "setweight(to_tsvector(" + search_config(model) + ", coalesce(" + text + ", '')), '" +
           searched.weight_class + "')";
}

// All words of a row. Words that some callers may not read come last, so that the position of a
// readable word does not reveal hidden words before it.
std::string words_of_row(const Model& model, const Entity& entity, const std::string& row) {
    std::string open;
    std::string masked;
    for (const SearchField& searched : entity.search) {
        std::string& out = entity.fields[searched.field].read ? masked : open;
        if (!out.empty()) out += " || ";
        out += field_words(model, entity, searched, row);
    }
    return "(" + open + (open.empty() || masked.empty() ? "" : " || ") + masked + ")";
}

std::string changed(const Entity& entity) {
    std::string out = "old.id <> new.id";
    for (const SearchField& searched : entity.search) {
        const std::string field = ident(entity.fields[searched.field].name);
        out += " or old." + field + " is distinct from new." + field;
    }
    return out;
}

std::string keep(const Entity& entity, const std::string& source) {
    return "insert into " + words_table(entity) + " (id, words) " + source +
           "\n        on conflict (id) do update set words = excluded.words;\n";
}

Routine words(const Entity& entity) {
    Routine out;
    out.kind = Routine::Kind::words;
    out.name = entity.name + "_words";
    out.table = entity.name;
    out.create = "create table " + words_table(entity) +
                 " (id uuid primary key, words tsvector not null);\ncreate index " +
                 ident(entity.name + "_words_gin") + " on " + words_table(entity) +
                 " using gin (words) with (gin_pending_list_limit = " + kMostUnsorted + ")";
    out.drop = "drop table if exists " + words_table(entity);
    return out;
}

// Adds existing rows, the newest first. A row that is written meanwhile already has its words,
// which stay. A row that is deleted meanwhile may leave words, which find nothing.
std::string fill_body(const Model& model, const Entity& entity) {
    return "declare\n    _reached uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';\nbegin\n    "
           "loop\n"
           "        with _part as materialized (\n            select r.* from " +
           table(entity.name) + " r where r.id < _reached order by r.id desc limit " + kMostTaken +
           "), _taken as (\n            insert into " + words_table(entity) +
           " (id, words)\n            select r.id, " + words_of_row(model, entity, "r.") +
           "\n            from _part r where not exists (select from " + words_table(entity) +
           " _w where _w.id = r.id)\n            on conflict (id) do nothing)\n"
           "        select _part.id into _reached from _part order by _part.id limit 1;\n"
           "        exit when _reached is null;\n"
           "        if _by_parts then\n            commit;\n        end if;\n    end loop;\n"
           "    analyze " +
           words_table(entity) + ";\nend\n";
}

// A procedure that commits has no settings of its own: it runs in the migration's.
Routine fill_procedure(const Model& model, const Entity& entity) {
    const std::string name = "svc." + ident(entity.name + "_fill_words");
    Routine out;
    out.kind = Routine::Kind::function;
    out.name = entity.name + "_fill_words";
    out.create = "create procedure " + name + "(_by_parts boolean) language plpgsql as " +
                 dollar_quoted(fill_body(model, entity)) + ";\nrevoke all on procedure " + name +
                 "(boolean) from public";
    out.drop = "drop procedure if exists " + name + "(boolean)";
    return out;
}

Routine keep_function(const Model& model, const Entity& entity) {
    const std::string body =
        "    case tg_op\n    when 'INSERT' then\n        " +
        keep(entity,
             "select r.id, " + words_of_row(model, entity, "r.") + "\n        from new_rows r") +
        "    when 'UPDATE' then\n        if old.id <> new.id then\n            delete from " +
        words_table(entity) + " _w where _w.id = old.id;\n        end if;\n        " +
        keep(entity, "values (new.id, " + words_of_row(model, entity, "new.") + ")") +
        "    when 'DELETE' then\n        delete from " + words_table(entity) +
        " _w using old_rows r where _w.id = r.id;\n    end case;\n    return null;\n";
    return trigger_function(entity, "keep_words", body, Rights::owner);
}

Routine keep_trigger(const Entity& entity, const std::string& event, const std::string& how) {
    Routine out;
    out.kind = Routine::Kind::trigger;
    out.name = entity.name + "_words_" + event;
    out.table = entity.name;
    out.create = "create trigger " + ident(out.name) + " after " + event + " on " +
                 table(entity.name) + "\n    " + how + "\n    execute function svc." +
                 ident(entity.name + "_keep_words") + "()";
    out.drop = "drop trigger if exists " + ident(out.name) + " on " + table(entity.name);
    return out;
}

}  // namespace

// The search language of app.locale. For an unknown language words are found as they are written.
std::string search_language(const Model& model) {
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

std::string search_config(const Model& model) {
    return literal("pg_catalog." + search_language(model)) + "::regconfig";
}

std::uint32_t longest_searched(const Entity& entity) {
    return kMaxCharacters / static_cast<std::uint32_t>(entity.search.size());
}

std::string words_table(const Entity& entity) { return "svc." + ident(entity.name + "_words"); }

std::vector<Routine> plan_words(const Model& model, const Entity& entity) {
    Routine kept = words(entity);
    // The comment has the definition of the words, so another definition makes the table again.
    kept.create += ";\ncomment on table " + words_table(entity) + " is " +
                   literal(words_of_row(model, entity, ""));
    kept.fill = "call svc." + ident(entity.name + "_fill_words");
    return {kept,
            fill_procedure(model, entity),
            keep_function(model, entity),
            keep_trigger(entity, "insert", "referencing new table as new_rows for each statement"),
            keep_trigger(entity, "update", "for each row when (" + changed(entity) + ")"),
            keep_trigger(entity, "delete", "referencing old table as old_rows for each statement")};
}

}  // namespace svc::plan
