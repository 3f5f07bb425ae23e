// Prints rows of a statement that selecting() made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/select/selection.hpp"

namespace svc::data::select {

class SelectedRows {
  public:
    // The entity outlives it.
    SelectedRows(const Entity& entity, std::vector<Selected> members);

    const std::vector<Selected>& members() const { return members_; }
    // Values of links come after this many columns that are not the entity's.
    void skip_extra(unsigned columns) { others_ = columns; }
    // One JSON object, its members in the order in which they were selected.
    void write(const Row& row, std::string& out);
    // The envelope's `fields`: linked rows are of type json.
    void append_fields(std::string& out) const;
    // Whether a row had more linked rows than were printed.
    bool cut() const { return cut_; }

  private:
    const Entity* entity_;
    std::vector<Selected> members_;
    std::vector<std::string> keys_;  // {"id":  ,"title":
    unsigned others_ = 0;
    bool cut_ = false;
};

}  // namespace svc::data::select
