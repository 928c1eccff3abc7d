/** Bars with a name and a figure each, the longest as wide as its column. Widths are attributes: the page allows no inline style. */
import type { ReactElement } from 'react';

export interface Bar {
  readonly name: string;
  /** At least 0. */
  readonly value: number;
  /** The value as the reader sees it. */
  readonly figure: string;
}

export function BarChart({
  label,
  bars,
}: {
  readonly label: string;
  readonly bars: readonly Bar[];
}): ReactElement {
  const largest = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  return (
    <figure className="bar-chart">
      <figcaption>{label}</figcaption>
      <ul>
        {bars.map(({ name, value, figure }) => (
          <li key={name}>
            <span>{name}</span>
            <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect width="100" height="8" className="ground" />
              <rect width={(100 * value) / largest} height="8" />
            </svg>
            <span className="figure">{figure}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
