// What the runtime knows of one topic that the contract declares: constant tables that the
// generator prints, and who may use it.
#pragma once

#include <string_view>

#include "svc/list.hpp"
#include "svc/predicate.hpp"

namespace svc {

// May they? `parts`: what stands for the braces of the name, in order; never null.
using TopicRule = bool (*)(const Record& parts, const Viewer& viewer);

struct Topic {
    std::string_view name;            // app:order:{id}
    List<std::string_view> pieces;    // of the name around its parts, one more than there are parts
    TopicRule may_publish = nullptr;  // null: whoever may publish to a topic that nobody declared
    TopicRule may_subscribe = nullptr;  // the same of listening
};

}  // namespace svc
