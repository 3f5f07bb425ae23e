#include "verify/clone/fixtures.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "plan/names.hpp"
#include "verify/clone/fixture_values.hpp"

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
    explicit Maker(Subject& subject)
        : subject_(subject),
          db_(subject.connection),
          values_(subject.model, subject.connection, dice_) {}

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
        for (const VerifyCaller& member : all_members(model())) make_member(member);
    }

    void make_member(const VerifyCaller& member) {
        make_account(member);
        db_.run("insert into svc.member (org_id, account_id, role) values (" +
                db_.quote(member.org) + ", " + db_.quote(member.id) + ", " +
                db_.quote(member.org_role) + ")");
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
        std::string columns = "id";
        std::string values = "md5(" + quoted(entity.name + " " + std::to_string(n)) + ")::uuid";
        const auto add = [&](const std::string& column, const std::string& value) {
            columns += ", " + plan::ident(column);
            values += ", " + value;
        };
        if (older) add("created_at", "now() - interval '1 day'");
        if (entity.owner.user)
            add("user_id", dice_.chance(8) ? "null" : quoted(dice_.one_of(users_)));
        org_ = dice_.chance(8) ? "" : kOrgs[dice_.random() % 2];
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
        if (!field.required && !field.lifecycle && dice_.chance(7)) return "null";
        if (field.type == FieldType::ref) {
            return referred(ids_[field.ref_entity]);
        }
        if (field.type == FieldType::user) return quoted(dice_.one_of(users_));
        if (field.type == FieldType::file) return "null";
        if (field.type == FieldType::json) return "'{}'";
        return values_.made(index, f, n);
    }

    // Mostly of the same organisation, as rows of one mostly are.
    std::string referred(const std::vector<Known>& known) {
        if (known.empty()) return "null";
        for (int tries = 0; tries < 20; ++tries) {
            const Known& one = known[dice_.random() % known.size()];
            if (!one.owned || one.org == org_ || dice_.chance(20)) return quoted(one.id);
        }
        return quoted(known[dice_.random() % known.size()].id);
    }

    static std::string quoted(const std::string& text) { return plan::literal(text); }

    Subject& subject_;
    CloneConnection& db_;
    Dice dice_;
    FixtureValues values_;
    std::set<std::string> accounts_;
    std::vector<std::string> users_;  // whose rows may be
    std::map<std::size_t, std::vector<Known>> ids_;
    std::string org_;  // of the row that is made
    Fixtures out_;
};

}  // namespace

Fixtures make_fixtures(Subject& subject) { return Maker(subject).run(); }

}  // namespace svc::devapi::verification
