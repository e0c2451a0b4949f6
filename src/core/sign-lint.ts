/**
 * Which signs may be shown to an agent. A sign advises about the work; one that reaches for gates, limits, markers or
 * permissions is refused, also when it means well. A filter of words, not the wall: none of these is in a sign's power,
 * because the driver holds them where no agent writes. It keeps prompts from asking for what would only be put back.
 */
import type { Sign } from "./sign.js";
import { textAt } from "./text-at.js";

export type SignRule = "gates" | "limits" | "markers" | "permissions";

export interface SignProblem {
  rule: SignRule;
  /** The words that gave it away. */
  found: string;
}

interface Rule {
  rule: SignRule;
  pattern: RegExp;
  /** `always`: also when it is forbidden rather than asked for. */
  heed?: "always";
}

const OFF =
  "skip|disable|bypass|circumvent|evade|ignore|remove|delete|weaken|loosen|relax|comment out|turn off|switch off|stub out|mock out|neutrali[sz]e|silence";
const EDIT = "edit|change|rewrite|modify|adjust|update|replace|overwrite|delete|remove|move|write to|write into";
const CHECKS = "gates?|checks?|tests?|assertions?|lint(?:er|ing)?|type.?checks?|ci|hooks?|verification|verifiers?|reviewers?|rubrics?";

const RULES: readonly Rule[] = [
  { rule: "gates", pattern: new RegExp(`\\b(?:${OFF})\\b.{0,40}\\b(?:${CHECKS})\\b`, "i") },
  {
    rule: "gates",
    pattern: new RegExp(
      `\\b(?:${EDIT})\\b.{0,40}(?:\\b(?:gates?|rubrics?|front ?matter|acceptance criteria|journal)\\b|\\bconfig\\.ya?ml\\b|\\.git/|\\.ralph/(?:config|prompts|guardrails)|ralphd/(?:runs|lock|inbox|once))`,
      "i",
    ),
  },
  {
    rule: "gates",
    pattern: new RegExp(
      `\\b(?:do not|don't|never|no need to|stop)\\s+(?:run|running|wait for|use|using|obey|trust|heed|execute)\\s+(?:the |any |all )*(?:${CHECKS})\\b\\s*(?:$|[,.;:]|at all|any ?more|first|before)`,
      "i",
    ),
    heed: "always",
  },
  {
    rule: "gates",
    pattern:
      /\b(?:tick|mark|check off|declare|claim|report)\b.{0,40}\b(?:without|even if|even though|regardless|although)\b.{0,40}\b(?:gates?|tests?|checks?|verif\w+|pass\w*|fail\w*|done)\b/i,
  },
  { rule: "gates", pattern: /--no-verify\b|\bHUSKY=0|\bSKIP=\w/ },
  {
    rule: "limits",
    pattern:
      /\b(?:raise|increase|lift|remove|extend|disable|ignore|exceed|double|reset|change|set|bypass|turn off|switch off)\b.{0,30}(?:\b(?:the|all|any|your|its|this|iteration|token|cost|spending|run|loop|wall.?clock) limits?\b|\bbudgets?\b|\bmax[-_ ]?(?:iterations|tokens|cost|time|runtime)\b|\bbrakes?\b)/i,
  },
  { rule: "markers", pattern: /<\s*\/?\s*(?:ralph|promise)\b/i, heed: "always" },
  {
    rule: "markers",
    pattern:
      /\b(?:[Pp]rint|[Oo]utput|[Ss]ay|[Ww]rite|[Ee]mit|[Ee]nd with|[Aa]nswer|[Rr]eply|[Uu]se)\b.{0,40}(?:\bCOMPLETE\b|\b(?:completion |end )marker\b|\bthe marker\b)/,
  },
  { rule: "permissions", pattern: /--dangerously[-\w]*|--yolo\b|--full-auto\b|--allow-all[-\w]*|--trust\b|--sandbox[= ]off\b|\bbypassPermissions\b/i },
  {
    rule: "permissions",
    pattern:
      /\b(?:use|run|try|with|via|prefix|add)\b.{0,30}\bsudo\b|\bchmod\s+(?:-R\s+)?(?:777|[augo]*\+\w*w)|\b(?:disable|leave|escape|turn off|switch off|bypass)\b.{0,30}\bsandbox\b/i,
  },
  {
    rule: "permissions",
    pattern:
      /\b(?:set|change|mark|make)\b.{0,40}\bapproved\b|\bapprove (?:the |this |your )?signs?\b|\bralphd\s+(?:run|stop|pause|resume|budget|skip|note|guardrails|accept|attach)\b/i,
  },
  { rule: "permissions", pattern: /\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:rules|instructions|guardrails|prompts?|signs|driver)\b/i },
  { rule: "permissions", pattern: /\bgit\s+push\b.{0,30}(?:--force|\s-f\b)|\bgit\s+(?:reset\s+--hard|clean\s+-\w*f)/i },
];

/** The first rule that the sign breaks; null when it may be shown. */
export function lintSign(sign: Pick<Sign, "trigger" | "instruction">): SignProblem | null {
  for (const sentence of [sign.trigger, sign.instruction].flatMap(sentences)) {
    for (const { rule, pattern, heed } of RULES) {
      const match = pattern.exec(sentence);
      if (match === null || (heed !== "always" && isForbidden(sentence.slice(0, match.index)))) continue;
      return { rule, found: match[0].slice(0, 80) };
    }
  }
  return null;
}

/** In words for a person: `it reaches for the gates ("skip the tests")`. */
export function signProblemText({ rule, found }: SignProblem): string {
  return `it reaches for ${rule === "permissions" ? "permissions" : `the ${rule}`} (${JSON.stringify(found)}), which no sign can touch`;
}

/** Invisible characters and emphasis must not hide a word; a full stop inside a name ends no sentence. */
function sentences(text: string): string[] {
  const plain = text
    .normalize("NFKC")
    .replace(/[\p{Cf}*_`]/gu, (char) => (char === "_" ? "_" : ""))
    .replace(/[ \t]+/g, " ");
  return plain.replace(/\r?\n(?!\s*\n)/g, " ").split(/(?<=[.!?;])\s+|\n+/);
}

/** "Never skip a test" is a lesson. "Do not hesitate to skip" is none. */
function isForbidden(before: string): boolean {
  const negated = /\b(?:never|not|avoid|without|rather than|instead of|cannot)\b((?:\W+\w+){0,3})\W*$|n['’]t\b((?:\W+\w+){0,3})\W*$/i.exec(before);
  return negated !== null && !/\b(?:hesitate|worry|wait|forget|fail|bother|afraid|mind|only|just)\b/i.test(negated[1] ?? textAt(negated, 2));
}
