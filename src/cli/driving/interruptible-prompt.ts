/**
 * Turns a Ctrl-C or Esc that the prompt itself read into an interrupt, so that the caller ends as on any other signal. Rejects
 * when `signal` is aborted by it: in a conversation, the interrupt stops only the answer, and the next question waits for this one.
 */
export async function orInterrupt<Value extends string>(
  answering: Promise<Value | symbol>,
  signal: AbortSignal,
): Promise<Value> {
  const answer = await answering;
  if (typeof answer === 'string') return answer;
  // Without the terminal, nothing might keep the process alive until the signal arrives.
  const alive = setInterval(() => {}, 1000);
  try {
    return await new Promise<never>((_resolve, reject) => {
      const stop = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      process.kill(process.pid, 'SIGINT');
    });
  } finally {
    clearInterval(alive);
  }
}
