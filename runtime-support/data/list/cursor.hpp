// Where a page of a list ended, as a text that only we can make: signed, and bound to the caller
// and to the list that it was made for. It says no more than the last row of the page did.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/query_text.hpp"
#include "identity/caller.hpp"
#include "identity/signer.hpp"

namespace svc::data::list {

class Cursors {
  public:
    using Position =
        std::vector<std::optional<std::string>>;  // values of the sort keys; null: null

    // Both must outlive it.
    Cursors(const identity::Signer& signer, const Caller& caller)
        : signer_(signer), caller_(caller) {}

    // `list` is all that a cursor must not be carried over from: table, conditions, order.
    std::string make(const std::string& list, const Position& position) const;
    // PARAMS_INVALID where make() of this caller and list did not give it.
    Result<Position> read(const std::string& list, std::string_view cursor) const;

    const Caller& caller() const { return caller_; }

    static constexpr std::size_t kMaxBytes = 4000;  // one that comes back must fit into a head

  private:
    std::string signed_text(const std::string& list, std::string_view position) const;

    const identity::Signer& signer_;
    const Caller& caller_;
};

}  // namespace svc::data::list
