/** Does the work at the first call, and returns its result at every call. */
export function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let done: Promise<Value> | null = null;
  return () => (done ??= work());
}
