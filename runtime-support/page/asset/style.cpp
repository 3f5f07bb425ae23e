// The one stylesheet. Sizes are named once, at its top; the app's colours, corners and letters come
// before it (auth/theme.hpp).
#include "page/asset/style.hpp"

#include "auth/theme.hpp"

namespace svc::page {
namespace {

constexpr std::string_view kTokens = R"css(
:root{
--s1:4px;--s2:8px;--s3:12px;--s4:16px;--s5:24px;--s6:32px;--s7:48px;--s8:64px;
--small:13px;--text:16px;--h3:16px;--h2:18px;--h1:26px;--huge:32px;
--control:var(--radius);--cardr:calc(var(--radius) + 4px);
--fast:120ms;--slow:200ms}
)css";

constexpr std::string_view kPlain = R"css(
*,*::before,*::after{box-sizing:border-box}
html{font:400 var(--text)/1.5 var(--font);
color:var(--ink);background:var(--page);-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh}
h1,h2,h3,p,ul,dl,dd,figure,pre{margin:0}
ul{padding:0;list-style:none}
h1,h2,h3{line-height:1.25;font-weight:600;overflow-wrap:anywhere;text-wrap:balance}
h1{font-size:var(--h1);letter-spacing:-.01em}
h2{font-size:var(--h2)}
h3{font-size:var(--h3)}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:3px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--raised);border-radius:var(--control);padding:var(--s3)}
.icon{width:18px;height:18px;flex:none;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;
stroke-linejoin:round;vertical-align:-3px}
[hidden],.without-passkeys{display:none!important}
.without-passkeys.shown{display:block!important}
@media(scripting:none){.without-passkeys{display:block!important}[data-passkey]{display:none!important}}
.hidden,.skip:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;top:var(--s2);left:var(--s2);z-index:9;background:var(--surface);padding:var(--s2) var(--s3);
border-radius:var(--control)}
.quiet,.optional{color:var(--quiet)}
.none{color:var(--quiet)}
.optional{font-weight:400;font-size:var(--small)}
)css";

