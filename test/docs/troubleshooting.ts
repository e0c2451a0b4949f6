/** docs/troubleshooting.md from the tables by which the program itself explains a stop. */
import { EXIT_CODES, type FinalStatus, STOP_REASONS, type StopReason } from "../../src/core/words.js";
import { ADVICE } from "../../src/report/advice.js";

const INTRO = `# Troubleshooting, by the reason of the stop

\`ralphd status\` names the reason of the last stop, \`ralphd why\` explains it with its evidence and thresholds, \`ralphd report\`
shows the whole run. This page is made from the sentences that these print (\`npx vitest run test/docs -u\`); what stands
"below" is in the report. Settings are described in [configuration.md](configuration.md).

When nothing was started at all (exit code ${EXIT_CODES.refused}), the message says what was refused and the way out; \`ralphd doctor\` looks for the rest.
`;

/** What moves the point at which it happens. */
const SETTINGS: Readonly<Partial<Record<StopReason, readonly string[]>>> = {
  iterations: ["limits.iterations"],
  tokens: ["limits.tokens"],
  cost: ["limits.cost"],
  time: ["limits.time", "limits.limitWait"],
  gutter_command: ["brakes.gutterCommand", "brakes.onStuck"],
  gutter_thrash: ["brakes.gutterThrash", "brakes.onStuck"],
  gutter_signal: ["brakes.onStuck"],
  no_progress: ["brakes.noProgress", "brakes.stepBack"],
  oscillation: ["brakes.oscillation"],
  disagreement: ["brakes.disagreement"],
  tampering: ["protect", "freeze"],
  needs_human: ["brakes.attempts"],
  low_confidence: ["gates"],
  unverified: ["requireGate", "gates"],
  hidden_gate: ["hiddenGates"],
};

export function troubleshootingPage(): string {
  const statuses = Object.entries(STOP_REASONS) as [FinalStatus, readonly StopReason[]][];
  return [INTRO, ...statuses.flatMap(([status, reasons]) => [`## ${status} (exit code ${EXIT_CODES[status]})\n`, ...reasons.map(section)])].join("\n");
}

/** Every setting that the page names. */
export const namedSettings = (): string[] => Object.values(SETTINGS).flat();

function section(reason: StopReason): string {
  const { meaning, steps } = ADVICE[reason];
  const settings = SETTINGS[reason] === undefined ? [] : [`Settings: ${SETTINGS[reason].map((key) => `\`${key}\``).join(", ")}.`];
  const list =
    steps.length === 0 ? ["Nothing to mend: `ralphd report`, then `ralphd accept`."] : [steps.map((step, index) => `${index + 1}. ${step}`).join("\n")];
  return `### \`${reason}\`\n\n${[meaning, ...list, ...settings].join("\n\n")}\n`;
}
