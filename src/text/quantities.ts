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

/** `41 s`, `3 min`, `5 h`, `12 d`: how long ago something was, in its largest unit. */
export function renderAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 48 * 3600 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** `842`, `12k`, `1.2M`. */
export function renderRough(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}
