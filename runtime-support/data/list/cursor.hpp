// The end of a page of a list, as a text that only this server can make: signed, and bound to the
// caller and to the list that it was made for. It reveals no more than the last row of the page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/query_text.hpp"
#include "identity/caller.hpp"
#include "identity/secret/signer.hpp"

namespace svc::data::list {

class Cursors {
  public:
    using Position =
        std::vector<std::optional<std::string>>;  // values of the sort keys; null: null

    // Both must outlive it.
    Cursors(const identity::Signer& signer, const Caller& caller)
        : signer_(signer), caller_(caller) {}

    // `list` identifies the list, so that a cursor is of no use for another one: its table,
    // conditions and order.
    std::string make(const std::string& list, const Position& position) const;
    // Refuses with PARAMS_INVALID unless make() returned this cursor for the same caller and list.
    Result<Position> read(const std::string& list, std::string_view cursor) const;

    const Caller& caller() const { return caller_; }

    static constexpr std::size_t kMaxBytes = 4000;  // a cursor must fit into the head of a request

  private:
    std::string signed_text(const std::string& list, std::string_view position) const;

    const identity::Signer& signer_;
    const Caller& caller_;
};

}  // namespace svc::data::list
