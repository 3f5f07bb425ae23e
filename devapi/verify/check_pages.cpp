// Pages are read and checked with the contract, but nothing compiles them yet.
#include "verify/subject.hpp"

namespace svc::devapi::verification {

void check_pages(Subject& subject, VerifyCheck& out) {
    const std::size_t pages = subject.model.pages.size();
    not_run(out, pages == 0 ? "The contract has no pages."
                            : "The contract has " + std::to_string(pages) +
                                  " pages, and pages are not rendered here yet.");
}

}  // namespace svc::devapi::verification
