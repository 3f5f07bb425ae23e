// A folder of marks: what has passed before, by hash. To forget one costs another run, and nothing
// else.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace svc::build {

class Marks {
  public:
    explicit Marks(std::string folder) : folder_(std::move(folder)) {}

    bool has(const std::string& key) const;
    // Makes the folder. Forgets all of it first where it has too many.
    void add(const std::vector<std::string>& keys) const;

  private:
    void make_room() const;

    std::string folder_;
};

// Adds a part to a text that becomes a hash, so that no part can be taken for another.
void add_part(std::string& text, const std::string& part);

}  // namespace svc::build
