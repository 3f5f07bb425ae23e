#include "auth/theme.hpp"

#include <string_view>

namespace svc::auth {
namespace {

// In the order of page::Font.
constexpr std::string_view kFonts[] = {
    "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif",
    "Charter,'Bitstream Charter','Sitka Text',Cambria,serif",
    "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace",
};

constexpr std::string_view kColours = R"css(
:root{
--accent:oklch(from var(--seed) min(l,.52) c h);--on-accent:#fff;
--accent-soft:oklch(from var(--seed) .955 min(c,.03) h);--accent-line:oklch(from var(--seed) .82 min(c,.09) h);
--page:oklch(from var(--seed) .985 min(c,.004) h);--surface:#fff;--raised:oklch(from var(--seed) .97 min(c,.006) h);
--line:oklch(from var(--seed) .905 min(c,.01) h);--line-strong:oklch(from var(--seed) .64 min(c,.02) h);
--ink:oklch(from var(--seed) .24 min(c,.02) h);--quiet:oklch(from var(--seed) .49 min(c,.02) h);
--green:oklch(.45 .11 150);--green-soft:oklch(.955 .035 150);--green-line:oklch(.83 .08 150);
--amber:oklch(.47 .1 70);--amber-soft:oklch(.96 .045 85);--amber-line:oklch(.84 .1 80);
--red:oklch(.5 .18 27);--red-soft:oklch(.96 .02 20);--red-line:oklch(.84 .08 22);
--blue:oklch(.48 .13 250);--blue-soft:oklch(.955 .025 250);--blue-line:oklch(.83 .07 250);
--shadow:0 8px 24px rgb(0 0 0/.12);
--p0:#3b6fd4;--p1:#d9822b;--p2:#2a9d8f;--p3:#a23b72;--p4:#7a8b2a;--p5:#6c757d}
@media(prefers-color-scheme:dark){:root{
--accent:oklch(from var(--seed) max(l,.74) min(c,.14) h);--on-accent:oklch(from var(--seed) .18 .03 h);
--accent-soft:oklch(from var(--seed) .27 min(c,.05) h);--accent-line:oklch(from var(--seed) .42 min(c,.09) h);
--page:oklch(from var(--seed) .17 min(c,.008) h);--surface:oklch(from var(--seed) .205 min(c,.01) h);
--raised:oklch(from var(--seed) .235 min(c,.012) h);
--line:oklch(from var(--seed) .29 min(c,.014) h);--line-strong:oklch(from var(--seed) .55 min(c,.02) h);
--ink:oklch(from var(--seed) .94 min(c,.01) h);--quiet:oklch(from var(--seed) .73 min(c,.02) h);
--green:oklch(.8 .13 150);--green-soft:oklch(.27 .045 150);--green-line:oklch(.42 .08 150);
--amber:oklch(.83 .12 80);--amber-soft:oklch(.28 .045 75);--amber-line:oklch(.44 .08 75);
--red:oklch(.77 .13 25);--red-soft:oklch(.27 .06 25);--red-line:oklch(.45 .12 25);
--blue:oklch(.8 .1 250);--blue-soft:oklch(.27 .05 250);--blue-line:oklch(.43 .09 250);
--shadow:0 8px 24px rgb(0 0 0/.5);
--p0:#7ba4f4;--p1:#f0a860;--p2:#5cc7b8;--p3:#d987b3;--p4:#b6c66a;--p5:#a9b2ba}}
)css";

}  // namespace

std::string theme(const page::Site* site) {
    static const page::Site kStandard{};
    const page::Site& is = site ? *site : kStandard;
    std::string out = ":root{--seed:";
    out += is.accent.empty() ? "#3a5bd9" : is.accent;
    out += ";--radius:";
    out += is.radius.empty() ? "6px" : is.radius;
    out += ";--font:";
    out += kFonts[static_cast<std::size_t>(is.font)];
    out += '}';
    out += kColours;
    return out;
}

}  // namespace svc::auth
