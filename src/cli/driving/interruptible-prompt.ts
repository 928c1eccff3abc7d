/** A prompt reads Ctrl-C itself: whoever waits for its answer hears of it as of any other signal, and leaves. */
export async function orInterrupt<Value extends string>(answering: Promise<Value | symbol>): Promise<Value> {
  const answer = await answering;
  if (typeof answer === 'string') return answer;
  process.kill(process.pid, 'SIGINT');
  return new Promise(() => {});
}
