#include "apps/key_origins.hpp"

#include <algorithm>
#include <string_view>

#include "settings/origin.hpp"

namespace svc::devapi {
namespace {

// The preview host's label first.
std::vector<std::string> own_labels(Store& store, const std::string& project) {
    return store.transact([&](pqxx::work& tx) {
        std::vector<std::string> out;
        for (const auto& row :
             tx.exec_params("select 'preview-' || slug from project where id = $1 union all "
                            "(select slug from project where id = $1 union "
                            "select name from subdomain where project_id = $1)",
                            project))
            out.emplace_back(row[0].c_str());
        return out;
    });
}

class Narrower {
  public:
    Narrower(const AppsConfig& config, const std::vector<std::string>& labels) {
        const std::string mark = "|", pattern = app_origin(config, mark);
        before_ = pattern.substr(0, pattern.find(mark));
        behind_ = pattern.substr(pattern.find(mark) + mark.size());
        for (const auto& label : labels) own_.push_back(app_origin(config, label));
    }

    void narrow(std::vector<std::string>& origins) const {
        const bool follows = !own_.empty() && is_in(origins, own_.front());
        std::erase_if(origins, [&](const std::string& origin) {
            return is_below(origin) && !is_in(own_, origin);
        });
        if (!follows) return;
        for (const auto& origin : own_)
            if (!is_in(origins, origin)) origins.push_back(origin);
    }

  private:
    static bool is_in(const std::vector<std::string>& list, const std::string& one) {
        return std::ranges::find(list, one) != list.end();
    }
    // A name that a project may have is one label.
    bool is_below(const std::string& origin) const {
        if (origin.size() <= before_.size() + behind_.size() || !origin.starts_with(before_) ||
            !origin.ends_with(behind_))
            return false;
        const auto label = std::string_view(origin).substr(
            before_.size(), origin.size() - before_.size() - behind_.size());
        return label.find('.') == std::string_view::npos;
    }

    std::string before_, behind_;  // of a label in an app's origin
    std::vector<std::string> own_;
};

}  // namespace

void narrow_origins(const AppsConfig& config, Store& store, const std::string& project,
                    std::vector<KeyRecord>& keys) {
    const Narrower narrower(config, own_labels(store, project));
    for (KeyRecord& key : keys)
        if (key.kind == KeyKind::browser) narrower.narrow(key.origins);
}

}  // namespace svc::devapi
