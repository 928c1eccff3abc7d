/** Controls of a form with their labels. */
import type { ComponentProps, ReactElement, ReactNode } from 'react';

interface FieldProps {
  readonly label: ReactNode;
  /** The control. */
  readonly children: ReactNode;
}

export function Field({ label, children }: FieldProps): ReactElement {
  return (
    <label className="field">
      <span>{label}</span>
      {children}
    </label>
  );
}

interface TickProps extends ComponentProps<'input'> {
  readonly type?: 'checkbox' | 'radio';
}

/** A box to tick, or one choice of several, before its label. */
export function Tick({ type = 'checkbox', children, ...rest }: TickProps): ReactElement {
  return (
    <label className="tick">
      <input type={type} {...rest} />
      <span>{children}</span>
    </label>
  );
}
