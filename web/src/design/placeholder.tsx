/** Parts that take the place of content. */
import type { ReactElement, ReactNode } from 'react';

/** For content that does not exist. */
export function Empty({ children }: { readonly children: ReactNode }): ReactElement {
  return <p className="empty">{children}</p>;
}

/** For content that is loaded. */
export function Loading({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <p className="loading" aria-busy="true">
      {children}
    </p>
  );
}

/** For the rows of a list: as high as they, so that nothing moves when they arrive. */
export function Skeleton({ rows }: { readonly rows: number }): ReactElement {
  return (
    <div className="skeleton" aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} />
      ))}
    </div>
  );
}