constexpr std::string_view kFrame = R"css(
@media(max-width:1023px){html{scroll-padding-top:72px}}
.shell{display:grid;grid-template-columns:minmax(0,1fr);grid-template-rows:auto 1fr;min-height:100vh}
.side{background:var(--surface);border-bottom:1px solid var(--line);position:sticky;top:0;z-index:5}
.brand{display:flex;align-items:center;justify-content:space-between;gap:var(--s3);padding:var(--s2) var(--s4);min-height:56px}
.brand>a,a.brand{font-weight:600;font-size:18px;color:var(--ink);text-decoration:none;overflow-wrap:anywhere}
.menu-button{display:grid;place-items:center;width:44px;height:44px;border-radius:var(--control);cursor:pointer}
.menu-button .icon{width:22px;height:22px}
.menu-switch{position:absolute;top:16px;right:24px;width:24px;height:24px;opacity:0;z-index:6}
.menu-switch:focus-visible~.brand .menu-button{outline:2px solid var(--accent)}
.side nav{display:none;padding:0 var(--s3) var(--s4);max-height:calc(100vh - 56px);overflow:auto}
.menu-switch:checked~nav{display:block}
.menu a{display:flex;align-items:center;gap:var(--s3);min-height:44px;padding:var(--s2) var(--s3);border-radius:var(--control);
color:var(--ink);text-decoration:none;overflow-wrap:anywhere}
.menu a:focus-visible{outline-offset:-2px}
.menu a .icon{color:var(--quiet)}
.menu a:hover{background:var(--raised)}
.menu a[aria-current]{background:var(--accent-soft);color:var(--accent);font-weight:500}
.menu a[aria-current] .icon{color:inherit}
.person{display:flex;align-items:center;gap:var(--s2);flex-wrap:wrap;margin-top:var(--s3);padding-top:var(--s3);
border-top:1px solid var(--line)}
.who{display:flex;gap:var(--s3);align-items:center;flex:1;min-width:0;min-height:44px;padding:var(--s1) var(--s2);color:var(--ink);
text-decoration:none;border-radius:var(--control)}
.who:hover{background:var(--raised)}
.who span{min-width:0}
.who strong,.who small{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-weight:500;font-size:14px}
.who small{color:var(--quiet);font-size:var(--small);font-weight:400}
main{padding:var(--s5) var(--s4) var(--s8);width:100%;max-width:1200px;min-width:0}
.crumbs{margin-bottom:var(--s2);font-size:var(--small)}
.crumbs a{color:var(--quiet);text-decoration:none}
.crumbs a::before{content:"← ";content:"← "/""}
.crumbs a:hover{color:var(--accent);text-decoration:underline}
.heading{display:flex;flex-wrap:wrap;gap:var(--s3) var(--s4);align-items:center;justify-content:space-between;margin-bottom:var(--s5)}
.heading h1{flex:1 1 auto;min-width:0;max-width:100%}
.buttons{display:flex;flex-wrap:wrap;gap:var(--s3);align-items:center}
.block{margin-bottom:var(--s6)}
.heading+.actions{margin:calc(-1*var(--s2)) 0 var(--s5)}
.block-head{display:flex;flex-wrap:wrap;gap:var(--s3);align-items:center;justify-content:space-between;margin-bottom:var(--s3)}
.metrics{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,230px),1fr));gap:var(--s4);margin-bottom:var(--s6)}
.metrics .block{margin:0}
.overview{grid-template-columns:repeat(auto-fill,minmax(min(100%,340px),1fr))}
@media(min-width:1024px){
.shell{grid-template-columns:240px minmax(0,1fr);grid-template-rows:1fr}
.side{position:sticky;height:100vh;border-bottom:0;border-right:1px solid var(--line);display:flex;flex-direction:column}
.side nav{display:flex;flex-direction:column;flex:1;max-height:none;min-height:0}
.menu{flex:1;overflow:auto}
.menu-button,.menu-switch{display:none}
.menu a{min-height:36px;font-size:14px;padding:6px var(--s3)}
.brand{padding:var(--s4) var(--s5) var(--s3)}
main{padding:var(--s6) var(--s7) var(--s8)}}
.alone{max-width:none;display:flex;flex-direction:column;align-items:center;padding-top:10vh;gap:var(--s5)}
.alone>.notice{width:100%;max-width:376px;margin:0}
.card-alone{width:100%;max-width:376px;background:var(--surface);border:1px solid var(--line);border-radius:var(--cardr);padding:var(--s5)}
.card-alone h1{font-size:20px;margin-bottom:var(--s4)}
.card-alone .button{width:100%}
.card-alone .between{margin-top:var(--s4);font-size:14px;color:var(--quiet);display:flex;flex-direction:column;gap:var(--s2)}
.or{display:flex;align-items:center;gap:var(--s3);color:var(--quiet);font-size:var(--small);margin:var(--s4) 0}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
.stack{display:flex;flex-direction:column;gap:var(--s3)}
)css";

