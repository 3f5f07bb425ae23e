// The pages of an app: HTML that needs no script, made from the tables of the contract.
// docs/design/pages.md says how.
#pragma once

#include "page/asset/kept_scripts.hpp"
#include "page/visit.hpp"

namespace svc::page {

// Bytes that the body of a request for a page may have. Forms that may hold files are read by the
// page itself, while they come.
std::uint64_t body_limit(const App& app, const http::Head& head);
bool streams_body(const http::Head& head);

class Pages {
  public:
    explicit Pages(Services services) : in_(std::move(services)), scripts_(in_.site, in_.system) {}

    // Answers every address of the app's host that does not belong to its API. `exchange` outlives
    // the task.
    Task<> answer(http::Exchange& exchange);

  private:
    Task<> answer_visit(http::Exchange& exchange, bool as_guest, bool& again);
    Task<Progress> find_caller(Visit& visit, bool as_guest);

    const Services in_;
    KeptScripts scripts_;
};

}  // namespace svc::page
