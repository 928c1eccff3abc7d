/** One bar whose parts share its width; only for the eye, beside a text with the same figures. */
import type { ReactElement } from 'react';

export interface Share {
  /** Also a class, by which the styles color the part. */
  readonly name: string;
  /** At least 0. */
  readonly value: number;
}

export function ShareBar({ shares }: { readonly shares: readonly Share[] }): ReactElement {
  const whole = shares.reduce((sum, { value }) => sum + value, 0);
  const before = shares.map((_, index) => shares.slice(0, index).reduce((sum, { value }) => sum + value, 0));
  return (
    <svg className="share-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      {shares.map(({ name, value }, index) => (
        <rect
          key={name}
          className={name}
          x={(100 * (before[index] ?? 0)) / Math.max(whole, 1)}
          width={(100 * value) / Math.max(whole, 1)}
          height="8"
        />
      ))}
    </svg>
  );
}
