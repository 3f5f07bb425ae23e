#include "migrate/seed/seeds.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/sha256.hpp"
#include "base/sql_state.hpp"
#include "migrate/refusal/refusal.hpp"
#include "migrate/seed/seed_hashes.hpp"
#include "migrate/seed/seed_keys.hpp"
#include "migrate/seed/seed_sql.hpp"
#include "plan/names.hpp"

namespace svc::migrate {
namespace {

constexpr const char* kUsers = "@users";

SeedRecords read_book(pqxx::transaction_base& tx) {
    SeedRecords out;
    for (const auto& row : tx.exec("select entity, key, row_id, hash, made from svc.seed")) {
        SeedRecord& seeded = out[{row[0].c_str(), row[1].c_str()}];
        seeded.id = row[2].c_str();
        seeded.hash = row[3].c_str();
        seeded.made = row[4].as<bool>();
    }
    for (const auto& row : tx.exec("select s.entity, s.key, e.key, e.value from svc.seed s,"
                                   " jsonb_each_text(s.said) e"))
        out[{row[0].c_str(), row[1].c_str()}].field_hashes[row[2].c_str()] = row[3].c_str();
    return out;
}

class Seeder {
  public:
    Seeder(pqxx::dbtransaction& tx, const plan::Plan& plan,
           const std::map<std::string, std::string>& renamed, diag::Findings& findings)
        : tx_(tx), findings_(findings) {
        const SeedRecords recorded = read_book(tx);
        SeedRecords now = recorded;
        follow_renamed(plan, renamed, now);
        seeded_ = match_seeds(plan, now);
        for (const auto& [key, seeded] : recorded) {
            if (!seeded_.contains(key)) forget(key);
        }
        for (const auto& [key, seeded] : seeded_) {
            const auto old = recorded.find(key);
            if (old == recorded.end() || old->second != seeded) keep(tx, key, seeded);
        }
    }

    // An existing account keeps its persona and rights, now and when the seed changes: a person who
    // signed up must not get the rights of a seed with the same address.
    void add_user(const plan::SeedUser& user, const std::string& path) {
        const std::string admin = user.is_admin ? "true" : "false";
        const std::string hash = base::sha256_hex_of({user.email, user.name, user.persona, admin});
        const std::pair key{std::string(kUsers), user.key};
        const auto old = seeded_.find(key);
        if (old != seeded_.end() && old->second.hash == hash) return;
        guarded(path, [&](pqxx::transaction_base& tx) {
            SeedRecord account =
                old == seeded_.end() ? insert_user(tx, user) : update_user(tx, user, old->second);
            account.hash = hash;
            account.field_hashes = field_hashes_of(user);
            account.made = account.made || made_by_seeds(account.id);
            keep(tx, key, account);
        });
    }

    void add_row(const plan::SeedRow& row) {
        const std::pair key{row.entity, row.key};
        const auto old = seeded_.find(key);
        if (old != seeded_.end() && old->second.hash == row.hash) return;
        guarded(row.path, [&](pqxx::transaction_base& tx) {
            bool complete = true;
            const auto values = resolve(row, complete);
            const FieldHashes field_hashes = field_hashes_of(row);
            PendingRow pending{
                &row, changed(old == seeded_.end() ? FieldHashes{} : old->second.field_hashes,
                              field_hashes)};
            std::string id = old == seeded_.end() ? insert_row(tx, row, values) : old->second.id;
            if (old != seeded_.end()) update_row(tx, row, values, pending.columns, id);
            keep(tx, key, {std::move(id), row.hash, true, field_hashes});
            if (!complete) pending_.push_back(std::move(pending));
        });
    }

    // Rows that refer to rows after them: complete now that all are there.
    void finish() {
        for (const auto& [row, columns] : pending_) {
            bool complete = true;
            const auto values = resolve(*row, complete);
            if (!complete) {
                findings_.error("SEED_REFUSED", row->path,
                                "The row refers to a seed that was not created.");
                continue;
            }
            guarded(row->path, [&, row = row, &columns = columns](pqxx::transaction_base& tx) {
                update_row(tx, *row, values, columns, seeded_.at({row->entity, row->key}).id);
            });
        }
    }

