// The pages of an app: HTML for people that needs no script, written from tables of the contract.
// docs/design/pages.md says how.
#pragma once

#include "page/kept_scripts.hpp"
#include "page/visit.hpp"

namespace svc::page {

inline constexpr std::size_t kFormBody = 256 * 1024;  // bytes that a form may have

class Pages {
  public:
    explicit Pages(Services services) : in_(std::move(services)), scripts_(in_.site, in_.system) {}

    // Answers any address of the app's host that is none of its API. `exchange` outlives the task.
    Task<> answer(http::Exchange& exchange);

  private:
    Task<> answer_visit(http::Exchange& exchange, bool as_guest, bool& again);

    const Services in_;
    KeptScripts scripts_;
};

}  // namespace svc::page
