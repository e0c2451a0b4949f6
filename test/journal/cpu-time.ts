/** Processor time of a piece of work: unlike the clock it does not count what other processes do meanwhile. */

/** The least of three, after one to warm up. */
export function cpuMicros(work: () => unknown): number {
  work();
  return Math.min(once(work), once(work), once(work));
}

function once(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
