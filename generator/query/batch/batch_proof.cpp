#include "query/batch/batch_proof.hpp"

#include <algorithm>

#include "base/sql_state.hpp"
#include "base/utf8.hpp"
#include "query/scratch/resolved_check.hpp"

namespace svc::query {
namespace {

constexpr std::chrono::milliseconds kProofTime{10'000};

class BatchProof {
  public:
    explicit BatchProof(const std::string& database) : scratch_(database, budget_, "public") {
        scratch_.make_tables({});
    }

    std::optional<BatchRefusal> statement(const BatchStatement& statement) {
        if (statement.rows_from == std::string::npos) return std::nullopt;
        if (auto refused = own_types(statement)) return refused;
        const std::string rows = statement.text.substr(statement.rows_from);
        const std::size_t before =
            statement.characters +
            base::characters(std::string_view(statement.text).substr(0, statement.rows_from));
        std::optional<Refusal> refusal;
        const auto found = check_resolved(scratch_, rows, {}, StatementAuthor::developer, refusal);
        if (refusal) {
            const auto position = static_cast<std::size_t>(std::max(refusal->position, 0));
            return BatchRefusal{refusal->message, refusal->state, refusal->hint, 0,
                                position == 0 ? 0 : before + position};
        }
        if (!found) return std::nullopt;
        std::size_t position = 0;
        if (found->at >= 0)
            position = before + 1 +
                       base::characters(
                           std::string_view(rows).substr(0, static_cast<std::size_t>(found->at)));
        return BatchRefusal{
            found->message, std::string(base::sqlstate::kForbidden), {}, 0, position};
    }

  private:
    // Before PostgreSQL reads a value of such a type.
    std::optional<BatchRefusal> own_types(const BatchStatement& statement) {
        if (statement.own_types.empty()) return std::nullopt;
        const auto known = scratch_.enums();
        for (const std::string& type : statement.own_types)
            if (!known.contains(type))
                return BatchRefusal{
                    "The type " + type +
                        " is not allowed here. Use types for strings, numbers, dates, JSON, ranges "
                        "and uuid, or the app's enumerations.",
                    std::string(base::sqlstate::kForbidden),
                    {},
                    0,
                    statement.characters + 1};
        return std::nullopt;
    }

    const Budget budget_{kProofTime};
    ScratchConnection scratch_;
};

}  // namespace

std::optional<BatchRefusal> prove_batch(const std::string& database, const Batch& batch) {
    BatchProof proof(database);
    for (std::size_t i = 0; i < batch.statements.size(); ++i)
        if (auto refused = proof.statement(batch.statements[i])) {
            refused->statement = i;
            return refused;
        }
    return std::nullopt;
}

}  // namespace svc::query
