// One declared topic as the runtime sees it: constant tables that the generator prints, and who may
// use it.
#pragma once

#include <string_view>

#include "svc/list.hpp"
#include "svc/predicate.hpp"

namespace svc {

// True if the viewer may use the topic. `parts`: the values of the braces of the name, in order;
// never null.
using TopicRule = bool (*)(const Record& parts, const Viewer& viewer);

struct Topic {
    std::string_view name;            // app:order:{id}
    List<std::string_view> pieces;    // of the name around its parts, one more than there are parts
    TopicRule may_publish = nullptr;  // null: the same callers as for an undeclared topic
    TopicRule may_subscribe = nullptr;  // the same of listening
};

}  // namespace svc
