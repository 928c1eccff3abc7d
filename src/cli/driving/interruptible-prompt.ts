/** Turns a Ctrl-C that the prompt itself read into an interrupt, so that the caller exits as on any other signal. */
export async function orInterrupt<Value extends string>(answering: Promise<Value | symbol>): Promise<Value> {
  const answer = await answering;
  if (typeof answer === 'string') return answer;
  // Without the terminal, nothing might keep the process alive until the signal arrives.
  const alive = setInterval(() => {}, 1000);
  process.once('SIGINT', () => clearInterval(alive));
  process.kill(process.pid, 'SIGINT');
  return new Promise(() => {});
}
