#include "verify/page/hidden_texts.hpp"

#include <algorithm>

#include "http/text.hpp"
#include "plan/names.hpp"
#include "verify/clone/fixtures.hpp"

namespace svc::devapi::verification {
namespace {

// Many pages have a shorter text by chance.
constexpr const char* kLongEnough = " >= 6";
// Lists show of a long text the beginning alone.
constexpr const char* kBeginning = ", 100)";
constexpr std::size_t kShortWord = 12;  // bytes
constexpr std::size_t kMostOfField = 40, kMostOfTable = 200;

bool is_text(const model::Field& field) {
    using model::FieldType;
    return field.type == FieldType::string || field.type == FieldType::text ||
           field.type == FieldType::email || field.type == FieldType::url ||
           field.type == FieldType::phone;
}

// False for numbers, dates, ids and short words, which pages may have for other reasons.
bool tells_something(const std::string& text) {
    if (text.size() < kShortWord && text.find(' ') == std::string::npos) return false;
    return text.find_first_not_of("0123456789abcdefABCDEF-:. ") != std::string::npos;
}

// A transaction in the app's timezone.
class ReadScope : public RollbackScope {
  public:
    explicit ReadScope(Subject& subject) : RollbackScope(subject.connection) {
        subject.connection.run("set local timezone = " + plan::literal(subject.model.app.timezone));
    }
};

}  // namespace

HiddenTexts::HiddenTexts(Subject& subject, const VerifyCaller& caller)
    : subject_(subject), caller_(caller), oracle_(subject.model, caller) {
    const ReadScope scope(subject);
    for (std::size_t i = 0; i < subject.model.entities.size(); ++i)
        if (can_be_tried(subject.model, subject.model.entities[i])) {
            take(i);
            take_ids(i);
        }
}

void HiddenTexts::take_ids(std::size_t index) {
    const std::string& name = subject_.model.entities[index].name;
    for (std::string& id : subject_.connection.list(
             "select r.id::text from " + plan::table(name) + " r where not " +
             oracle_.may(Operation::read, index, "r") + " limit " + std::to_string(kMostOfTable)))
        texts_.push_back({std::move(id), name});
}

void HiddenTexts::take(std::size_t index) {
    const model::Entity& entity = subject_.model.entities[index];
    for (const model::Field& field : entity.fields) {
        if (!is_text(field)) continue;
        const std::string value = "left(r." + plan::ident(field.name) + kBeginning;
        const std::string hidden =
            caller_.reads(field) ? "not " + oracle_.may(Operation::read, index, "r") : "true";
        for (std::string& text : subject_.connection.list(
                 "select distinct " + value + " from " + plan::table(entity.name) + " r where " +
                 hidden + " and length(" + value + ")" + kLongEnough + " limit " +
                 std::to_string(kMostOfField)))
            if (tells_something(text))
                texts_.push_back({std::move(text), entity.name + "." + field.name});
    }
}

bool HiddenTexts::is_readable(const std::string& text) {
    if (subject_.record.contract.find(text) != std::string::npos) return true;
    if (caller_.email.find(text) != std::string::npos) return true;
    const ReadScope scope(subject_);
    for (std::size_t i = 0; i < subject_.model.entities.size(); ++i) {
        const model::Entity& entity = subject_.model.entities[i];
        if (!can_be_tried(subject_.model, entity)) continue;
        std::string values;
        for (const model::Field& field : entity.fields)
            if (caller_.reads(field)) values += ", r." + plan::ident(field.name);
        if (values.empty()) continue;
        if (subject_.connection.is_true("select exists(select from " + plan::table(entity.name) +
                                        " r where " + oracle_.may(Operation::read, i, "r") +
                                        " and position(" + plan::literal(text) +
                                        " in concat_ws(' '" + values + ")) > 0)"))
            return true;
    }
    return false;
}

std::optional<HiddenTexts::HiddenText> HiddenTexts::shown_by(const std::string& html,
                                                             const std::string& path) {
    const auto is_in = [](const std::string& text, const std::string& whole) {
        return whole.find(text) != std::string::npos;
    };
    for (const HiddenText& one : texts_)
        if (is_in(http::escape_html(one.text), html) && !is_in(one.text, path) &&
            !is_readable(one.text))
            return one;
    return std::nullopt;
}

std::vector<std::string> rows_around(Subject& subject, const VerifyCaller& caller,
                                     std::size_t entity, std::size_t most) {
    const ReadScope scope(subject);
    const std::string may = Oracle(subject.model, caller).may(Operation::read, entity, "r");
    return subject.connection.list(
        "select id::text from (select r.id, row_number() over (partition by " + may +
        " order by md5(r.id::text)) as n from " + plan::table(subject.model.entities[entity].name) +
        " r) a where n <= " + std::to_string(most));
}

}  // namespace svc::devapi::verification
