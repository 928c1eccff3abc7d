/** Requests that are sent before the scripts that need their answers are there. */
const early = new Map<string, Promise<Response>>();

/** Sends a request whose answer the next `fetchEarly` of the same address takes. */
export function requestEarly(address: string): void {
  const answer = fetch(address);
  // Reported to the one who takes the answer.
  answer.catch(() => undefined);
  early.set(address, answer);
}

/** Sends a request as `fetch` does, or takes the answer to one that was sent early; that happens once. */
export const fetchEarly: typeof fetch = async (address, init) => {
  if (typeof address !== 'string' || init !== undefined) return fetch(address, init);
  const answer = early.get(address);
  early.delete(address);
  return answer ?? fetch(address);
};