constexpr std::string_view kParts = R"css(
.button,.component button:not([class]){display:inline-flex;align-items:center;justify-content:center;gap:var(--s2);min-height:40px;padding:var(--s2) var(--s4);
border:1px solid transparent;border-radius:var(--control);font:inherit;font-size:15px;font-weight:500;line-height:1.3;
text-decoration:none;cursor:pointer;transition:background var(--fast),border-color var(--fast)}
.button.primary{background:var(--accent);color:var(--on-accent)}
.button.primary:hover{background:oklch(from var(--accent) calc(l - .05) c h)}
.button.quiet,.component button:not([class]){background:var(--surface);border-color:color-mix(in oklch,var(--line) 75%,var(--line-strong));color:var(--ink)}
.button.quiet:hover,.component button:not([class]):hover{background:var(--raised)}
.button.danger{background:var(--red);color:var(--on-accent)}
.button.danger:hover{background:oklch(from var(--red) calc(l - .05) c h)}
.button.danger-text{color:var(--red)}
.button.danger-text:hover{background:var(--red-soft);border-color:var(--red-line)}
@media(max-width:639px){.button{min-height:44px}}
.button.wide{width:100%}
.button:active{transform:translateY(1px)}
.icon-button{display:grid;place-items:center;width:40px;height:40px;border:0;background:none;color:var(--quiet);
border-radius:var(--control);cursor:pointer}
.icon-button:hover{background:var(--raised);color:var(--ink)}
input,select,textarea{font:inherit;color:inherit;background:var(--surface);border:1px solid var(--line-strong);
border-radius:var(--control);padding:var(--s2) var(--s3);min-height:44px;width:100%;max-width:100%}
textarea{resize:vertical;min-height:96px}
input,select,textarea{scroll-margin:var(--s7) 0 var(--s6)}
input::placeholder{color:var(--quiet);opacity:1}
input:hover,select:hover,textarea:hover{border-color:var(--quiet)}
input:focus-within,select:focus,textarea:focus{outline:2px solid var(--accent);outline-offset:-1px;border-color:var(--accent)}
input[type=checkbox]{width:20px;height:20px;min-height:0;accent-color:var(--accent);flex:none;margin:0}
input[type=date],input[type=time],input[type=datetime-local]{max-width:260px}
.fields{display:flex;flex-direction:column;gap:var(--s4);max-width:560px}
.form .fields,.account .fields{background:var(--surface);border:1px solid var(--line);border-radius:var(--cardr);padding:var(--s5)}
.card-alone .fields{max-width:none;gap:var(--s3)}
.card-alone form[data-passkey]{margin-top:var(--s3)}
.field label:not(.check){display:block;font-weight:500;font-size:14px;margin-bottom:var(--s1)}
.check{display:flex;align-items:center;gap:var(--s3);min-height:44px}
.hint,.problem{font-size:var(--small);margin-top:var(--s1);color:var(--quiet)}
.problem{color:var(--red);font-weight:500}
.problem::before,.notice.red::before{content:"⚠ ";content:"⚠ "/""}
.wrong input,.wrong select,.wrong textarea{border-color:var(--red)}
.notice{display:flex;gap:var(--s2);align-items:center;padding:var(--s3) var(--s4);border-radius:var(--control);margin-bottom:var(--s4);
border:1px solid;font-size:15px}
.form .notice{max-width:560px}
.notice.green{color:var(--green);background:var(--green-soft);border-color:var(--green-line)}
.notice.red{color:var(--red);background:var(--red-soft);border-color:var(--red-line)}
.badge{display:inline-flex;align-items:center;gap:6px;padding:1px 10px 1px 8px;border-radius:99px;border:1px solid var(--line);
font-size:var(--small);font-weight:500;white-space:nowrap;max-width:100%;overflow:hidden;text-overflow:ellipsis;
background:var(--raised);color:var(--quiet)}
.badge::before{content:"";width:7px;height:7px;border-radius:50%;background:currentColor;flex:none}
.badge.green{color:var(--green);background:var(--green-soft);border-color:var(--green-line)}
.badge.amber{color:var(--amber);background:var(--amber-soft);border-color:var(--amber-line)}
.badge.red{color:var(--red);background:var(--red-soft);border-color:var(--red-line)}
.badge.blue{color:var(--blue);background:var(--blue-soft);border-color:var(--blue-line)}
.tag{display:inline-block;padding:0 var(--s2);border-radius:4px;background:var(--raised);border:1px solid var(--line);font-size:var(--small)}
.tools{display:flex;flex-wrap:wrap;gap:var(--s3);align-items:end;margin-bottom:var(--s4)}
.tools :is(select,input){min-height:0;height:40px;padding-top:0;padding-bottom:0}
@media(max-width:639px){.tools :is(select,input){height:44px}}
.search-box{position:relative;flex:1 1 220px;max-width:360px}
.search-box .icon{position:absolute;left:12px;top:0;bottom:0;margin:auto 0;color:var(--quiet)}
.search-box input{padding-left:38px}
.filter{display:flex;flex-direction:column;font-size:var(--small);color:var(--quiet);min-width:120px;flex:0 1 auto}
.filter select{color:var(--ink);font-size:15px}
.clear{align-self:center;font-size:14px}
@media(min-width:640px){.order{display:none}}
.table{background:var(--surface);border:1px solid var(--line);border-radius:var(--cardr);overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:14px}
th,td{padding:10px var(--s4);text-align:left;vertical-align:baseline;border-bottom:1px solid var(--line)}
td:has(.file-picture){vertical-align:top}
tbody tr:last-child td{border-bottom:0}
th{font-weight:500;font-size:var(--small);color:var(--quiet);white-space:nowrap;background:var(--raised)}
th a{color:inherit;text-decoration:none;display:inline-flex;gap:var(--s1);align-items:center}
th a:hover{color:var(--ink);text-decoration:underline}
th .icon{width:14px;height:14px}
td{overflow-wrap:anywhere;min-width:90px;max-width:420px;position:relative}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.number,td.short{white-space:nowrap}
.lead{font-weight:500}
tbody tr{position:relative;transition:background var(--fast)}
tbody tr:has(.row-link):hover,tbody tr:has(.row-link:focus-visible){background:var(--raised)}
@media(scripting:enabled){tbody tr:has(.row-link){cursor:pointer}}
.row-link{color:var(--ink);text-decoration:none}
td .row-link::after{content:"";position:absolute;inset:0}
tr:hover .row-link,.card:hover .row-link{text-decoration:underline}
time{white-space:nowrap}
@media(max-width:639px){
.rows thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.rows table,.rows tbody,.rows tr,.rows td{display:block;width:100%}
.rows tr{display:flex;flex-direction:column;padding:var(--s3) var(--s4);border-bottom:1px solid var(--line)}
.rows tbody tr:last-child{border-bottom:0}
.rows td{border:0;padding:2px 0;display:flow-root;max-width:none;text-align:right;position:static}
.rows td::before{content:attr(data-label);color:var(--quiet);font-size:var(--small);text-align:left;float:left;max-width:45%;margin-right:var(--s4)}
.rows td.short{white-space:normal}
.rows td.lead{order:-1;display:block;text-align:left;font-size:var(--text);padding-bottom:var(--s1)}
.rows td.lead::before{display:none}
.rows td .row-link::after{inset:0}
.heading .button{flex:1 1 auto}
.heading .buttons{width:100%}
.actions .buttons>*{flex:1 1 auto}.actions .button{width:100%}}
.search>h3{margin:var(--s4) 0 var(--s2)}
.cards{display:grid;gap:var(--s3)}
.cards.grid{grid-template-columns:repeat(auto-fill,minmax(min(100%,240px),1fr));gap:var(--s4)}
.card{position:relative;background:var(--surface);border:1px solid var(--line);border-radius:var(--cardr);padding:var(--s4);
min-width:0;transition:border-color var(--fast)}
.card:hover{border-color:var(--line-strong)}
.card .row-link::after{content:"";position:absolute;inset:0;border-radius:inherit}
.card:has(.row-link:focus-visible){outline:2px solid var(--accent);outline-offset:2px}
.card:has(.row-link:focus-visible) .row-link{outline:0}
.card img{display:block;width:100%;aspect-ratio:4/3;object-fit:cover;border-radius:var(--control);margin-bottom:var(--s3)}
.no-picture{aspect-ratio:4/3;display:grid;place-items:center;background:var(--raised);color:var(--quiet);
border-radius:var(--control);margin-bottom:var(--s3)}
.no-picture .icon{width:32px;height:32px;stroke-width:1.5}
.facts{display:flex;flex-wrap:wrap;gap:var(--s1) var(--s5);margin-top:var(--s2);font-size:14px}
.facts div{display:flex;gap:var(--s2);align-items:baseline;min-width:0;max-width:100%;overflow-wrap:anywhere}
.facts dt{color:var(--quiet);font-size:var(--small);flex:none}
.facts dd{min-width:0}
.facts a,.card .buttons,.steps{position:relative;z-index:1}
.grid .facts{flex-direction:column}
.grid .card :is(h2,h3){display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}
.columns{display:flex;gap:var(--s4);overflow-x:auto;padding-bottom:var(--s3);align-items:stretch}
.column{flex:1 0 280px;max-width:480px;background:var(--raised);border:1px solid transparent;border-radius:var(--cardr);padding:var(--s3);
transition:border-color var(--fast)}
.column.takes{border:1px dashed var(--line-strong)}
.column.over{border:1px solid var(--accent);background:var(--accent-soft)}
.column>.none,.rest{font-size:14px}
.rest{color:var(--quiet);margin-bottom:var(--s3)}
.steps{margin:var(--s2) 0 calc(-1*var(--s2))}
.steps details[open]{padding-bottom:var(--s2)}
.steps summary{width:fit-content;cursor:pointer;font-size:14px;color:var(--quiet);padding:var(--s1) var(--s2);margin-left:calc(-1*var(--s2));
border-radius:var(--control)}
.steps summary:hover{background:var(--raised);color:var(--ink)}
.steps .button{width:100%;min-height:36px;margin-top:var(--s2);font-size:14px}
.card.dragged{opacity:.5}
@media(max-width:639px){.column{flex-basis:min(280px,82vw)}.steps summary{padding:10px var(--s3);margin-left:calc(-1*var(--s3))}
.steps .button{min-height:44px}}
.card h2,.column h2{font-size:var(--h3)}
.column :is(h2,h3){margin-bottom:var(--s3);display:flex;align-items:center;gap:var(--s2)}
.column .facts{flex-direction:column}
.count{color:var(--quiet);font-weight:400;font-size:var(--small)}
.fields-shown{background:var(--surface);border:1px solid var(--line);border-radius:var(--cardr);padding:var(--s2) var(--s5)}
.fields-shown div{display:grid;grid-template-columns:minmax(0,1fr);gap:0 var(--s5);padding:var(--s3) 0;border-bottom:1px solid var(--line)}
.fields-shown div:last-child{border:0}
.fields-shown dt{color:var(--quiet);font-size:14px;line-height:24px}
.fields-shown dd{overflow-wrap:anywhere;white-space:pre-line;max-width:68ch}
@media(min-width:640px){.fields-shown div{grid-template-columns:180px minmax(0,1fr)}}
.metric{background:var(--surface);border:1px solid var(--line);border-radius:var(--cardr);padding:var(--s4) var(--s5);position:relative}
.metric h2{font-size:14px;font-weight:500;color:var(--quiet)}
.metric .row-link{color:inherit}
.metric .row-link::after{content:"";position:absolute;inset:0;border-radius:inherit}
.metric:has(.row-link):hover{border-color:var(--line-strong)}
.metric .number{text-align:left;font-size:var(--huge);font-weight:600;line-height:1.25;letter-spacing:-.02em;white-space:normal;
overflow-wrap:anywhere}
@media(max-width:639px){.metrics:not(.overview){grid-template-columns:repeat(auto-fill,minmax(min(100%,150px),1fr));gap:var(--s3)}
.metric:not(.card-of-rows){padding:var(--s3) var(--s4)}.metric:not(.card-of-rows) .number{font-size:24px}}
.metric .number.long{font-size:20px}
.card-of-rows{padding:0;display:flex;flex-direction:column}
.card-of-rows header{display:flex;align-items:center;gap:var(--s3);padding:var(--s4) var(--s5) var(--s3)}
.card-of-rows header .icon{color:var(--quiet)}
.card-of-rows h2{flex:1;min-width:0;font-size:var(--text);font-weight:600;color:var(--ink)}
.card-of-rows h2 a{color:inherit;text-decoration:none}
.card-of-rows h2 a:hover{text-decoration:underline}
.card-of-rows .number{font-size:20px}
.newest{border-top:1px solid var(--line);flex:1}
.newest li{display:flex;align-items:center;gap:var(--s3);min-height:44px;padding:var(--s2) var(--s5);font-size:14px;position:relative}
.newest li+li{border-top:1px solid var(--line)}
.newest li:has(a):hover{background:var(--raised)}
.newest li:last-child{border-radius:0 0 var(--cardr) var(--cardr)}
.newest .what{flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;color:var(--ink);text-decoration:none}
.newest a.what::after{content:"";position:absolute;inset:0}
.newest li:hover a.what{text-decoration:underline}
.newest .badge{flex:none;max-width:45%}
.newest time{color:var(--quiet);font-size:var(--small);min-width:92px;text-align:right}
@media(max-width:639px){.card-of-rows header{padding:var(--s3) var(--s4)}.newest li{padding:var(--s2) var(--s4)}}
.nothing{display:flex;flex-direction:column;align-items:center;justify-content:center;gap:var(--s3);flex:1;min-height:120px;
padding:var(--s4);border-top:1px solid var(--line);color:var(--quiet);font-size:14px;text-align:center}
.change{font-size:var(--small);color:var(--quiet)}
.change.up{color:var(--green)}.change.down{color:var(--red)}
.drawing{background:var(--surface);border:1px solid var(--line);border-radius:var(--cardr);padding:var(--s4);display:flex;flex-wrap:wrap;
gap:var(--s5);align-items:center}
.chart-wide{width:100%;max-width:800px;height:auto;min-width:0;margin:0 auto;overflow:visible}
.chart-pie{width:220px;height:220px}
.bar{fill:var(--accent)}.line{fill:none;stroke:var(--accent);stroke-width:2}.area{fill:var(--accent);opacity:.15}.dot{fill:var(--accent)}
.axis{stroke:var(--line-strong);stroke-width:1}
.tick,.figure{font-size:12px;fill:var(--quiet)}.figure{fill:var(--ink)}
@media(max-width:639px){.chart-wide .tick,.chart-wide .figure{font-size:15px}.few .tick,.few .figure{font-size:21px}
.chart-wide:not(.few) .tick:nth-of-type(even){display:none}}
.slice{stroke:var(--surface);stroke-width:2}
.s0{fill:var(--p0)}.s1{fill:var(--p1)}.s2{fill:var(--p2)}.s3{fill:var(--p3)}.s4{fill:var(--p4)}.s5{fill:var(--p5)}
.legend{display:grid;gap:var(--s2);font-size:14px}
.key{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:var(--s2)}
.key.s0{background:var(--p0)}.key.s1{background:var(--p1)}.key.s2{background:var(--p2)}
.key.s3{background:var(--p3)}.key.s4{background:var(--p4)}.key.s5{background:var(--p5)}
.numbers{margin-top:var(--s2);font-size:14px}
.numbers summary{cursor:pointer;color:var(--quiet)}
.numbers .table{margin-top:var(--s2)}
.empty{display:flex;flex-direction:column;align-items:center;gap:var(--s3);text-align:center;padding:var(--s7) var(--s4);color:var(--quiet);
background:var(--surface);border:1px dashed var(--line-strong);border-color:oklch(from var(--line) calc(l*.93) c h);border-radius:var(--cardr)}
p.empty{padding:var(--s5) var(--s4)}
.empty .icon{width:32px;height:32px;stroke-width:1.5}
.empty .button .icon{width:18px;height:18px;stroke-width:2}
.confirm{background:var(--red-soft);border:1px solid var(--red-line);border-radius:var(--cardr);padding:var(--s4) var(--s5);
display:flex;flex-direction:column;gap:var(--s3)}
.pager{display:flex;gap:var(--s3);justify-content:flex-end;margin-top:var(--s4)}
.prose{max-width:68ch;overflow-wrap:anywhere}
.prose>*+*{margin-top:var(--s3)}
.prose ul,.prose ol{padding-left:var(--s5);list-style:revert}
.component{overflow-wrap:anywhere}
.component ul:not([class]),.component ol:not([class]){padding-left:var(--s5);list-style:revert}
.component :is(section,article,form)>*+*{margin-top:var(--s3)}
.component table:not([class]){width:100%;border-collapse:collapse;background:var(--surface);border:1px solid var(--line)}
.component :is(th,td){padding:var(--s2) var(--s4);border-bottom:1px solid var(--line);text-align:left;overflow-wrap:anywhere}
.component th{color:var(--quiet);font-weight:400;font-size:var(--small)}
.prose blockquote{margin:var(--s3) 0;padding-left:var(--s4);border-left:3px solid var(--line)}
.hero{max-width:640px;padding:var(--s7) 0}
.hero p{font-size:20px;color:var(--quiet);margin:var(--s4) 0 var(--s5)}
.account{max-width:640px}
.account section{margin-bottom:var(--s6);display:flex;flex-direction:column;gap:var(--s3)}
.account .fields{max-width:none}
.account .qr{background:#fff;padding:var(--s2);border-radius:var(--control);width:200px}
.qr svg{width:100%;height:auto;display:block}
.codes{columns:2;font:15px ui-monospace,monospace;list-style:none}
@media(prefers-reduced-motion:reduce){*{transition:none!important}}
@media print{.side,.tools,.pager,.buttons,.skip{display:none}.shell{display:block}main{padding:0}}
)css";

