// The readers of each table, at one moment.
#pragma once

#include <functional>
#include <map>

#include "feed/reader/reader_set.hpp"

namespace svc::feed {

// Returns the readers that a table has now.
using ReadersOf = std::function<Readers(const Entity& entity)>;

// The database may have to be asked what this caller reads of a table, or of those above that
// decide for it.
bool may_ask(const Entity& entity, const Viewer& viewer);

class ReaderSets {
  public:
    // `app` outlives it. ReaderSets of `before` in which nobody has come or gone are taken over.
    ReaderSets(const App& app, const ReadersOf& readers, const ReaderSets* before = nullptr);

    const App& app() const { return app_; }
    const Readers& readers(const Entity& entity) const;
    // Null: nobody is judged by its rows.
    const ReaderSet* of(const Entity& entity) const;
    // The readers of other tables whose policies look at rows of this one.
    const std::vector<const Lookers*>& lookers(const Entity& entity) const;
    // The tables whose rows matter, for read_page().
    const std::string& tables() const { return tables_; }

  private:
    void add_set(const Entity& entity, const ReaderSets* before);
    Readers decided_by(const Entity& entity) const;

    const App& app_;
    std::map<const Entity*, Readers> readers_;
    std::map<const Entity*, std::shared_ptr<const ReaderSet>> reader_sets_;
    std::map<const Entity*, std::vector<const Lookers*>> lookers_;
    std::string tables_;
};

}  // namespace svc::feed
