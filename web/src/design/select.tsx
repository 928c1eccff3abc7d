import type { ComponentProps, ReactElement } from 'react';

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly text: string;
  readonly isDisabled?: boolean;
}

interface SelectProps<Value extends string> extends Omit<ComponentProps<'select'>, 'value'> {
  readonly value: Value;
  /** In this order. */
  readonly options: readonly SelectOption<Value>[];
  readonly onChoose: (value: Value) => void;
}

/** The browser's own list of choices: a drawn one would need styles that the page does not allow. */
export function Select<Value extends string>(props: SelectProps<Value>): ReactElement {
  const { value, options, onChoose, ...rest } = props;
  return (
    <select
      value={value}
      onChange={({ target }) => onChoose(options.find((one) => one.value === target.value)?.value ?? value)}
      {...rest}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.isDisabled}>
          {option.text}
        </option>
      ))}
    </select>
  );
}

/** Returns the options of values that each have a word. */
export function optionsOf<Value extends string>(
  values: readonly Value[],
  words: Readonly<Record<Value, string>>,
): readonly SelectOption<Value>[] {
  return values.map((value) => ({ value, text: words[value] }));
}
