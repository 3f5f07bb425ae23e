// The services that routes and steps of connectors use.
#pragma once

#include <functional>

#include "connector/audit.hpp"
#include "connector/call.hpp"
#include "connector/tools.hpp"
#include "route/as_caller.hpp"

namespace svc::connector {

// Outlives them. One thread's.
struct Connecting {
    Connecting(const Calling& calling, Book book, Counts& counts, const route::Callers& callers)
        : calling(calling), book(std::move(book)), counts(counts), callers(callers) {}

    const Calling calling;
    const Book book;
    Counts& counts;
    const route::Callers callers;
    Tools tools{calling};
};

// A call that was let in, with its record.
Task<Outcome> run_action(Connecting& in, const ActionCall& call, const Credentials& credentials,
                         Record record);
Task<Outcome> run_tool(Connecting& in, const Tools::Call& call, const Credentials& credentials,
                       Record record);

}  // namespace svc::connector
