// From a page of the database to events: rows are read as PostgreSQL has them, judged as they were
// before and as they are after, and printed as lists print them.
#pragma once

#include <functional>

#include "feed/event.hpp"
#include "feed/moved.hpp"
#include "svc/app.hpp"

namespace svc::feed {

class Judge {
  public:
    // All outlive it.
    Judge(const App& app, const Places& places, db::Pool& data)
        : app_(app), places_(places), data_(data) {}

    // In the order of the page; a change that nobody sees is none. False where the database did not
    // answer.
    Task<bool> run(const Page& page, Place since, ReadersOf readers, Events& events) const;

    const Entity* table(std::string_view name) const;

  private:
    struct Work;
    void add(const Told& record, std::size_t place, const ReadersOf& readers, Work& work) const;

    const App& app_;
    const Places& places_;
    db::Pool& data_;
};

}  // namespace svc::feed
