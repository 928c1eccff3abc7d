import type { ReactElement } from 'react';

interface SelectOneProps<Value extends string> {
  readonly value: Value;
  /** The choices, in this order. */
  readonly offered: readonly Value[];
  readonly words: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value) => void;
  /** A label for screen readers, if there is no visible one. */
  readonly label?: string;
}

export function SelectOne<Value extends string>({
  value,
  offered,
  words,
  onChange,
  label,
}: SelectOneProps<Value>): ReactElement {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(offered.find((known) => known === target.value) ?? value)}
    >
      {offered.map((known) => (
        <option key={known} value={known}>
          {words[known]}
        </option>
      ))}
    </select>
  );
}
