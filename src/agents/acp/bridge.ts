/** Entry of the bridge's process: starts the ACP agent named in the arguments, asks it the prompt from stdin, writes one AgentEvent a line. */
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import * as acp from "@agentclientprotocol/sdk";
import type { AgentEvent } from "../../core/agent-event.js";
import { version } from "../../version.js";
import { MODEL_VARIABLE } from "./model-variable.js";
import { failureOf } from "./failure.js";
import { AcpTranslator } from "./translate.js";

const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

async function main([file, ...args]: string[]): Promise<boolean> {
  const prompt = await text(process.stdin);
  const child = spawn(file ?? "", args, { stdio: ["pipe", "pipe", "inherit"] });
  const gone = new Promise<never>((_, reject) => {
    child.once("error", (error) => reject(error));
    child.once("exit", (code, signal) => reject(new Error(`the agent ended with ${signal ?? `code ${code}`} before its answer`)));
  });
  // Without a listener a race that is already decided would crash the process.
  gone.catch(() => undefined);
  const translator = new AcpTranslator([process.cwd()]);
  try {
    const connection = connect(translator).connect(acp.ndJsonStream(Writable.toWeb(child.stdin), bytes(child.stdout)));
    const response = await Promise.race([converse(connection.agent, prompt), gone]);
    return emit(translator.stopped(response));
  } catch (error) {
    return emit([...translator.flush(), failureOf(error, { nowMs: Date.now, localZone }), { type: "finished", ok: false, text: null }]);
  } finally {
    child.kill();
    child.stdin.destroy();
    child.stdout.destroy();
    child.unref();
  }
}

function bytes(stdout: Readable): ReadableStream<Uint8Array> {
  // The library's types of web streams and Node's own differ in name only.
  return Readable.toWeb(stdout) as ReadableStream<Uint8Array>;
}

/** Nobody is there to be asked: every request for permission is allowed, once each. */
function connect(translator: AcpTranslator): acp.ClientApp {
  return acp
    .client({ name: "ralphd" })
    .onNotification(acp.methods.client.session.update, ({ params }) => {
      emit(translator.update(params.update));
    })
    .onRequest(acp.methods.client.session.requestPermission, ({ params }) => {
      emit(translator.update({ ...params.toolCall, sessionUpdate: "tool_call_update" }));
      const allowed = params.options.find(({ kind }) => kind === "allow_once") ?? params.options.find(({ kind }) => kind === "allow_always");
      if (allowed !== undefined) return { outcome: { outcome: "selected", optionId: allowed.optionId } };
      emit(translator.denied(params.toolCall.toolCallId));
      return { outcome: { outcome: "cancelled" } };
    });
}

async function converse(agent: acp.ClientContext, prompt: string): Promise<acp.PromptResponse> {
  await agent.request(acp.methods.agent.initialize, {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientInfo: { name: "ralphd", version: version() },
    // The agent uses the file system and the shell by itself, as it would for a person.
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  });
  const session = await agent.request(acp.methods.agent.session.new, { cwd: process.cwd(), mcpServers: [] });
  const model = process.env[MODEL_VARIABLE];
  emit([{ type: "started", sessionId: session.sessionId, ...(model === undefined ? {} : { model }) }]);
  if (model !== undefined) await choose(agent, session, model);
  return agent.request(acp.methods.agent.session.prompt, { sessionId: session.sessionId, prompt: [{ type: "text", text: prompt }] });
}

async function choose(agent: acp.ClientContext, session: acp.NewSessionResponse, model: string): Promise<void> {
  const option = session.configOptions?.find(({ category, type }) => category === "model" && type === "select");
  if (option === undefined) throw new Error("the agent offers no choice of a model; leave out --model and name it in the agent's own command");
  await agent.request(acp.methods.agent.session.setConfigOption, { sessionId: session.sessionId, configId: option.id, value: model });
}

/** Whether the last of the events is a good ending. */
function emit(events: AgentEvent[]): boolean {
  for (const event of events) process.stdout.write(`${JSON.stringify(event)}\n`);
  const last = events.at(-1);
  return last?.type === "finished" && last.ok;
}

// No process.exit: it would cut off output that is still on its way.
process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
