/** The inbox as the loop hears it: requests of people, and in words whatever else lay there. */
import { INBOX_DIR } from "../core/paths.js";
import type { ControlRequest } from "../driver/ports.js";
import { onDisk } from "../core/disk-error.js";
import { forgetRequest, readRequests } from "../workspace/inbox.js";

export function inboxRequests(truthDir: string): ControlRequest[] {
  const { requests, refused, invalid } = readRequests(truthDir);
  const unread = invalid.map(({ file, why }) => `a file in the inbox was no request and was set aside as ${file}: ${why}`);
  return [...requests, ...refused.map(({ id, why }): ControlRequest => ({ kind: "notice", message: why, id })), ...notices(unread)];
}

/** Throws DiskError: what can't be forgotten would be read for ever. */
export function forgetTaken(truthDir: string, id: string): void {
  onDisk(`${truthDir}/${INBOX_DIR}/${id}`, () => forgetRequest(truthDir, id));
}

export function notices(messages: readonly string[]): ControlRequest[] {
  return messages.map((message) => ({ kind: "notice", message }));
}
