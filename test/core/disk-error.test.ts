/** Which thrown values are the disk's refusal, and what people read of it. */
import { describe, expect, it } from "vitest";
import { DiskError, diskErrorOf, onDisk, systemCode } from "../../src/core/disk-error.js";

const system = (code: unknown, more: object = {}): Error => Object.assign(new Error("boom"), { code }, more);
const thrower = (error: unknown) => (): never => {
  throw error;
};

describe("a system's error code", () => {
  it.each<[string, unknown, string | null]>([
    ["an error with a code", system("ENOSPC"), "ENOSPC"],
    ["an error without one", new Error("boom"), null],
    ["a number for a code", system(28), null],
    ["something that is no error", { code: "ENOSPC" }, null],
    ["nothing", undefined, null],
  ])("of %s", (_name, error, code) => expect(systemCode(error)).toBe(code));
});

describe("the refusal of a disk", () => {
  it.each(["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO"])("is %s, wherever it was thrown, with the path it names", (code) => {
    expect(diskErrorOf(system(code, { path: "/x" }))).toMatchObject({ name: "DiskError", code, path: "/x" });
    expect(diskErrorOf(new Error("outer", { cause: new Error("middle", { cause: system(code) }) }))).toMatchObject({ code, path: "a file" });
    expect(diskErrorOf(system(code, { path: 7 }))?.path).toBe("a file");
  });

  it("keeps the error that it comes from", () => {
    const cause = system("EIO");
    expect(diskErrorOf(cause)?.cause).toBe(cause);
    const error = new DiskError("/x", "EIO", { cause });
    expect([error.cause, diskErrorOf(error), diskErrorOf(new Error("outer", { cause: error }))]).toEqual([cause, error, error]);
  });

  // A path that may not be read, or that is gone, says nothing about the disk: a run must not end on it.
  it.each<[string, unknown]>([
    ["a missing file", system("ENOENT", { path: "/x" })],
    ["a forbidden file", system("EACCES")],
    ["a bug", new TypeError("x is undefined")],
    ["a thrown text", "ENOSPC"],
    ["a cause that is no error", new Error("outer", { cause: "ENOSPC" })],
  ])("is not %s", (_name, error) => expect(diskErrorOf(error)).toBeNull());
});

describe("a file operation of the driver", () => {
  it("gives its result", () => expect(onDisk("/x", () => 7)).toBe(7));

  it.each([
    ["ENOSPC", "cannot write /x: no space is left on the disk"],
    ["EDQUOT", "cannot write /x: the disk quota is used up"],
    ["EFBIG", "cannot write /x: the file may not grow further (file size limit)"],
    ["EROFS", "cannot write /x: the file system is read-only"],
    ["EIO", "cannot write /x: the disk reports an input/output error"],
    ["EACCES", "cannot write /x: permission is denied"],
    ["EPERM", "cannot write /x: the operation is not permitted"],
    ["ENOENT", "cannot write /x: the folder is gone"],
    ["ENOTDIR", "cannot write /x: a folder on the way to it is not a folder"],
    ["EEXIST", "cannot write /x: something else stands there already"],
    ["ELOOP", "cannot write /x: it is a symbolic link"],
    ["EWHATEVER", "cannot write /x: EWHATEVER"],
  ])("that the system refuses with %s says so in words", (code, message) => {
    const cause = system(code);
    expect(() => onDisk("/x", thrower(cause))).toThrow(expect.objectContaining({ name: "DiskError", message, code, path: "/x", cause }));
  });

  it("passes on a bug, and a refusal that has its path already", () => {
    for (const error of [new TypeError("bug"), new DiskError("/inner", "UNSAFE", { sentence: "its own words" })]) {
      expect(() => onDisk("/outer", thrower(error))).toThrow(error);
    }
    expect(new DiskError("/inner", "UNSAFE", { sentence: "its own words" }).message).toBe("cannot write /inner: its own words");
  });
});
