import type { ReactElement } from 'react';

interface SelectOneProps<Value extends string> {
  readonly value: Value;
  /** What can be chosen, in this order. */
  readonly offered: readonly Value[];
  readonly words: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value) => void;
  /** For who listens, where no label stands around it. */
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
