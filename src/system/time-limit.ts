/**
 * Runs `work` with a signal that fires with `signal`, and after `ms` milliseconds. Its timer is no `AbortSignal.timeout`: Node 20
 * may collect the signal of one that only `AbortSignal.any` refers to.
 */
export async function withTimeLimit<Value>(
  ms: number,
  signal: AbortSignal,
  work: (limited: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), ms);
  return work(AbortSignal.any([signal, limit.signal])).finally(() => clearTimeout(timer));
}
