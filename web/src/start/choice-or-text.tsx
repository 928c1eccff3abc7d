import { useState, type ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';
import { useWords } from '../words/language.tsx';
import { startWords } from './start-words.ts';

export interface OfferedChoice {
  readonly value: string;
  readonly text: string;
  readonly isDisabled?: boolean;
}

interface ChoiceOrTextProps {
  readonly label: string;
  readonly value: string;
  readonly offered: readonly OfferedChoice[];
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
      <label>
        {label}
        <select
          value={isTyped ? other : value}
          aria-describedby={describedBy}
          onChange={({ target }) => choose(target.value)}
        >
          {offered.map((choice) => (
            <option key={choice.value} value={choice.value} disabled={choice.isDisabled}>
              {neutralise(choice.text)}
            </option>
          ))}
          <option value={other}>{words.other}</option>
        </select>
      </label>
      {isTyped && (
        <label>
          {words.otherFor(label)}
          <input
            value={value}
            required={isRequired}
            placeholder={placeholder}
            aria-describedby={describedBy}
            onChange={({ target }) => onChange(target.value)}
          />
        </label>
      )}
    </>
  );
}
