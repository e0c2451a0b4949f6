/** What the driver tells the relay inside a sandbox without network. */

/** Each sandbox has a loopback of its own, so the number is nobody else's there. */
export const PROXY_PORT = 30_128;

export interface RelayPlan {
  /** Path of the driver's proxy. */
  socket: string;
  /** Listeners for clients that know of no proxy: what comes to `address:port` goes to `target` (`host:port`). */
  direct: { address: string; port: number; target: string }[];
}
