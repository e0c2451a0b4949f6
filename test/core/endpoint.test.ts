/** Hosts of a closed network: how a person may write them, what they let through, and what they must never let through. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allows, type Endpoint, formatEndpoint, isLoopback, parseEndpoint } from "../../src/core/endpoint.js";

describe("a host as a person writes it", () => {
  it.each<[string, Endpoint]>([
    ["api.example.com", { host: "api.example.com", port: 443 }],
    ["  API.Example.com:8443 ", { host: "api.example.com", port: 8443 }],
    ["*.example.com", { host: "*.example.com", port: 443 }],
    ["127.0.0.1:8787", { host: "127.0.0.1", port: 8787 }],
    ["x", { host: "x", port: 443 }],
    ["my_host:1", { host: "my_host", port: 1 }],
    ["h:65535", { host: "h", port: 65_535 }],
    ["[::1]:8787", { host: "::1", port: 8787 }],
    ["[::1]", { host: "::1", port: 443 }],
    ["https://api.example.com/v1", { host: "api.example.com", port: 443 }],
    ["http://api.example.com", { host: "api.example.com", port: 80 }],
    ["http://[::1]:11434/v1", { host: "::1", port: 11_434 }],
    ["https://gateway.example.com:8443", { host: "gateway.example.com", port: 8443 }],
  ])("%s is understood", (written, endpoint) => expect(parseEndpoint(written)).toEqual(endpoint));

  // What is only half understood must not open anything.
  it.each([
    "",
    "*",
    "*.",
    "a.*.com",
    "host:0",
    "host:65536",
    "host:123456",
    "host:",
    "::1",
    "[zz]",
    "-host",
    "host-",
    "a b",
    "a/b",
    "https://",
    "http://[::1",
    "ftp://host",
    "xhttps://host",
  ])("%j is refused", (written) => expect(parseEndpoint(written)).toBeNull());

  it("comes back as it is written, so that what a person reads can be configured", () => {
    const host = fc.constantFrom("a", "api.example.com", "*.example.com", "127.0.0.1", "::1", "fe80::2");
    fc.assert(
      fc.property(host, fc.integer({ min: 1, max: 65_535 }), (name, port) => {
        expect(parseEndpoint(formatEndpoint({ host: name, port }))).toEqual({ host: name, port });
      }),
    );
    expect([formatEndpoint({ host: "a.b", port: 443 }), formatEndpoint({ host: "a.b", port: 80 }), formatEndpoint({ host: "::1", port: 443 })]).toEqual([
      "a.b",
      "a.b:80",
      "[::1]",
    ]);
  });
});

describe("what is let through", () => {
  const open = [
    { host: "api.example.com", port: 443 },
    { host: "*.cdn.example.com", port: 8443 },
  ];
  it.each<[string, number, boolean]>([
    ["api.example.com", 443, true],
    ["API.example.com.", 443, true],
    ["api.example.com", 80, false],
    ["evil-api.example.com", 443, false],
    ["api.example.com.evil.com", 443, false],
    ["a.cdn.example.com", 8443, true],
    ["a.b.cdn.example.com", 8443, true],
    ["a.cdn.example.com", 443, false],
    // A star stands for names below, not for the name itself, nor for one that merely ends so.
    ["cdn.example.com", 8443, false],
    ["evilcdn.example.com", 8443, false],
  ])("%s:%i is let through: %s", (host, port, through) => expect(allows(open, { host, port })).toBe(through));

  it("is nothing where nothing is named", () => expect(allows([], { host: "api.example.com", port: 443 })).toBe(false));
});

it.each<[string, boolean]>([
  ["localhost", true],
  ["::1", true],
  ["127.0.0.1", true],
  ["127.255.1.2", true],
  ["127.0.0.1.evil.com", false],
  ["1127.0.0.1", false],
  ["localhost.evil.com", false],
  ["10.0.0.1", false],
])("%s is on this machine: %s", (host, here) => expect(isLoopback(host)).toBe(here));
