/** Signatures: what makes two actions or two outcomes "the same" for the brakes. The parts live in `signature/`. */
export { actionSignature } from "./signature/action.js";
export { commandSignature, readCommand } from "./signature/command.js";
export { commandVerdict, isRealFailure, type CommandVerdict } from "./signature/failure.js";
export { outcomeSignature } from "./signature/outcome.js";
export { isReadOnly } from "./signature/read-only.js";
