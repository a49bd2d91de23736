/** How the report looks, by day and by night. Nothing is loaded from elsewhere: the fonts are those of the reader. */
export const STYLE = `
:root { color-scheme: light dark;
  --page: #f6f6f3; --card: #ffffff; --ink: #1c1c1a; --soft: #62625c; --line: #dfded8; --grid: #ecebe6;
  --curve: #4a3aa7; --positive: #c8501b; --negative: #2a6fcb; --right: #2a6fcb; --wrong: #c8501b; }
@media (prefers-color-scheme: dark) { :root {
  --page: #161615; --card: #1f1f1e; --ink: #ecebe6; --soft: #a3a29a; --line: #3a3936; --grid: #2b2b29;
  --curve: #a79cf5; --positive: #f0905c; --negative: #6ba6f5; --right: #6ba6f5; --wrong: #f0905c; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 0 auto; padding: 2rem 1.25rem 4rem;
  background: var(--page); color: var(--ink); }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
h2 small { font-size: 1rem; font-weight: 400; color: var(--soft); }
h2 { font-size: 1.3rem; margin: 3rem 0 1rem; padding-top: 1rem; border-top: 2px solid var(--ink); }
h3 { font-size: 1rem; margin: 2rem 0 .5rem; }
p.lead, p.note, figcaption, .tile p { color: var(--soft); margin: .35rem 0 0; }
p.note { max-width: 60rem; font-size: .875rem; }
nav { margin-top: 1rem; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
a { color: var(--negative); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); gap: 1rem; margin-top: 1rem; }
.tile, figure { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 0; }
.tile h3 { margin: 0; font-weight: 500; font-size: .9rem; color: var(--soft); }
.tile strong { display: block; font-size: 2rem; line-height: 1.2; font-weight: 600; font-variant-numeric: tabular-nums; }
.tile p { font-size: .85rem; font-variant-numeric: tabular-nums; }
figure h3 { margin: 0; } figcaption { font-size: .85rem; margin: 0 0 .5rem; }
svg { display: block; width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: var(--soft); } svg text.strong, svg text.name { fill: var(--ink); }
svg .axis { stroke: var(--soft); } svg .grid { stroke: var(--grid); } svg .dashed { stroke: var(--soft); stroke-dasharray: 4 4; }
svg .curve { fill: none; stroke: var(--curve); stroke-width: 2; stroke-linejoin: round; } svg .under { fill: var(--curve); opacity: .1; }
svg .dot { fill: var(--curve); stroke: var(--card); stroke-width: 1.5; } svg .whisker { stroke: var(--curve); stroke-width: 2; opacity: .55; }
svg .marker { fill: var(--card); stroke: var(--ink); stroke-width: 1.5; } svg .leader { stroke: var(--soft); }
svg text.name { paint-order: stroke; stroke: var(--card); stroke-width: 4px; }
svg .positive { fill: var(--positive); } svg .negative { fill: var(--negative); }
div.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { padding: .35rem .75rem; border-bottom: 1px solid var(--grid); text-align: left; vertical-align: top; }
tbody tr:last-child > * { border-bottom: 0; }
th[scope=row] { font-weight: 500; } thead th { color: var(--soft); font-weight: 500; }
td.number, thead th:not(:first-child) { text-align: right; } td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.words thead th { text-align: left; }
td.text { white-space: pre-wrap; overflow-wrap: anywhere; min-width: 22rem; width: 55%; }
.matrices { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem; }
.matrix { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; }
.matrix h4 { margin: 0 0 .5rem; font-size: .9rem; font-weight: 600; }
.matrix td { border: 2px solid var(--card); border-radius: .4rem; text-align: right; font-variant-numeric: tabular-nums; }
.matrix td.right { background: color-mix(in srgb, var(--right) calc(8% + var(--share) * 40%), transparent); }
.matrix td.wrong { background: color-mix(in srgb, var(--wrong) calc(8% + var(--share) * 40%), transparent); }
.matrix td small { display: block; color: var(--soft); }
@media print { body { background: none; } figure, .tile, .matrix { break-inside: avoid; } }`;
