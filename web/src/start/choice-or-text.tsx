import { useState, type ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';
import { Field } from '../design/field.tsx';
import { Select, type SelectOption } from '../design/select.tsx';
import { useWords } from '../words/language.tsx';
import { startWords } from './start-words.ts';

interface ChoiceOrTextProps {
  readonly label: string;
  readonly value: string;
  readonly offered: readonly SelectOption<string>[];
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly describedBy?: string;
  readonly onChange: (value: string) => void;
}

/** Cannot be the name of an agent or a branch. */
const other = '\n';

/** A list of choices, with a field for any other value behind its last entry. */
export function ChoiceOrText(props: ChoiceOrTextProps): ReactElement {
  const { label, value, offered, placeholder, isRequired = false, describedBy, onChange } = props;
  const words = useWords(startWords);
  const [isOther, setOther] = useState(false);
  const isOffered = offered.some((choice) => choice.value === value);
  const isTyped = isOther || !isOffered;
  const choose = (next: string) => {
    setOther(next === other);
    onChange(next === other ? '' : next);
  };
  return (
    <>
      <Field label={label}>
        <Select
          value={isTyped ? other : value}
          options={[
            ...offered.map((choice) => ({ ...choice, text: neutralise(choice.text) })),
            { value: other, text: words.other },
          ]}
          aria-describedby={describedBy}
          onChoose={choose}
        />
      </Field>
      {isTyped && (
        <Field label={words.otherFor(label)}>
          <input
            value={value}
            required={isRequired}
            placeholder={placeholder}
            aria-describedby={describedBy}
            onChange={({ target }) => onChange(target.value)}
          />
        </Field>
      )}
    </>
  );
}