// Blocks upload, pay and chat, and inputs for files.
constexpr std::string_view kServices = R"css(
input[type=file]{padding:6px var(--s2);font-size:15px;min-width:0;cursor:pointer}
input[type=file]::file-selector-button{font:inherit;font-weight:500;color:var(--ink);background:var(--raised);
border:1px solid var(--line);border-radius:4px;padding:4px var(--s3);margin-right:var(--s3);cursor:pointer}
.file{display:flex;width:fit-content;align-items:center;gap:var(--s2);max-width:100%;min-width:0}
.file>.icon{color:var(--quiet)}
.file-name{min-width:0;overflow-wrap:anywhere;line-height:1.35}
.file-name small{color:var(--quiet);font-size:var(--small);white-space:nowrap}
.file-picture{flex:none;display:block;width:64px;height:64px;border:1px solid var(--line);border-radius:var(--control);overflow:hidden;
background:var(--raised)}
.file-picture img{width:100%;height:100%;object-fit:cover;display:block}
.field .file{margin-bottom:var(--s1)}
.kept{display:block;color:var(--green);font-size:14px;margin-bottom:var(--s2);overflow-wrap:anywhere}
.upload-card,.pay-card,.chat-card{background:var(--surface);border:1px solid var(--line);border-radius:var(--cardr);padding:var(--s5);
max-width:640px;display:flex;flex-direction:column;gap:var(--s4)}
.upload-card .file-picture{width:96px;height:96px}
.fields-shown .file{flex-direction:column;align-items:flex-start}
.fields-shown .file:not(:has(.file-picture)){flex-direction:row}
.fields-shown .file-picture{width:fit-content;max-width:100%;height:auto}
.fields-shown .file-picture img{width:auto;max-width:100%;height:auto;max-height:320px;object-fit:contain}
.beside{display:flex;gap:var(--s3);align-items:stretch}
.beside input{flex:1}
.beside .button{flex:none}
.found select{margin-top:var(--s2)}
.pay-card .notice{margin:0}
.pay-line{display:flex;flex-wrap:wrap;gap:var(--s2) var(--s4);align-items:center}
.pay-amount{font-size:var(--huge);line-height:1.25;letter-spacing:-.02em;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.pay-how{background:var(--raised);border-radius:var(--control);padding:var(--s4)}
.pay-how dt{flex:none}
.pay-how h3{font-size:14px;margin-bottom:var(--s1)}
.as-written{white-space:pre-line;overflow-wrap:anywhere}
.chat-card{max-width:760px}
.talk{list-style:none;padding:0;margin:0;display:flex;flex-direction:column;gap:var(--s3)}
.said{max-width:min(40rem,88%);padding:var(--s2) var(--s4);border-radius:14px;overflow-wrap:anywhere}
.said p{white-space:pre-wrap}
.said.theirs{align-self:flex-start;background:var(--raised);border-bottom-left-radius:4px}
.said.mine{align-self:flex-end;background:var(--accent-soft);border-bottom-right-radius:4px}
.chat-card .notice{margin:0}
.ask{display:flex;gap:var(--s3);align-items:flex-end}
.ask textarea{min-height:64px;flex:1}
.chat-card .hint{margin:0}
progress{width:100%;height:8px;accent-color:var(--accent)}
[aria-busy=true] .button{opacity:.6;cursor:progress}
.ask[aria-busy=true] .button{opacity:1;cursor:pointer}
.said.waiting{color:var(--quiet)}
.notice.new-version{color:var(--blue);background:var(--blue-soft);border-color:var(--blue-line)}
@media(max-width:639px){.cards.grid{grid-template-columns:repeat(auto-fill,minmax(min(100%,150px),1fr));gap:var(--s3)}
.grid .card{padding:var(--s3)}.grid .card img,.no-picture{margin-bottom:var(--s2)}}
@media(max-width:479px){.beside,.ask{flex-direction:column;align-items:stretch}.ask .button,.pay-card .button{width:100%}
.pay-card .buttons{width:100%}.upload-card,.pay-card,.chat-card{padding:var(--s4)}}
)css";

}  // namespace

std::string stylesheet(const Site& site) {
    std::string out = auth::theme(&site);
    out += kTokens;
    out += kPlain;
    out += kFrame;
    out += kParts;
    out += kServices;
    return out;
}

}  // namespace svc::page
