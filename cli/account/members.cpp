// members list, add, role, remove, join: who works in a workspace
#include <CLI/CLI.hpp>
#include <memory>

#include "base/percent.hpp"
#include "cli/account/chosen_workspace.hpp"
#include "cli/commands.hpp"
#include "cli/confirmed.hpp"
#include "cli/exit_code.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

struct MemberOptions {
    std::string workspace, who, role, link;
    SignIn sign_in;
};

json list_of(const json& object, const char* key) {
    return object.is_object() ? object.value(key, json::array()) : json::array();
}

// "/workspaces/<id>/members". Empty: said why.
std::string members_path(const CliContext& context, const Getter& get, const std::string& wanted) {
    const std::string id = chosen_workspace(context, get, wanted);
    return id.empty() ? std::string() : "/workspaces/" + base::percent_encoded(id) + "/members";
}

// The id of a member by their address. Empty: said why.
std::string member_id(const CliContext& context, const BuilderSession& builder,
                      const std::string& path, const std::string& who) {
    const Reply reply = builder.call("Asking", {.path = path});
    if (!reply.ok()) {
        context.show_refusal(reply);
        return {};
    }
    for (const json& one : list_of(json::parse(reply.body, nullptr, false), "members"))
        if (text_of(one, "email") == who || text_of(one, "userId") == who)
            return text_of(one, "userId");
    context.refuse("There is no member \"" + who + "\".", "NOT_FOUND");
    return {};
}

int list_members(CliContext& context, const MemberOptions& options) {
    const std::string path = members_path(context, getter(context), options.workspace);
    if (path.empty()) return kRefused;
    const auto answer = send_confirmed(context, options.sign_in, "Asking", {.path = path});
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    Table table{{"who", "role", "joined"}, {}, {}};
    for (const json& one : list_of(*answer, "members"))
        table.rows.push_back({text_of(one, "email"), text_of(one, "role"),
                              one.value("pending", false) ? "pending" : text_of(one, "joinedAt")});
    print(layout(table, terminal_width()));
    return kDone;
}

int add_member(CliContext& context, const MemberOptions& options) {
    const std::string path = members_path(context, getter(context), options.workspace);
    if (path.empty()) return kRefused;
    const json body = {{"email", options.who}, {"role", options.role}};
    const auto answer = send_confirmed(context, options.sign_in, "Inviting",
                                       {.method = "POST", .path = path, .body = body.dump()});
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    const std::string url = text_of(*answer, "joinUrl");
    if (url.empty()) {
        print("A mail with the link was sent to " + options.who +
              ". The link is valid for 7 days.\n");
        return kDone;
    }
    print(url + "\n");
    std::fflush(stdout);
    std::fputs("Give the link only to that person. It works once, within 7 days.\n", stderr);
    return kDone;
}

void tell_ended(const json& answer) {
    for (const json& key : list_of(answer, "keysEnded"))
        print("Key \"" + text_of(key, "name") + "\" of " + text_of(key, "project") +
              " was revoked as well.\n");
}

// `verb` is PUT with a role, or DELETE.
int change_member(CliContext& context, const MemberOptions& options, const std::string& verb) {
    const BuilderSession builder(context, options.sign_in);
    if (!builder) return kRefused;
    const Getter get = [&builder](const std::string& at) {
        return builder.call("Asking", {.path = at});
    };
    const std::string path = members_path(context, get, options.workspace);
    const std::string id = path.empty() ? "" : member_id(context, builder, path, options.who);
    if (id.empty()) return kRefused;
    Request request{.method = verb, .path = path + "/" + base::percent_encoded(id)};
    if (verb == "PUT") request.body = json{{"role", options.role}}.dump();
    const auto answer = context.accept(builder.call("Changing", request));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    print(options.who + (verb == "PUT" ? " is " + options.role + " now.\n" : " is removed.\n"));
    tell_ended(*answer);
    return kDone;
}

int set_role(CliContext& context, const MemberOptions& options) {
    return change_member(context, options, "PUT");
}

int remove_member(CliContext& context, const MemberOptions& options) {
    return change_member(context, options, "DELETE");
}

// A link as it was handed over, or its token alone.
int join_workspace(CliContext& context, const MemberOptions& options) {
    if (context.token().empty() && options.sign_in.email.empty()) {
        context.refuse(
            "svc members join is only for people who already have an account and have signed in "
            "with svc login. Open the link in a browser and choose a password there.",
            "UNAUTHENTICATED");
        return kRefused;
    }
    const auto token = options.link.find("token=");
    const json body = {
        {"token", token == std::string::npos ? options.link : options.link.substr(token + 6)}};
    const auto answer = send_confirmed(context, options.sign_in, "Joining",
                                       {.method = "POST", .path = "/join", .body = body.dump()});
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    const json workspace = answer->value("workspace", json::object());
    print("You are now a member of " + text_of(workspace, "name") + ", as " +
          text_of(workspace, "role") + ".\n");
    return kDone;
}

}  // namespace

void add_member_commands(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<MemberOptions>();
    auto* family = app.add_subcommand("members", "Manage the members of a workspace");
    family->require_subcommand(0, 1)->fallthrough();
    family->add_option("--workspace", options->workspace,
                       "The workspace's name or id (default: that of the folder's project)");
    take_sign_in(family, options->sign_in);
    const auto does = [&chosen, options](int (*act)(CliContext&, const MemberOptions&)) {
        return [&chosen, options, act] {
            chosen = [options, act](CliContext& context) { return act(context, *options); };
        };
    };
    family->callback([&chosen, show = does(list_members)] {
        if (!chosen) show();
    });
    auto* list = family->add_subcommand("list", "List members and pending invitations");
    auto* add =
        family->add_subcommand("add", "Invite somebody by a link, or by a mail with the link");
    auto* role = family->add_subcommand("role", "Change the role of a member");
    auto* remove = family->add_subcommand("remove", "Remove a member, or withdraw an invitation");
    auto* join = family->add_subcommand("join", "Accept an invitation to your address");
    for (CLI::App* command : {add, role, remove})
        command->add_option("who", options->who, "Address of the person")->required();
    for (CLI::App* command : {add, role})
        command->add_option("role", options->role, "viewer, developer, admin or owner")
            ->required()
            ->check(CLI::IsMember({"viewer", "developer", "admin", "owner"}));
    join->add_option("link", options->link, "The link or token that you got")->required();
    list->callback(does(list_members));
    add->callback(does(add_member));
    role->callback(does(set_role));
    remove->callback(does(remove_member));
    join->callback(does(join_workspace));
    for (CLI::App* command : {list, add, role, remove, join}) command->fallthrough();
}

}  // namespace svc::cli
