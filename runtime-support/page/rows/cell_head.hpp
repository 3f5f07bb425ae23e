// The start tag of a cell. What all cells of a column have in common is made once.
#pragma once

#include "page/html/html.hpp"
#include "page/rows/row_shapes.hpp"

namespace svc::page {

class CellHead {
  public:
    CellHead(const Field& field, bool lead);
    void write(Html& out, const Visit& visit, const Entity& entity, std::size_t column,
               const Json& row) const;

  private:
    Html html_;
    bool varies_;  // the class follows from the value; then the tag ends
};

}  // namespace svc::page
