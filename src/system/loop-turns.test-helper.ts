/** Counts the turns of the event loop, in each of which a server could answer a request. */
export function countLoopTurns(): { stop(): number } {
  let turns = 0;
  let next = setImmediate(count);

  function count(): void {
    turns += 1;
    next = setImmediate(count);
  }

  return {
    stop() {
      clearImmediate(next);
      return turns;
    },
  };
}
