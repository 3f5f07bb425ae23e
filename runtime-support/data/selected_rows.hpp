// Prints rows of a statement that selecting() made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/selection.hpp"

namespace svc::data {

class SelectedRows {
  public:
    // The entity outlives it.
    SelectedRows(const Entity& entity, std::vector<Selected> members);

    const std::vector<Selected>& members() const { return members_; }
    // One JSON object, its members in the order in which they were selected.
    void write(const Row& row, std::string& out);
    // The envelope's `fields`: what stands behind a link is of type json.
    void append_fields(std::string& out) const;
    // Whether a row had more rows behind a link than were printed.
    bool cut() const { return cut_; }

  private:
    const Entity* entity_;
    std::vector<Selected> members_;
    std::vector<std::string> keys_;  // {"id":  ,"title":
    bool cut_ = false;
};

}  // namespace svc::data
