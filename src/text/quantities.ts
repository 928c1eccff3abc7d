/** `41 s`, `1 min 20 s`, `0.4 s`. */
export function renderDuration(ms: number): string {
  if (ms < 1000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? '' : ` ${rest} s`}`;
}

/** `1 file`, `2 files`, `1,204 lines`. */
export function renderCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${renderNumber(count)} ${count === 1 ? singular : plural}`;
}

/** Renders whole numbers like `1,204`. Written by hand: loading a locale's rules takes 5 ms. */
export function renderNumber(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
