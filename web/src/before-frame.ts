const hiddenPageMs = 250;

/** Calls once before the next frame. A hidden page draws no frames, but is kept up to date all the same. */
export function beforeFrame(draw: () => void): void {
  let isDrawn = false;
  const once = () => {
    if (isDrawn) return;
    isDrawn = true;
    draw();
  };
  requestAnimationFrame(once);
  setTimeout(once, hiddenPageMs);
}

/** Calls a listener at most once a frame, however often the store changes. */
export function byFrame(
  subscribe: (listener: () => void) => () => void,
  schedule: (draw: () => void) => void = beforeFrame,
): (listener: () => void) => () => void {
  return (listener) => {
    let isWaiting = false;
    let isGone = false;
    const leave = subscribe(() => {
      if (isWaiting) return;
      isWaiting = true;
      schedule(() => {
        isWaiting = false;
        if (!isGone) listener();
      });
    });
    return () => {
      isGone = true;
      leave();
    };
  };
}
