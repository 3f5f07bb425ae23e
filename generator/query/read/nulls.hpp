// A statement with nulls if it names columns that are not there, so that what else it names can
// be asked for.
#pragma once

#include <string>
#include <vector>

#include "query/read/edited.hpp"

namespace svc::query {

class Nulls {
  public:
    explicit Nulls(const std::string& sql) : sql_(sql) {}

    // Replaces the column at this character (from 1) of the present edited(). False if no value is
    // possible there.
    bool put(int character);
    // Makes the last one a null of that type; it was of type unknown.
    void of_type(const std::string& type);
    Edited edited() const { return {sql_, edits_}; }

  private:
    bool try_as(std::size_t at, std::size_t length, const std::string& as);

    const std::string& sql_;
    std::vector<Edit> edits_;
    std::string as_;  // what the last one is called
};

}  // namespace svc::query
