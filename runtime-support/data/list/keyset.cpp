#include "data/list/keyset.hpp"

namespace svc::data::list {

namespace {

using KeyValues = std::vector<std::optional<std::string>>;

// The conditions for the rows after a cursor: equal in the earlier keys, after it in the next
// key.
class RowsAfter {
  public:
    RowsAfter(const Order& order, const KeyValues& values, QueryText& query) : order_(order) {
        for (std::size_t i = 0; i < order.size(); ++i) {
            parameters_.push_back(values[i] ? query.bind(*values[i], order[i].column->type) : "");
        }
    }

    std::string condition() const { return is_row() ? row() : narrowed(alternatives()); }

  private:
    bool null(std::size_t i) const { return parameters_[i].empty(); }

    // One comparison of rows is enough, and one index serves it, unless a null may follow.
    bool is_row() const {
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const SortKey& key = order_[i];
            const bool follows = key.nullable && !key.descending;
            if (null(i) || follows || key.descending != order_[0].descending) return false;
            if (key.ordering != &kOwnOrdering) return false;
        }
        return true;
    }

    std::string row() const {
        std::string columns, values;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            columns += (i == 0 ? "" : ", ") + order_[i].sql;
            values += (i == 0 ? "" : ", ") + parameters_[i];
        }
        return '(' + columns + (order_[0].descending ? ") < (" : ") > (") + values + ')';
    }

    std::string compared(std::size_t i, std::string_view operation) const {
        return std::string(order_[i].sql).append(operation).append(parameters_[i]);
    }

    // Empty: nothing comes after.
    std::string follows(std::size_t i) const {
        const SortKey& key = order_[i];
        if (null(i)) return key.descending ? key.sql + " is not null" : "";
        if (key.descending) return compared(i, key.ordering->less);
        const std::string greater = compared(i, key.ordering->greater);
        return key.nullable ? '(' + greater + " or " + key.sql + " is null)" : greater;
    }

    std::string alternatives() const {
        std::string out, equal;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            if (const std::string next = follows(i); !next.empty()) {
                out += (out.empty() ? "(" : " or (") + equal + next + ')';
            }
            equal += order_[i].sql + (null(i) ? " is null" : " = " + parameters_[i]) + " and ";
        }
        return '(' + out + ')';
    }

    // Adds the condition on the first key that the alternatives imply, so that its index begins
    // there.
    std::string narrowed(const std::string& alternatives) const {
        const SortKey& first = order_[0];
        std::string bound;
        if (null(0)) {
            if (!first.descending) bound = first.sql + " is null and ";
        } else if (first.descending) {
            bound = compared(0, first.ordering->at_most) + " and ";
        } else if (!first.nullable) {
            bound = compared(0, first.ordering->at_least) + " and ";
        }
        return '(' + bound + alternatives + ')';
    }

    const Order& order_;
    std::vector<std::string> parameters_;
};

}  // namespace

std::string rows_after(const Order& order, const KeyValues& values, QueryText& query) {
    return RowsAfter(order, values, query).condition();
}

}  // namespace svc::data::list
