// Scripts of pages outlive the build that served them: the app's database has them for a week, for
// whoever has a page of that build open.
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

    // Once a page with scripts was served. What fails is tried again with the next one.
    Task<> keep();
    // The text of a script by its path; nothing where there is none, or the database is away.
    Task<std::optional<std::string>> find(std::string_view path);

  private:
    const Site& site_;
    db::Pool& system_;
    std::optional<std::chrono::steady_clock::time_point> kept_at_;
};

}  // namespace svc::page
