/** Waits for every part of some work, so that none continues after a failure. Rejects with the failure of the first part. */
export async function allDone<const Parts extends readonly unknown[]>(
  parts: Parts,
): Promise<{ -readonly [Key in keyof Parts]: Awaited<Parts[Key]> }> {
  for (const part of await Promise.allSettled(parts)) if (part.status === 'rejected') throw part.reason;
  return Promise.all(parts);
}
