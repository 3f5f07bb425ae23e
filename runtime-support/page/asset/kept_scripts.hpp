// Keeps scripts of pages longer than their build: the app's database stores them for a week, for
// visitors who still have a page of that build open.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "db/pool.hpp"
#include "svc/page.hpp"

namespace svc::page {

class KeptScripts {
  public:
    KeptScripts(const Site& site, db::Pool& system) : site_(site), system_(system) {}

    // Call it after a page with scripts was served. After a failure the next call tries again.
    Task<> keep();
    // The text of a script by its path; nothing if there is none or the database does not answer.
    Task<std::optional<std::string>> find(std::string_view path);

  private:
    const Site& site_;
    db::Pool& system_;
    std::optional<std::chrono::steady_clock::time_point> kept_at_;
};

}  // namespace svc::page
