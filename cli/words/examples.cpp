// Command lines that work, below the help of each command and in the manual.
#include <map>

#include "cli/words/command_tree.hpp"

namespace svc::cli {
namespace {

const std::map<std::string, std::string>& all() {
    static const std::map<std::string, std::string> kExamples = {
        {"login",
         "  svc login\n  svc login --email ann@example.com --password -\n"
         "  svc login --email ann@example.com --password - --code 123456 < password.txt\n"
         "  svc login --token - < token.txt\n"},
        {"mfa", "  svc mfa\n  svc mfa enroll\n"},
        {"mfa status", "  svc mfa status\n"},
        {"mfa enroll", "  svc mfa enroll\n"},
        {"mfa disable", "  svc mfa disable --code 123456 --next abcde-fghjk\n"},
        {"mfa codes", "  svc mfa codes --code 123456\n"},
        {"logout", "  svc logout\n"},
        {"whoami", "  svc whoami\n  svc whoami --json\n"},
        {"projects", "  svc projects\n"},
        {"create", "  svc create \"Corner Shop\"\n"},
        {"link", "  svc link 0198b6a0-0000-7000-8000-00000000000a\n"},
        {"status", "  svc status\n"},
        {"pull", "  svc pull\n  svc pull live.json\n  svc pull --merge\n"},
        {"check", "  svc check\n  svc check draft.json --exposure\n"},
        {"apply", "  svc apply\n  svc apply --dry-run --sql\n"},
        {"patch", "  svc patch ops.json --dry-run\n"},
        {"verify", "  svc verify\n"},
        {"audit", "  svc audit --limit 20\n"},
        {"query", "  svc query product --where active=true --limit 10\n"},
        {"sql",
         "  svc sql \"select sku, stock from product\"\n"
         "  svc sql --file fix.sql --env prod --yes\n"},
        {"rows",
         "  svc rows insert product --data '{\"sku\":\"TEA-2\",\"title\":\"Black tea\","
         "\"price\":550}'\n"
         "  svc rows insert product --data @products.json --as manager\n"
         "  svc rows update product --id <id> --patch '{\"stock\":3}'\n"
         "  svc rows delete product --ids <id>,<id>\n"
         "  svc rows restore product <id>\n"
         "  svc rows history product <id>\n"},
        {"schema", "  svc schema\n  svc schema --env prod --json\n"},
        {"logs", "  svc logs --workflow low_stock --limit 10\n"},
        {"tail",
         "  svc tail events --since 15m\n  svc tail requests --follow\n  svc tail errors --since "
         "1d\n"},
        {"topics", "  svc topics\n  svc topics listen app:order:7\n"},
        {"topics list", "  svc topics list --env prod\n"},
        {"topics publish",
         "  svc topics publish news '{\"text\":\"Hello\"}'\n"
         "  svc topics publish app:order:7 @message.json --env prod\n"
         "  svc topics publish trial 1 --undeclared\n"},
        {"topics listen",
         "  svc topics listen news app:order:7\n"
         "  svc topics listen row-changed:order --since 1h\n"},
        {"run workflow",
         "  svc run workflow import --input '{\"since\":\"2026-01-01\"}'\n"
         "  svc run workflow low_stock --row <row-id> --old '{\"stock\":9}'\n"},
        {"run get", "  svc run get <run-id>\n"},
        {"run dead-letters", "  svc run dead-letters --limit 10\n"},
        {"run replay", "  svc run replay\n  svc run replay <job-id> <job-id>\n"},
        {"run cancel", "  svc run cancel <run-id>\n"},
        {"run release", "  svc run release\n  svc run release <run-id> <run-id>\n"},
        {"workflows", "  svc workflows\n  svc workflows --env prod\n"},
        {"ai", "  svc ai usage\n"},
        {"ai usage", "  svc ai usage --days 30 --env prod\n"},
        {"held", "  svc held\n  svc held release runs\n"},
        {"held list", "  svc held list --env prod\n"},
        {"held release", "  svc held release runs\n  svc held release mails <mail-id>\n"},
        {"held drop", "  svc held drop deliveries --yes\n"},
        {"hooks list", "  svc hooks list\n"},
        {"hooks secret", "  svc hooks secret supplier\n  svc hooks secret supplier --rotate\n"},
        {"hooks deliveries", "  svc hooks deliveries crm --limit 10\n"},
        {"hooks redeliver", "  svc hooks redeliver <delivery-id>\n"},
        {"run", "  svc run workflow remind\n  svc run dead-letters\n"},
        {"hooks", "  svc hooks list\n  svc hooks deliveries\n"},
        {"pay list", "  svc pay list --status processing\n"},
        {"pay show", "  svc pay show <payment-id>\n"},
        {"pay end", "  svc pay end <payment-id> --env prod\n"},
        {"pay", "  svc pay list\n  svc pay show <payment-id>\n"},
        {"files list", "  svc files list --limit 10\n"},
        {"files check", "  svc files check --env prod\n"},
        {"files", "  svc files list\n  svc files check\n"},
        {"deploy", "  svc deploy --subdomain shop\n  svc deploy --preview\n"},
        {"deploys", "  svc deploys\n  svc deploys rollback <deployment-id>\n"},
        {"deploys list", "  svc deploys list --limit 5\n"},
        {"deploys rollback", "  svc deploys rollback <deployment-id>\n"},
        {"preview", "  svc preview delete\n"},
        {"preview delete", "  svc preview delete --yes\n"},
        {"snapshots", "  svc snapshots\n  svc snapshots create --env dev\n"},
        {"snapshots list", "  svc snapshots list --env prod\n"},
        {"snapshots create", "  svc snapshots create --env dev\n"},
        {"snapshots restore", "  svc snapshots restore <snapshot-id> --yes\n"},
        {"mail", "  svc mail --to ann@example.test\n  svc mail --limit 1 --text\n"},
        {"sign-in", "  svc sign-in\n  svc sign-in clerk\n"},
        {"pages", "  svc pages eject\n"},
        {"pages eject", "  svc pages eject\n  svc pages eject draft.json\n"},
        {"screenshot",
         "  svc screenshot /orders --as clerk --width 1280 --out orders.png\n  svc screenshot "
         "--full-page\n"},
        {"demo-reset", "  svc demo-reset --status\n  svc demo-reset --yes\n"},
        {"mcp-config",
         "  svc mcp-config > .mcp.json\n  svc mcp-config --token-header --project <id>\n"},
        {"secrets", "  svc secrets\n  printf %s \"$KEY\" | svc secrets set SMTP_URL -\n"},
        {"secrets list", "  svc secrets list\n  svc secrets list --env prod\n"},
        {"secrets set",
         "  printf %s \"$KEY\" | svc secrets set AI_API_KEY - --env dev --host api.example.com\n"},
        {"secrets allow", "  svc secrets allow WORK_CLIENT_SECRET --host login.example.com\n"},
        {"secrets delete", "  svc secrets delete AI_API_KEY\n"},
        {"domains", "  svc domains\n  svc domains add shop.example.com\n"},
        {"domains list", "  svc domains list\n"},
        {"domains add", "  svc domains add shop.example.com\n"},
        {"domains verify", "  svc domains verify shop.example.com\n"},
        {"domains remove", "  svc domains remove shop.example.com\n"},
        {"keys",
         "  svc keys\n  svc keys create page --kind browser --origin https://shop.example\n"},
        {"keys list", "  svc keys list\n"},
        {"keys create", "  key=$(svc keys create jobs --kind server)\n"},
        {"keys revoke", "  svc keys revoke jobs\n  svc keys revoke 0198b6a0\n"},
        {"keys adopt", "  svc keys adopt 0198b6a0\n"},
        {"tokens", "  svc tokens\n  svc tokens create ci --scope read --scope apply --days 90\n"},
        {"tokens list", "  svc tokens list\n"},
        {"tokens create", "  token=$(svc tokens create ci --scope read --scope deploy)\n"},
        {"tokens revoke", "  svc tokens revoke ci\n  svc tokens revoke 0198b6a0\n"},
        {"members", "  svc members\n  svc members add bob@example.test developer\n"},
        {"members list", "  svc members list --workspace Shop\n"},
        {"members add", "  svc members add bob@example.test developer\n"},
        {"members role", "  svc members role bob@example.test viewer\n"},
        {"members remove", "  svc members remove bob@example.test\n"},
        {"members join", "  svc members join 'https://svc.example/join?token=abc'\n"},
        {"client", "  svc client --out src/client\n"},
        {"openapi", "  svc openapi --out openapi.json\n"},
        {"docs", "  svc docs | less\n"},
        {"version", "  svc version\n"},
        {"completion",
         "  svc completion bash > ~/.local/share/bash-completion/completions/svc\n"
         "  svc completion zsh > ~/.zfunc/_svc\n"
         "  svc completion fish > ~/.config/fish/completions/svc.fish\n"},
        {"man", "  svc man > ~/.local/share/man/man1/svc.1\n"},
    };
    return kExamples;
}

}  // namespace

std::string examples_of(const std::string& path) {
    const auto found = all().find(path);
    return found == all().end() ? "" : found->second;
}

}  // namespace svc::cli
