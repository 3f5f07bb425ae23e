// Walks down a syntax tree, node by node, and knows the position in the text.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace svc::sql {

class Descent {
  public:
    virtual ~Descent() = default;

    // Walks the value of the member `key`: a node, a list of nodes, or an object whose kind follows
    // from the member.
    void each(const std::string& key, const nlohmann::json& value);

  protected:
    // Called for each node. It may continue below with members().
    virtual void visit(const std::string& kind, const nlohmann::json& value) = 0;
    void members(const nlohmann::json& value);

    std::size_t at_ = 0;  // byte of the innermost node that says where it stands

  private:
    void node(const std::string& kind, const nlohmann::json& value);
};

}  // namespace svc::sql
