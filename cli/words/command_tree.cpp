#include "cli/words/command_tree.hpp"

#include <CLI/CLI.hpp>
#include <sstream>

namespace svc::cli {
namespace {

// "TEXT:{dev,prod}" takes dev and prod.
std::vector<std::string> choices_in(const std::string& type) {
    std::vector<std::string> out;
    const auto begin = type.find('{'), end = type.find('}');
    if (begin == std::string::npos || end == std::string::npos) return out;
    std::stringstream list(type.substr(begin + 1, end - begin - 1));
    for (std::string one; std::getline(list, one, ',');) out.push_back(one);
    return out;
}

OptionHelp words_of(const CLI::Option& option) {
    OptionHelp out;
    if (option.get_positional() && option.get_lnames().empty()) out.names = {option.get_name()};
    for (const auto& name : option.get_lnames()) out.names.push_back("--" + name);
    for (const auto& name : option.get_snames()) out.names.push_back("-" + name);
    if (option.get_items_expected_max() > 0 && !option.get_lnames().empty())
        out.value = option.get_lnames().front();
    out.about = option.get_description();
    out.required = option.get_required();
    out.choices = choices_in(option.get_type_name());
    out.is_file = option.get_type_name() == kFile;
    return out;
}

void add(const CLI::App& command, const std::string& path, std::vector<CommandHelp>& out) {
    CommandHelp words{path, command.get_description(), {}, {}, {}};
    for (const CLI::Option* option : command.get_options()) {
        const bool place = option->get_positional() && option->get_lnames().empty();
        (place ? words.arguments : words.options).push_back(words_of(*option));
    }
    const auto below = command.get_subcommands([](const CLI::App*) { return true; });
    for (const CLI::App* one : below)
        if (!one->get_group().empty()) words.commands.push_back(one->get_name());
    out.push_back(std::move(words));
    for (const CLI::App* one : below)
        if (!one->get_group().empty())
            add(*one, path + (path.empty() ? "" : " ") + one->get_name(), out);
}

void add_examples_below(CLI::App& command, const std::string& path) {
    for (CLI::App* one : command.get_subcommands([](CLI::App*) { return true; })) {
        const std::string own = path + (path.empty() ? "" : " ") + one->get_name();
        if (const auto examples = examples_of(own); !examples.empty())
            one->footer("Examples:\n" + examples);
        add_examples_below(*one, own);
    }
}

}  // namespace

std::vector<CommandHelp> command_tree(const CLI::App& app) {
    std::vector<CommandHelp> out;
    add(app, "", out);
    return out;
}

void add_examples(CLI::App& app) { add_examples_below(app, ""); }

}  // namespace svc::cli
