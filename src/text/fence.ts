/** Renders a fenced block whose fence is longer than any run of backticks inside it. */
export function renderFence(text: string, info = ''): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${info}\n${text}\n${fence}`;
}
