/** The inbox as the loop hears it: requests of people, and in words whatever else lay there. */
import type { ControlRequest } from "../driver/ports.js";
import { takeRequests } from "../workspace/inbox.js";

export function inboxRequests(truthDir: string): ControlRequest[] {
  const { requests, refused, invalid } = takeRequests(truthDir);
  const unread = invalid.map(({ file, why }) => `a file in the inbox was no request and was set aside as ${file}: ${why}`);
  return [...requests, ...notices([...refused, ...unread])];
}

export function notices(messages: readonly string[]): ControlRequest[] {
  return messages.map((message) => ({ kind: "notice", message }));
}
