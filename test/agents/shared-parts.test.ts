/** What the command-line agents share, where no recorded stream shows it. */
import { describe, expect, it } from "vitest";
import { apiFailure } from "../../src/agents/cli/api-failure.js";
import { Speech } from "../../src/agents/cli/speech.js";
import { toolCall } from "../../src/agents/cli/tool-words.js";
import { translate, translator } from "./recordings.js";

const exit = { kind: "exited", code: 0 } as const;

describe("what agents share", () => {
  it.each([
    ["codex", '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'],
    ["claude", '{"type":"result","subtype":"success","is_error":false,"result":"done"}'],
  ])("SP-07 of %s a final event on stderr is a log line and ends nothing well", (agent, event) => {
    expect(translate(translator(agent), "", event, exit).some((found) => found.type === "finished" && found.ok)).toBe(false);
  });

  it.each([
    [401, "auth"],
    [403, "auth"],
    [404, "model"],
    [408, "network"],
    [413, "context"],
    [500, "network"],
    [503, "overload"],
    [529, "overload"],
    [418, "other"],
  ])("RL-03 status %i alone means %s", (status, kind) => {
    expect(apiFailure({ status, code: null, message: "429 of 529", resumeAtMs: null })).toMatchObject({ type: "error", kind });
  });

  it("a whole message does not swallow the one that was coming in", () => {
    const speech = new Speech();
    speech.add("half");
    expect(speech.say("whole")).toEqual([
      { type: "text", text: "half" },
      { type: "text", text: "whole" },
    ]);
    expect(speech.finished(true)).toEqual({ type: "finished", ok: true, text: "whole" });
  });

  it("only the tool that writes whole files tells a file's content", () => {
    const words = { shell: [], writes: ["write", "edit"], reads: [], path: ["path"], whole: { tool: "write", argument: "content" } };
    const call = (name: string) => toolCall({ id: "1", name, input: { path: "/r/a", content: "x" } }, words, ["/r"]);
    expect(call("write")).toMatchObject({ path: "a", writes: true, content: "x" });
    expect(call("edit")).not.toHaveProperty("content");
  });

  it("the words of Copilot's sub-agents are not the agent's", () => {
    const said = (data: object) => `${JSON.stringify({ type: "assistant.message", data })}\n`;
    const stream = `${said({ content: "mine" })}${said({ content: "<ralph>COMPLETE</ralph>", parentToolCallId: "t1" })}{"type":"result","exitCode":0}\n`;
    expect(translate(translator("copilot"), stream, "", exit)).toEqual([
      { type: "text", text: "mine" },
      { type: "finished", ok: true, text: "mine" },
    ]);
  });

  it("usage of Claude that extra usage pays leaves no limit behind, whoever ended the run", () => {
    const info = { status: "rejected", resetsAt: 1_796_074_297, isUsingOverage: true };
    expect(
      translate(translator("claude"), JSON.stringify({ type: "rate_limit_event", rate_limit_info: info }), "", { kind: "stopped", cause: "idle" }),
    ).toEqual([]);
  });
});
