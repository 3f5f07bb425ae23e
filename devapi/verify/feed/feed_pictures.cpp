#include "verify/feed/feed_pictures.hpp"

#include "plan/names.hpp"
#include "verify/clone/fixtures.hpp"
#include "verify/oracle/oracle.hpp"

namespace svc::devapi::verification {
namespace {

constexpr std::size_t kMostSeen = 2000;  // of a table

std::string may_read(const Subject& subject, const VerifyCaller& caller, std::size_t table) {
    return Oracle(subject.model, caller).may(Operation::read, table, "r");
}

}  // namespace

bool FeedPictures::depends(const VerifyCaller& caller, std::size_t table) const {
    if (!can_be_tried(subject_.model, subject_.model.entities[table])) return false;
    const std::string changed = plan::table(subject_.model.entities[changed_].name) + " ";
    return may_read(subject_, caller, table).find(changed) != std::string::npos;
}

void FeedPictures::add(const VerifyCaller& caller, const std::vector<std::size_t>& tables) {
    all_ += (all_.empty() ? "" : ", ") + digest(caller, tables);
}

std::string FeedPictures::digest(const VerifyCaller& caller,
                                 const std::vector<std::size_t>& tables) const {
    std::string rows;
    for (const std::size_t table : tables) {
        if (!depends(caller, table) || !has_few_rows(table)) continue;
        rows += (rows.empty() ? "" : " union all ") + std::string("select r.id from ") +
                plan::table(subject_.model.entities[table].name) + " r where " +
                may_read(subject_, caller, table);
    }
    if (rows.empty()) return "''";
    return "(select coalesce(md5(string_agg(s.id::text, ',' order by s.id)), '') from (" + rows +
           ") s(id))";
}

bool FeedPictures::has_few_rows(std::size_t table) const {
    return subject_.connection.is_true("select count(*) <= " + std::to_string(kMostSeen) +
                                       " from (select from " +
                                       plan::table(subject_.model.entities[table].name) +
                                       " limit " + std::to_string(kMostSeen + 1) + ") r");
}

// Planned once, for hundreds of changes.
std::vector<std::string> FeedPictures::take() {
    if (all_.empty()) return {};
    if (!prepared_)
        subject_.connection.run("prepare " + name() + " as select unnest(array[" + all_ + "])");
    prepared_ = true;
    return subject_.connection.list("execute " + name());
}

}  // namespace svc::devapi::verification
