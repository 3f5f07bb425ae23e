// The temporary clone of a project's dev database: the same schema, policies and triggers, made by
// pg_dump, and a sample of its rows with complete references. It has a database of its own and the
// roles of the original, which let nobody else in.
#pragma once

#include <cstdint>
#include <memory>
#include <pqxx/pqxx>
#include <string>
#include <vector>

#include "apps/database/database.hpp"
#include "plan/plan.hpp"

namespace svc::devapi::verification {

// How many rows of a table are copied; rows that others refer to are copied as well.
inline constexpr int kMostRows = 2000;

struct CopiedTable {
    std::string table;
    std::int64_t rows = 0;
    bool all = true;
};

class Clone {
  public:
    // Null while another verification of this project runs. Throws pqxx::failure.
    static std::unique_ptr<Clone> take(const AppsConfig& config, const std::string& project);
    ~Clone();  // drops it
    Clone(const Clone&) = delete;
    Clone& operator=(const Clone&) = delete;

    void renew();  // makes it empty again
    // Throws DumpFailed, pqxx::failure.
    void load(const AppsConfig& config);
    void load_rows(const plan::Plan& plan);

    const AppDatabase& source() const { return source_; }
    const AppDatabase& database() const { return database_; }
    const std::vector<CopiedTable>& copied() const { return copied_; }

  private:
    Clone(const AppsConfig& config, const std::string& project);
    bool lock();
    void drop() noexcept;
    void cut_off();
    void make_rights();

    const AppDatabase source_;
    AppDatabase database_;     // its roles are the source's
    pqxx::connection keeper_;  // holds the lock of this clone, until the end of svcd at the latest
    std::vector<CopiedTable> copied_;
};

// Drops clones whose verification has ended.
void drop_left_clones(const AppsConfig& config);

}  // namespace svc::devapi::verification
