/** The look of the HTML report: one style sheet, light and dark, from a phone to a wide screen. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--text:#1b1f26;--soft:#5b6472;--line:#e2e5ea;--code:#eef0f4;--accent:#3557d6;
--good:#14733b;--good-bg:#e2f4e8;--warn:#8a5300;--warn-bg:#fdf0d8;--bad:#b02418;--bad-bg:#fde7e4;--info:#2b4bb8;--info-bg:#e6ebfb}
@media (prefers-color-scheme:dark){:root{--bg:#111418;--card:#191d23;--text:#e6e9ee;--soft:#98a2b1;--line:#2a3038;--code:#242a32;--accent:#8aa4ff;
--good:#74d696;--good-bg:#15301f;--warn:#f0bd6a;--warn-bg:#35280f;--bad:#ff9c91;--bad-bg:#3b1a17;--info:#a4b8ff;--info-bg:#1c2544}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%}
main{max-width:1060px;margin:0 auto;padding:28px 20px 48px}
h1{font-size:1.9rem;line-height:1.2;margin:.35rem 0 .4rem;letter-spacing:-.015em;text-wrap:balance}
h2{font-size:1.12rem;margin:0 0 .7rem}
p{margin:.3rem 0}
a{color:var(--accent)}
code{font:.875em/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;background:var(--code);border-radius:4px;padding:.1em .35em;overflow-wrap:anywhere}
ul,ol{margin:.2rem 0;padding-left:1.35rem}li{margin:.3rem 0}li::marker{color:var(--soft)}
section,.hero{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 22px;margin-top:16px}
.hero{margin-top:0;border-top:5px solid var(--tone)}
.tone-good{--tone:var(--good);--tone-bg:var(--good-bg)}.tone-warn{--tone:var(--warn);--tone-bg:var(--warn-bg)}
.tone-bad{--tone:var(--bad);--tone-bg:var(--bad-bg)}.tone-info{--tone:var(--info);--tone-bg:var(--info-bg)}
.eyebrow{color:var(--soft);font-size:.86rem;margin:0}
.lead{font-size:1.05rem}.soft,.evidence{color:var(--soft)}.evidence{font-size:.9rem}
.pill{display:inline-block;border-radius:999px;padding:.08em .65em;font-size:.8rem;font-weight:600;color:var(--tone);background:var(--tone-bg);white-space:nowrap;align-self:start}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(110px,1fr));gap:1px;background:var(--line);border:1px solid var(--line);border-radius:10px;overflow:hidden;margin-top:16px}
.tiles div{background:var(--card);padding:10px 14px}
.tiles dt{color:var(--soft);font-size:.8rem}.tiles dd{margin:0;font-size:1.3rem;font-weight:650;line-height:1.3;font-variant-numeric:tabular-nums}.tiles small{display:block;font-size:.78rem;font-weight:400;color:var(--soft);line-height:1.35}
dl{margin:0}
.next{border-left:5px solid var(--accent)}.ask{border-left:5px solid var(--warn)}
.tasks{list-style:none;padding:0;margin:0}.tasks>li{display:grid;align-items:start;grid-template-columns:1.6rem 1fr auto;gap:.1rem .5rem;padding:.7rem 0;border-top:1px solid var(--line);margin:0}
.tasks>li:first-child{border-top:0;padding-top:.1rem}.tasks .mark{color:var(--tone);font-weight:700;line-height:1.5}.tasks .evidence{grid-column:2/-1}
details{margin-top:.25rem}summary{cursor:pointer;color:var(--soft);font-size:.9rem}details ul{list-style:none;padding-left:.2rem;font-size:.9rem}details li{margin:.15rem 0}
.plus{color:var(--good)}.minus{color:var(--bad)}.plus,.minus{font-variant-numeric:tabular-nums;white-space:nowrap}
table{border-collapse:collapse;width:100%;font-size:.92rem}th{text-align:left;color:var(--soft);font-weight:500;font-size:.82rem;padding:.2rem .7rem .4rem 0;vertical-align:bottom}
td{border-top:1px solid var(--line);padding:.48rem .7rem .48rem 0;vertical-align:top;overflow-wrap:break-word}th:last-child,td:last-child{padding-right:0}
.n+:not(.n){padding-left:.9rem}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(280px,1fr));gap:14px 22px}
figure{margin:0;max-width:480px}figcaption{font-size:.85rem;color:var(--soft)}figcaption b{color:var(--text);font-weight:600;margin-left:.3rem}
svg{width:100%;height:auto;display:block}.grid{stroke:var(--line)}.tick{font:10.5px system-ui,sans-serif;fill:var(--soft)}
.bar.good{fill:var(--accent)}.bar.idle{fill:var(--soft);opacity:.55}.area{fill:var(--accent);opacity:.13}.line{fill:none;stroke:var(--accent);stroke-width:2;stroke-linejoin:round}.dot{fill:var(--accent)}
blockquote{margin:0;padding:.1rem 0 .1rem 1rem;border-left:3px solid var(--line);white-space:pre-wrap;overflow-wrap:anywhere;color:var(--soft);max-height:24rem;overflow:auto}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1.2rem;font-size:.92rem}.facts dt{color:var(--soft)}.facts dd{margin:0;overflow-wrap:anywhere}
footer{color:var(--soft);font-size:.84rem;margin-top:18px;padding:0 4px}
@media (max-width:680px){main{padding:12px 10px 32px}section,.hero{padding:15px 15px;border-radius:10px;margin-top:12px}h1{font-size:1.5rem}
.tiles{grid-template-columns:1fr 1fr}.tiles div{padding:9px 12px}.tiles dd{font-size:1.12rem}.tiles div:last-child:nth-child(odd){grid-column:1/-1}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}table,tbody{display:block}
tr{display:flex;flex-wrap:wrap;gap:.15rem .9rem;align-items:baseline;border-top:1px solid var(--line);padding:.6rem 0}tr:first-child{border-top:0;padding-top:.1rem}
td,td.n,.n+td:not(.n){border:0;padding:0;text-align:left;white-space:normal;overflow-wrap:anywhere}td[data-label]::before{content:attr(data-label) " ";color:var(--soft);font-size:.85em}
td.wide{flex:1 1 100%}td:first-child::before,td.bare::before{content:none}td:first-child+td.bare{flex:1 1 60%}td.empty{display:none}
.facts{grid-template-columns:1fr;gap:0}.facts dd{margin-bottom:.5rem}}
@media print{body{background:#fff}section,.hero{break-inside:avoid;border-color:#ccc}}
`;
