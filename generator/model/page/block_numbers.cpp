// metric and chart.
#include "model/names.hpp"
#include "model/page/block_reader.hpp"
#include "model/values.hpp"

namespace svc::model {
void BlockReader::metric() {
    if (!source()) return;
    out_.compare = in_.flag("compare");
    if (out_.query) return query_number();
    computed_number();
    period();
    filter();
    if (out_.compare && out_.range == Range::all) {
        bad(in_.find("compare")->path,
            "\"compare\" needs a \"range\": without it all rows count, and no period comes before.",
            "add \"range\", or remove \"compare\"");
    }
}

void BlockReader::chart() {
    if (!source()) return;
    take_word("kind", out_.chart);
    if (out_.query) {
        out_.query_group_by = in_.text("groupBy").text;
        only_of_entities({"bucket"});
        return query_number();
    }
    out_.bucket = base::read_word<Bucket>(in_.text("bucket").text);
    out_.group_by = column("groupBy");
    if (out_.group_by) {
        const FieldType type = type_of(*out_.group_by);
        if (type == FieldType::json || type == FieldType::tags) {
            bad(out_.group_by->path, "Rows cannot be grouped by this field.",
                "name a field with one simple value");
        }
        if (out_.bucket && !is_dated(type)) {
            bad(in_.find("bucket")->path,
                "\"bucket\" needs a date: \"groupBy\" is not a date field.",
                "group by a date or datetime field, or remove \"bucket\"");
        }
    }
    computed_number();
    period();
    filter();
}

void BlockReader::query_number() {
    only_of_entities({"metric", "filter", "range", "dateField", "compare"});
    out_.query_column = in_.text("column").text;
    if (out_.query_column.empty() && !work_.findings.doubts(in_.path() + "/column")) {
        bad(in_.path(), "A block with a query needs \"column\".",
            "add \"column\": the query's column with the number");
    }
}

void BlockReader::computed_number() {
    take_word("metric", out_.metric);
    const std::string word(base::word(out_.metric));
    const Value* named = in_.find("column");
    if (out_.metric == Metric::count) {
        if (named != nullptr) {
            bad(named->path, "\"count\" counts rows, so it takes no \"column\".",
                "set \"metric\": \"sum\" or another one, or remove \"column\"");
        }
        return;
    }
    if (named == nullptr) {
        return work_.findings.missing("MISSING_KEY", in_.path() + "/column", in_.path(),
                                      "\"" + word + "\" needs a \"column\".",
                                      "add \"column\": the field to aggregate");
    }
    out_.column = column("column");
    if (!out_.column) return;
    const FieldType type = type_of(*out_.column);
    const bool extreme = out_.metric == Metric::min || out_.metric == Metric::max;
    if (is_number(type) || (extreme && (is_dated(type) || type == FieldType::time))) return;
    bad(out_.column->path, "\"" + word + "\" does not work with this field.",
        extreme ? "name a number, date or time field" : "name a number field");
}

void BlockReader::period() {
    take_word("range", out_.range);
    if (in_.find("dateField") == nullptr) return;
    out_.date_field = column("dateField");
    if (out_.date_field && !is_dated(type_of(*out_.date_field))) {
        bad(out_.date_field->path, "\"dateField\" must name a date field.",
            "name a date or datetime field");
    }
    if (out_.range == Range::all && !work_.findings.doubts(in_.path() + "/range")) {
        bad(in_.find("dateField")->path, "\"dateField\" does nothing without \"range\".",
            "add \"range\", or remove \"dateField\"");
    }
}

}  // namespace svc::model
