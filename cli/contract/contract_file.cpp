#include "cli/contract/contract_file.hpp"

#include "cli/exit_code.hpp"
#include "cli/files.hpp"
#include "cli/json_text.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::size_t kMostSentences = 40;

std::optional<diag::Finding> no_object(std::string_view json_text) {
    const auto first = json_text.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && json_text[first] == '{') return std::nullopt;
    return diag::Finding{diag::Severity::error,
                         "WRONG_TYPE",
                         "",
                         1,
                         1,
                         "The contract must be an object.",
                         "begin with { and end with }: {\"app\": …, \"entities\": …}"};
}

}  // namespace

std::optional<ContractFile> load_json(const CliContext& context, const std::string& name,
                                      FileContent content, int& exit_code) {
    auto text = read_file(name);
    if (!text) {
        context.refuse("There is no file \"" + name +
                           (content == FileContent::operations
                                ? "\" here. Name a file with the operations."
                                : "\" here. Name the contract's file, or get it with svc pull."),
                       "BAD_REQUEST");
        exit_code = kUsage;
        return std::nullopt;
    }
    if (text->rfind(kByteOrderMark, 0) == 0) text->erase(0, kByteOrderMark.size());
    ContractFile file{name, std::move(*text)};
    auto wrong = syntax_error(file.text);
    if (!wrong && content == FileContent::contract) wrong = no_object(file.text);
    if (!wrong) return file;
    const json report = report_of(*wrong);
    if (context.wants_json()) {
        print(json{{"report", report}}.dump() + "\n");
    } else {
        show_report(report, file);
    }
    exit_code = kRefused;
    return std::nullopt;
}

std::string contract_body(const ContractFile& file, const json& beside) {
    std::string body = "{\"contract\":" + file.text;
    for (const auto& [name, value] : beside.items()) body += ",\"" + name + "\":" + value.dump();
    return body + "}";
}

std::string contract_text(const std::string& answer) {
    const auto text = member_text(answer, "contract");
    if (text.find('\n') == std::string_view::npos) return indented(text);
    return std::string(text) + "\n";
}

std::string exposure_lines(const json& answer) {
    const json exposure = answer.value("exposure", json());
    if (!exposure.is_object()) return {};
    const json sentences = exposure.value("summary", json::array());
    std::string out;
    std::size_t shown = 0;
    for (const json& sentence : sentences) {
        if (!sentence.is_string()) continue;
        if (++shown > kMostSentences) continue;
        out += "  " + printable(sentence.get<std::string>()) + "\n";
    }
    if (shown > kMostSentences) {
        out += "  and " + std::to_string(shown - kMostSentences) + " more (--json shows all)\n";
    }
    return out.empty() ? out : "Who may do what, compared with the live contract:\n" + out;
}

}  // namespace svc::cli
