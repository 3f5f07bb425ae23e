// Texts of rows and fields that a caller may not read, and ids of such rows: no page for that
// caller may have them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verify/oracle/oracle.hpp"
#include "verify/subject.hpp"

namespace svc::devapi::verification {

class HiddenTexts {
  public:
    // Reads them, for one caller. Days and moments are those of the app's timezone.
    HiddenTexts(Subject& subject, const VerifyCaller& caller);

    struct HiddenText {
        std::string text, where;  // "product.cost"; an id: "product"
    };
    // A hidden text in the HTML of the page at `path` that neither the path nor any readable value
    // has.
    std::optional<HiddenText> shown_by(const std::string& html, const std::string& path);

  private:
    void take(std::size_t entity);
    void take_ids(std::size_t entity);
    bool is_readable(const std::string& text);

    Subject& subject_;
    const VerifyCaller& caller_;
    Oracle oracle_;
    std::vector<HiddenText> texts_;
};

// Ids of rows of the entity, as many as `most` that the caller may read and as many that they may
// not.
std::vector<std::string> rows_around(Subject& subject, const VerifyCaller& caller,
                                     std::size_t entity, std::size_t most);

}  // namespace svc::devapi::verification
