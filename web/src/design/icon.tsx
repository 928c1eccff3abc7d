/** A sign beside words, in the size and the color of its text. */
import type { IconNode } from 'lucide';
import { createElement, type ReactElement } from 'react';

export function Icon({ of: shapes }: { readonly of: IconNode }): ReactElement {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      {shapes.map(([tag, attributes], index) => createElement(tag, { key: index, ...attributes }))}
    </svg>
  );
}
