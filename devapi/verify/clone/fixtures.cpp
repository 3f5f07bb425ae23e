#include "verify/clone/fixtures.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "plan/names.hpp"
#include "plan/types.hpp"

namespace svc::devapi::verification {
namespace {

using model::Entity;
using model::Field;
using model::FieldType;

constexpr std::size_t kLeastRows = 20, kMaxFixtures = 30, kTriesEach = 10;

// Runs a statement that may fail: '1' and so on for how many rows it reached, else the SQLSTATE and
// the words. tried() takes back what it did, kept() does not.
constexpr const char* kHelpers = R"(
create schema svc_verify;
create function svc_verify.tried(statement text) returns text language plpgsql as $$
declare reached bigint;
begin
    execute statement;
    get diagnostics reached = row_count;
    raise exception using errcode = 'SVOK0', message = reached;
exception
    when sqlstate 'SVOK0' then return sqlerrm;
    when others then return sqlstate || ' ' || sqlerrm;
end $$;
create function svc_verify.kept(statement text) returns text language plpgsql as $$
declare reached bigint;
begin
    execute statement;
    get diagnostics reached = row_count;
    return reached;
exception when others then return sqlstate || ' ' || sqlerrm;
end $$;
grant usage on schema svc_verify to public;
)";

struct Known {
    std::string id, org;
    bool owned = false;  // by an organisation, as its kind is
};

class Maker {
  public:
    explicit Maker(Subject& subject) : subject_(subject), db_(subject.connection) {}

    Fixtures run() {
        db_.run("begin");
        db_.act_as_owner();
        db_.run(kHelpers);
        make_people();
        std::set<std::size_t> done;
        for (std::size_t i = 0; i < model().entities.size(); ++i) make_after_parents(i, done);
        db_.run("commit; analyze");
        return out_;
    }

  private:
    const model::Model& model() const { return subject_.model; }

    void make_people() {
        for (const VerifyCaller& caller : subject_.callers)
            if (make_account(caller)) users_.push_back(caller.id);
        for (const VerifyCaller& admin : all_admins(model())) make_account(admin);
        if (model().org_roles.empty()) return;
        for (const char* org : kOrgs)
            db_.run("insert into svc.org (id, name) values (" + db_.quote(org) + ", 'verify')");
    }

    bool make_account(const VerifyCaller& caller) {
        if (caller.id.empty() || !accounts_.insert(caller.id).second) return false;
        db_.run(
            "insert into svc.account (id, email, name, persona, is_admin, verified_at) values (" +
            db_.quote(caller.id) + ", " + db_.quote(caller.email) + ", " + db_.quote(caller.name) +
            ", " + db_.quote(caller.persona) + ", " + (caller.is_admin ? "true" : "false") +
            ", now())");
        return true;
    }

    // A circle of references is entered somewhere: there the ref stays null.
    void make_after_parents(std::size_t index, std::set<std::size_t>& done) {
        if (!done.insert(index).second) return;
        const Entity& entity = model().entities[index];
        for (const Field& field : entity.fields)
            if (field.type == FieldType::ref) make_after_parents(field.ref_entity, done);
        if (is_table(entity)) make(index);
    }

    // First rows that rules let pass, for what must be possible; then rows that nobody asks.
    void make(std::size_t index) {
        const Entity& entity = model().entities[index];
        const std::string table = plan::table(entity.name);
        const std::size_t wanted = std::clamp(3 * users_.size(), kLeastRows, kMaxFixtures);
        std::vector<std::string> results;
        for (std::size_t n = 0, lawful = 0; lawful < wanted && n < kTriesEach * wanted;
             n += wanted) {
            for (auto& result : insert(index, n, wanted)) {
                lawful += result == "1";
                results.push_back(std::move(result));
            }
        }
        db_.disable_triggers(table);
        for (auto& result : insert(index, kTriesEach * wanted, wanted, true))
            results.push_back(std::move(result));
        db_.enable_triggers();
        const auto made = static_cast<std::size_t>(std::ranges::count(results, "1"));
        out_.rows += made;
        if (made == 0) out_.without.push_back(entity.name + " (" + results[0] + ")");
        ids_[index].clear();
        for (const auto& row :
             db_.run("select id, " + std::string(entity.owner.org ? "org_id" : "null") + " from " +
                     table + " order by created_at desc, id desc limit 200"))
            ids_[index].push_back({row[0].c_str(), row[1].as<std::string>(""), entity.owner.org});
    }

