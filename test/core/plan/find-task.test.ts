/** A person names a task as it comes to mind; what is not clear is said and never guessed. */
import { describe, expect, it } from "vitest";
import { findTask } from "../../../src/core/plan/find-task.js";

const TASKS = [
  { id: "add-login", text: "Add login" },
  { id: "2", text: "Add logout" },
  { id: "users", text: "Split the users module" },
];

describe("findTask", () => {
  it.each([
    ["add-login", "add-login"],
    ["Add logout", "2"],
    ["2", "2"],
    ["3", "users"],
    ["#1", "add-login"],
    ["SPLIT the", "users"],
    ["  users ", "users"],
  ])("%j means %s", (wanted, id) => {
    expect(findTask(TASKS, wanted)).toMatchObject({ kind: "task", task: { id } });
  });

  it.each(["", "   ", "4", "0", "nothing like it"])("%j means none", (wanted) => {
    expect(findTask(TASKS, wanted)).toEqual({ kind: "none" });
  });

  it("lists all that fit", () => {
    expect(findTask(TASKS, "add")).toEqual({ kind: "several", tasks: TASKS.slice(0, 2) });
  });
});
