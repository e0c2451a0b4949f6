/** What is still said when the program dies of a bug: the entry asks here before it exits. */

type LastWords = (message: string) => Promise<void>;
const speakers = new Set<LastWords>();

/** Longer than this nobody waits for a dying process. */
const PATIENCE_MS = 3_000;

/** Returns how to take it back. */
export function onDeath(speak: LastWords): () => void {
  speakers.add(speak);
  return () => void speakers.delete(speak);
}

/** Never rejects. */
export async function speakLastWords(message: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([Promise.allSettled([...speakers].map((speak) => speak(message))), patience]);
  clearTimeout(timer);
}