    std::vector<std::string> insert(std::size_t index, std::size_t from, std::size_t count,
                                    bool older = false) {
        std::vector<std::string> statements;
        for (std::size_t n = from; n < from + count; ++n)
            statements.push_back(insertion(index, n, older));
        return db_.list("select svc_verify.kept(s) from unnest(" + text_array(statements) +
                        ") with ordinality as t (s, n) order by n");
    }

    // Rows that rules were not asked about are older, so that others can be preferred to them.
    std::string insertion(std::size_t index, std::size_t n, bool older) {
        const Entity& entity = model().entities[index];
        std::string columns = "id", values = "gen_random_uuid()";
        const auto add = [&](const std::string& column, const std::string& value) {
            columns += ", " + plan::ident(column);
            values += ", " + value;
        };
        if (older) add("created_at", "now() - interval '1 day'");
        if (entity.owner.user) add("user_id", chance(8) ? "null" : quoted(one_of(users_)));
        org_ = chance(8) ? "" : kOrgs[random_() % 2];
        if (entity.owner.org) add("org_id", org_.empty() ? "null" : quoted(org_));
        for (std::size_t f = 0; f < entity.fields.size(); ++f) {
            const Field& field = entity.fields[f];
            if (field.computed || field.type == FieldType::sequence) continue;
            if (const auto value = made_value(index, f, n); !value.empty()) add(field.name, value);
        }
        return "insert into " + plan::table(entity.name) + " (" + columns + ") values (" + values +
               ")";
    }

    // "": the column's own default.
    std::string made_value(std::size_t index, std::size_t f, std::size_t n) {
        const Field& field = model().entities[index].fields[f];
        if (!field.required && !field.lifecycle && chance(7)) return "null";
        if (field.type == FieldType::ref) {
            return referred(ids_[field.ref_entity]);
        }
        if (field.type == FieldType::user) return quoted(one_of(users_));
        if (field.type == FieldType::file) return "null";
        if (field.type == FieldType::json) return "'{}'";
        const auto& pool = values_of(index, f);
        const std::string type(plan::type_names(field.type).sql);
        if (field.type == FieldType::tags)
            return text_array(chance(3) ? std::vector<std::string>{}
                                        : std::vector<std::string>{one_of(pool)});
        if (!pool.empty() && (!unbounded(field.type) || (!field.unique && chance(2))))
            return quoted(one_of(pool)) + "::" + type;
        return typed(field, n);
    }

    // Mostly of the same organisation, as rows of one mostly are.
    std::string referred(const std::vector<Known>& known) {
        if (known.empty()) return "null";
        for (int tries = 0; tries < 20; ++tries) {
            const Known& one = known[random_() % known.size()];
            if (!one.owned || one.org == org_ || chance(20)) return quoted(one.id);
        }
        return quoted(known[random_() % known.size()].id);
    }

    static bool unbounded(FieldType type) {
        return plan::is_text(type) || type == FieldType::date || type == FieldType::datetime ||
               type == FieldType::time || type == FieldType::uuid;
    }