  private:
    // Under another key, perhaps.
    bool made_by_seeds(const std::string& account) const {
        return std::any_of(seeded_.begin(), seeded_.end(), [&](const auto& seeded) {
            return seeded.first.first == kUsers && seeded.second.id == account &&
                   seeded.second.made;
        });
    }

    // Runs it under a savepoint, so that later rows get their findings too.
    template <class Work>
    void guarded(const std::string& path, Work work) try {
        pqxx::subtransaction sub(tx_);
        work(sub);
        sub.commit();
    } catch (const pqxx::broken_connection&) {
        throw;
    } catch (const pqxx::sql_error& error) {
        const SqlError sql_error = read_error(error);
        if (says_nothing_of_rows(sql_error)) throw;
        refuse(path, sql_error);
    }

    void refuse(const std::string& path, const SqlError& sql_error) {
        if (sql_error.state == base::sqlstate::kTaken) {
            return findings_.error(
                "SEED_REFUSED", path, "Another row already has this value. " + sql_error.detail,
                "Change the value in one of the two rows, or delete the other row.");
        }
        findings_.error(
            "SEED_REFUSED", path,
            sql_error.message + (sql_error.detail.empty() ? "" : " " + sql_error.detail));
    }

    void forget(const SeedKey& key) {
        tx_.exec_params("delete from svc.seed where entity = $1 and key = $2", key.first,
                        key.second);
    }

    void keep(pqxx::transaction_base& tx, const SeedKey& key, const SeedRecord& seeded) {
        tx.exec_params0(
            "insert into svc.seed (entity, key, row_id, hash, made, said)"
            " values ($1, $2, $3, $4, $5, $6) on conflict (entity, key) do update"
            " set row_id = $3, hash = $4, made = $5, said = $6",
            key.first, key.second, seeded.id, seeded.hash, seeded.made,
            to_json(seeded.field_hashes));
        seeded_[key] = seeded;
    }

    SeedValues resolve(const plan::SeedRow& row, bool& complete) const {
        SeedValues values;
        for (const auto& value : row.values) {
            if (value.null) {
                values.emplace_back();
            } else if (!value.sql.empty()) {
                values.emplace_back(tx_.exec1("select (" + value.sql + ")::text")[0].c_str());
            } else if (value.ref_key.empty()) {
                values.emplace_back(value.text);
            } else {
                const auto found = seeded_.find({value.ref_entity, value.ref_key});
                complete = complete && found != seeded_.end();
                values.push_back(found == seeded_.end() ? std::nullopt
                                                        : std::optional(found->second.id));
            }
        }
        return values;
    }

    pqxx::dbtransaction& tx_;
    diag::Findings& findings_;
    SeedRecords seeded_;
    struct PendingRow {
        const plan::SeedRow* row;
        std::vector<std::string> columns;  // to be set
    };
    std::vector<PendingRow> pending_;
};

}  // namespace

void seed(pqxx::dbtransaction& tx, const plan::Plan& plan,
          const std::map<std::string, std::string>& renamed, diag::Findings& findings) {
    if (plan.seeds_unchanged) return;
    // The rules of the app see the server itself as the one who writes.
    tx.exec(
        "select set_config('svc.principals', 'server', true),"
        " set_config('svc.user_id', '', true), set_config('svc.claims', '', true)");
    Seeder seeder(tx, plan, renamed, findings);
    for (std::size_t i = 0; i < plan.seed_users.size(); ++i) {
        seeder.add_user(plan.seed_users[i], "/seeds/@users/" + std::to_string(i));
    }
    for (const auto& row : plan.seed_rows) seeder.add_row(row);
    seeder.finish();
}

}  // namespace svc::migrate
