/** Three small charts over the iterations as inline SVG: open tasks, tokens, cost. No script, colours by CSS variables. */
import { count } from "./format.js";
import { esc } from "./html-text.js";
import type { ReportIteration } from "./model-schema.js";
import { dollars } from "./words.js";

const WIDTH = 360;
const HEIGHT = 148;
const LEFT = 44;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 24;
/** A longer list of bars would be a grey area. */
const MAX_SHOWN = 120;

interface Point {
  iteration: number;
  value: number | null;
  label: string;
  class: ReportIteration["class"];
}

export function charts(iterations: readonly ReportIteration[]): string {
  if (iterations.length < 2) return "";
  const shown = iterations.slice(-MAX_SHOWN);
  const point = (iteration: ReportIteration, value: number | null, label: string): Point => ({
    iteration: iteration.number,
    value,
    label,
    class: iteration.class,
  });
  let spent: number | null = null;
  const costs = shown.map((iteration) => {
    if (iteration.costUsd !== null) spent = (spent ?? 0) + iteration.costUsd;
    return point(iteration, spent, dollars(spent));
  });
  const open = shown.map((iteration) => point(iteration, iteration.openTasks, `${count(iteration.openTasks)} open`));
  const tokens = shown.map((iteration) => point(iteration, iteration.countedTokens, `${count(iteration.countedTokens)} tokens`));
  const parts = [
    figure("Open tasks", open, steps, (value) => count(value)),
    figure("Tokens per iteration", tokens, bars, short),
    figure("Cost so far", costs, steps, (value) => `$${value >= 10 ? value.toFixed(0) : value.toFixed(2)}`),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `<div class="charts">${parts.join("\n")}</div>`;
}

type Drawing = (points: readonly Point[], scale: Scale) => string;

interface Scale {
  x(index: number): number;
  y(value: number): number;
  width: number;
}

function figure(title: string, points: readonly Point[], draw: Drawing, word: (value: number) => string): string {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  if (values.length === 0 || Math.max(...values) === 0) return "";
  const ceiling = ceilingOf(Math.max(...values));
  const width = (WIDTH - LEFT - RIGHT) / points.length;
  const scale: Scale = {
    width,
    x: (index) => LEFT + width * (index + 0.5),
    y: (value) => HEIGHT - BOTTOM - (value / ceiling) * (HEIGHT - TOP - BOTTOM),
  };
  const grid = [0, 0.5, 1].map((share) =>
    gridLine(scale.y(ceiling * share), share === 0.5 && ceiling < 2 && word(0.5) === word(1) ? "" : word(ceiling * share)),
  );
  const last = points.at(-1)?.label ?? "";
  return `<figure><figcaption>${esc(title)} <b>${esc(title.startsWith("Tokens") ? "" : last)}</b></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${esc(
    `${title}: ${points
      .map((point) => `iteration ${point.iteration} ${point.label}`)
      .slice(-20)
      .join(", ")}`,
  )}">
${grid.join("")}${draw(points, scale)}${axis(points, scale)}</svg></figure>`;
}

function gridLine(y: number, label: string): string {
  return `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${fixed(y)}" y2="${fixed(y)}"/><text class="tick" x="${LEFT - 6}" y="${fixed(y + 3.5)}" text-anchor="end">${esc(label)}</text>`;
}

/** At most eight numbers, the last one always. */
function axis(points: readonly Point[], scale: Scale): string {
  const every = Math.max(1, Math.ceil(points.length / 8));
  const chosen = points.flatMap((point, index) => ((points.length - 1 - index) % every === 0 ? [{ point, index }] : []));
  return chosen
    .map(({ point, index }) => `<text class="tick" x="${fixed(scale.x(index))}" y="${HEIGHT - 8}" text-anchor="middle">${point.iteration}</text>`)
    .join("");
}

function bars(points: readonly Point[], scale: Scale): string {
  const thick = Math.min(26, scale.width * 0.7);
  return points
    .map((point, index) => {
      const x = scale.x(index) - thick / 2;
      const title = `<title>${esc(`iteration ${point.iteration}: ${point.label}, ${point.class}`)}</title>`;
      if (point.value === null) return `<text class="tick" x="${fixed(scale.x(index))}" y="${HEIGHT - BOTTOM - 4}" text-anchor="middle">?${title}</text>`;
      const y = scale.y(point.value);
      return `<rect class="bar ${point.class === "progress" ? "good" : "idle"}" x="${fixed(x)}" y="${fixed(y)}" width="${fixed(thick)}" height="${fixed(HEIGHT - BOTTOM - y)}" rx="2">${title}</rect>`;
    })
    .join("");
}

/** Stairs, because nothing happens between iterations; a gap where nobody knows. */
function steps(points: readonly Point[], scale: Scale): string {
  const runs: { x: number; y: number }[][] = [[]];
  points.forEach(({ value }, index) => {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push({ x: scale.x(index), y: scale.y(value) });
  });
  const half = scale.width / 2;
  const paths = runs
    .filter((run) => run.length > 0)
    .map((run) => {
      const line = run.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${fixed(x - half)} ${fixed(y)}H${fixed(x + half)}`).join("");
      const first = run[0]?.x ?? 0;
      const base = HEIGHT - BOTTOM;
      return `<path class="area" d="${line}V${base}H${fixed(first - half)}Z"/><path class="line" d="${line}"/>`;
    });
  const dots = points.map((point, index) =>
    point.value === null
      ? ""
      : `<circle class="dot" cx="${fixed(scale.x(index))}" cy="${fixed(scale.y(point.value))}" r="${points.length > 40 ? 0 : 2.5}"><title>${esc(`iteration ${point.iteration}: ${point.label}`)}</title></circle>`,
  );
  return paths.join("") + dots.join("");
}

/** 1, 2, 4, 5 or 10 times a power of ten: halves of it read well. */
function ceilingOf(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 4, 6, 8, 10].find((step) => value <= step * power * 1.000001) ?? 10;
  return factor * power;
}

function short(value: number): string {
  if (value >= 1_000_000) return `${Number((value / 1_000_000).toFixed(1))}M`;
  return value >= 1_000 ? `${Number((value / 1_000).toFixed(1))}k` : count(Math.round(value));
}

function fixed(value: number): string {
  return Number(value.toFixed(2)).toString();
}
