#include "migrate/schema/kinds.hpp"

#include <stdexcept>
#include <string>

namespace svc::migrate {
namespace {

struct OfObject {
    ObjectKind object;
    ChangeKind making, dropping;
};
constexpr OfObject kOfObjects[] = {
    {ObjectKind::function, ChangeKind::function, ChangeKind::drop_function},
    {ObjectKind::trigger, ChangeKind::trigger, ChangeKind::drop_trigger},
    {ObjectKind::policy, ChangeKind::policy, ChangeKind::drop_policy},
    {ObjectKind::grant, ChangeKind::grant, ChangeKind::drop_grant},
    {ObjectKind::sequence, ChangeKind::create_sequence, ChangeKind::drop_sequence},
    {ObjectKind::words, ChangeKind::create_words, ChangeKind::drop_words},
    {ObjectKind::view, ChangeKind::create_view, ChangeKind::drop_view},
    {ObjectKind::index, ChangeKind::create_index, ChangeKind::drop_index},
    {ObjectKind::foreign, ChangeKind::create_foreign_table, ChangeKind::drop_foreign},
    {ObjectKind::constraint, ChangeKind::add_constraint, ChangeKind::drop_constraint},
};

const OfObject& of(ObjectKind kind) {
    for (const OfObject& one : kOfObjects)
        if (one.object == kind) return one;
    throw std::logic_error("No statement makes or drops: " + std::string(base::word(kind)));
}

}  // namespace

ChangeKind making(ObjectKind kind) { return of(kind).making; }

ChangeKind dropping(ObjectKind kind) { return of(kind).dropping; }

}  // namespace svc::migrate
