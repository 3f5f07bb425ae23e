// Rows as a table of texts (RFC 4180), made of their JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace svc::data {

class Csv {
  public:
    // `fields`: those of the envelope.
    explicit Csv(std::string_view fields);

    void header(std::string& out) const;
    // A line of one row's JSON object, which has these fields in this order. Texts stand as they
    // are, to the byte; null is nothing, an empty text is two quotes; lists and JSON stay JSON.
    void line(std::string_view row, std::string& out);

  private:
    struct Field {
        std::string name;
        bool json = false;  // a text of it is not text, but JSON
    };
    void cell(const Field& field, std::string_view value, std::string& out);

    std::vector<Field> fields_;
    std::string text_;
};

}  // namespace svc::data
