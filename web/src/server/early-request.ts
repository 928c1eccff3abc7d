/** Requests that are sent before the scripts that need their answers are there. */
const early = new Map<string, { readonly answer: Promise<Response>; readonly sentAt: number }>();

/** An older answer may be out of date: the reader has opened something else first. */
const longestMs = 10_000;

/** Sends a request whose answer the next `fetchEarly` of the same address takes. */
export function requestEarly(address: string): Promise<Response> {
  const answer = fetch(address);
  // Reported to the one who takes the answer.
  answer.catch(() => undefined);
  early.set(address, { answer, sentAt: performance.now() });
  return answer;
}

/** Sends a request as `fetch` does, or takes the answer to one that was sent early; that happens once. */
export const fetchEarly: typeof fetch = async (address, init) => {
  if (typeof address !== 'string' || !isPlain(init)) return fetch(address, init);
  const sent = early.get(address);
  early.delete(address);
  if (sent === undefined || performance.now() - sent.sentAt > longestMs) return fetch(address, init);
  return sent.answer;
};

/** A request without more than its address: only such ones are sent early. */
function isPlain({ headers = {}, ...rest }: RequestInit = {}): boolean {
  return Object.values(rest).every((value) => value === undefined) && Object.keys(headers).length === 0;
}