    std::string typed(const Field& field, std::size_t n) {
        const std::string number = std::to_string(n);
        const std::string days = std::to_string(static_cast<int>(random_() % 800) - 400);
        switch (field.type) {
            case FieldType::date:
                return "current_date + " + days;
            case FieldType::datetime:
                return "date_trunc('second', now()) + interval '" + days + " days " + number +
                       " seconds'";
            case FieldType::time:
                return "time '08:00' + interval '" + number + " minutes'";
            case FieldType::uuid:
                return "gen_random_uuid()";
            case FieldType::email:
                return quoted("row" + number + "@verify.invalid");
            case FieldType::url:
                return quoted("https://verify.invalid/" + number);
            case FieldType::phone:
                return quoted("+3310000" + std::to_string(1000 + n));
            default:
                return text_value(field, n);
        }
    }

    // The first common form of text that the pattern accepts.
    std::string text_value(const Field& field, std::size_t n) {
        const std::string number = std::to_string(1000 + n);
        std::vector<std::string> forms = {
            "verify-" + number, "VERIFY-" + number,  "v" + number,      "V" + number, number,
            "1000" + number,    "10000000" + number, "Verify " + number};
        std::string array = text_array(forms), fits = "true";
        if (field.pattern) fits += " and f ~ " + quoted(*field.pattern);
        if (field.max_length) fits += " and length(f) <= " + std::to_string(*field.max_length);
        if (field.min_length) fits += " and length(f) >= " + std::to_string(*field.min_length);
        if (!field.pattern && !field.min_length && !field.max_length) return quoted(forms[0]);
        const std::string found =
            db_.text("select f from unnest(" + array + ") with ordinality as t (f, n) where " +
                     fits + " order by n limit 1");
        if (!found.empty()) return quoted(found);
        return field.required ? quoted(forms[0]) : "null";
    }

    const std::vector<std::string>& values_of(std::size_t index, std::size_t f) {
        auto& pool = pools_[{index, f}];
        if (!pool.empty()) return pool;
        const Field& field = model().entities[index].fields[f];
        if (field.type == FieldType::boolean) return pool = {"true", "true", "false"};
        if (field.type == FieldType::enum_) return pool = field.values;
        pool = named_values(model(), index, f);
        if (field.type == FieldType::tags) pool.insert(pool.end(), {"a", "b"});
        if (plan::is_numeric(field.type)) add_numbers(field, pool);
        return pool;
    }

    // Adds numbers that the contract names, their neighbours, the bounds, and some more, if the
    // field allows them.
    static void add_numbers(const Field& field, std::vector<std::string>& pool) {
        std::set<double> numbers = {0, 1, 2, 5, 10, 100, 1000};
        for (const std::string& text : pool)
            for (const int by : {-1, 0, 1}) numbers.insert(std::strtod(text.c_str(), nullptr) + by);
        for (const auto& bound : {field.min, field.max})
            if (bound) numbers.insert(std::strtod(bound->c_str(), nullptr));
        pool.clear();
        for (const double number : numbers) {
            if (field.min && number < std::strtod(field.min->c_str(), nullptr)) continue;
            if (field.max && number > std::strtod(field.max->c_str(), nullptr)) continue;
            const bool whole = field.type == FieldType::integer || field.type == FieldType::money;
            std::string text = std::to_string(number);
            if (whole && number != static_cast<double>(static_cast<long long>(number))) continue;
            pool.push_back(whole ? text.substr(0, text.find('.')) : text);
        }
    }

    bool chance(unsigned one_in) { return random_() % one_in == 0; }
    const std::string& one_of(const std::vector<std::string>& all) {
        return all[random_() % all.size()];
    }
    static std::string quoted(const std::string& text) { return plan::literal(text); }

    Subject& subject_;
    CloneConnection& db_;
    std::mt19937 random_{20261121};
    std::set<std::string> accounts_;
    std::vector<std::string> users_;  // whose rows may be
    std::map<std::size_t, std::vector<Known>> ids_;
    std::string org_;  // of the row that is made
    std::map<std::pair<std::size_t, std::size_t>, std::vector<std::string>> pools_;
    Fixtures out_;
};

}  // namespace

Fixtures make_fixtures(Subject& subject) { return Maker(subject).run(); }

}  // namespace svc::devapi::verification
