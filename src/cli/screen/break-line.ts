/** Breaks lines for a terminal. What is none gets them whole, and never loads what measures characters. */
export type BreakLine = (line: string, indent: number) => string[];

export async function lineBreaker({ columns }: { readonly columns?: number }): Promise<BreakLine> {
  if (columns === undefined) return (line) => [line];
  const { wrap } = await import("./fit.js");
  return (line, indent) => wrap(line, columns, indent);
}
