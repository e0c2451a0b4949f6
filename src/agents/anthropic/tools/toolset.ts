/** The tools of the built-in agent, in the order in which every request lists them. */
import { bashTool } from "./bash.js";
import { editTool } from "./edit.js";
import { exploreTool } from "./explore.js";
import { findTool } from "./find.js";
import { grepTool } from "./grep.js";
import { readTool } from "./read.js";
import type { Tool } from "./tool.js";
import { writeTool } from "./write.js";

/** Sorted by name; part of the cached prefix, so adding one here changes the prefix for everybody. */
export const TOOLSET: readonly Tool[] = [bashTool, editTool, exploreTool, findTool, grepTool, readTool, writeTool];

/** What an explorer has. */
export const LOOKING_TOOLS: readonly Tool[] = [findTool, grepTool, readTool];
