import type { ReactElement, ReactNode } from 'react';

interface StateProps {
  readonly name: string;
  readonly children: ReactNode;
}

export function State({ name, children }: StateProps): ReactElement {
  return (
    <figure>
      <figcaption>{name}</figcaption>
      {children}
    </figure>
  );
}
