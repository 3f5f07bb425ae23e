#include "verify/query/search_questions.hpp"

#include <algorithm>

#include "plan/names.hpp"

namespace svc::devapi::verification {
namespace {

constexpr std::size_t kMostQuestions = 60, kTogether = 15;

class Questions {
  public:
    // Each field has its share of them.
    Questions(Subject& subject, const std::vector<std::size_t>& entities) : subject_(subject) {
        std::size_t fields = 0;
        for (const std::size_t index : entities) fields += entity(index).search.size();
        share_ = std::max(kMostQuestions / fields, std::size_t{4});
        for (const std::size_t index : entities)
            for (const auto& searched : entity(index).search)
                add_questions(index, entity(index).fields[searched.field]);
    }

    std::vector<std::string> take() { return std::move(questions_); }

  private:
    const model::Entity& entity(std::size_t index) const { return subject_.model.entities[index]; }

    // Searches that find as many rows as possible, each by its own word; two words together and
    // against each other; and the most frequent word.
    void add_questions(std::size_t index, const model::Field& field) {
        const auto words = subject_.connection.list(words_of_rows(index, field));
        add_together(words);
        if (words.size() > 1) {
            add(words[0] + " " + words[1]);
            add(words[0] + " -" + words[1]);
        }
        for (const auto& word : subject_.connection.list(
                 "select word from (" + all_words(index, field) +
                 ") f group by word order by count(distinct id) desc, word limit 1"))
            add(word);
    }

    void add(const std::string& question) {
        if (std::ranges::find(questions_, question) == questions_.end())
            questions_.push_back(question);
    }

    // Words joined by OR, at most as many as one answer holds.
    void add_together(const std::vector<std::string>& words) {
        const std::size_t most = std::min(words.size(), (share_ - 3) * kTogether);
        for (std::size_t from = 0; from < most; from += kTogether) {
            std::string question;
            for (std::size_t i = from; i < std::min(from + kTogether, most); ++i)
                question += (question.empty() ? "" : " or ") + words[i];
            add(question);
        }
    }

    // The words that a search uses; "the" is not among them.
    std::string all_words(std::size_t index, const model::Field& field) const {
        return "select r.id, lower(m.found[1]) as word from " + plan::table(entity(index).name) +
               " r cross join lateral regexp_matches(r." + plan::ident(field.name) +
               "::text, '[[:alnum:]]{2,30}', 'g') as m(found) where lower(m.found[1]) <> 'or' "
               "and to_tsvector(" +
               search_config(subject_, index) + ", m.found[1]) <> ''";
    }

    // The rarest word of each row, in no order.
    std::string words_of_rows(std::size_t index, const model::Field& field) const {
        return "with found as (" + all_words(index, field) +
               "), counted as (select word, count(distinct id) as n from found group by word) "
               "select word from (select distinct on (id) word from found join counted using "
               "(word) "
               "order by id, n, word) w group by word order by md5(word)";
    }

    Subject& subject_;
    std::size_t share_ = 0;
    std::vector<std::string> questions_;
};

}  // namespace

const plan::ServedSearch& search_plan(const Subject& subject, std::size_t entity) {
    return *std::ranges::find(subject.plan.entities, subject.model.entities[entity].name,
                              &plan::ServedEntity::name)
                ->search;
}

std::string search_config(const Subject& subject, std::size_t entity) {
    return plan::literal("pg_catalog." + search_plan(subject, entity).config) + "::regconfig";
}

std::vector<std::string> search_questions(Subject& subject,
                                          const std::vector<std::size_t>& entities) {
    return Questions(subject, entities).take();
}

}  // namespace svc::devapi::verification
