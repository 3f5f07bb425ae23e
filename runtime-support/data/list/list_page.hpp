// Prints one page of a list, and the cursor of the next page if it is wanted.
#pragma once

#include "data/envelope.hpp"
#include "data/list/list_query.hpp"

namespace svc::data::list {

class ListPage final : public db::RowSink {
  public:
    ListPage(const Entity& entity, const ListQuery& list, Envelope& envelope)
        : entity_(entity), list_(list), envelope_(envelope) {}

    void row(const Row& row) override;
    // Completes the envelope. PARAMS_INVALID where the last row's values are too long for a cursor.
    std::optional<Error> finish(const Cursors& cursors);

  private:
    const Entity& entity_;
    const ListQuery& list_;
    Envelope& envelope_;
    bool ended_ = false;
    bool more_ = false;
    Cursors::Position last_;  // of the page's last row, the next page begins after it
};

}  // namespace svc::data::list
