import type { ReactElement } from 'react';
import type { OfferedBranches } from '../../../src/client/run-types.ts';
import { useWords } from '../words/language.tsx';
import { ChoiceOrText } from './choice-or-text.tsx';
import { startWords } from './start-words.ts';

interface BranchFieldProps {
  readonly value: string;
  readonly offered: OfferedBranches;
  readonly onChange: (value: string) => void;
}

/** Offers the branches of the served repository as the base of a review. */
export function BranchField({ value, offered, onChange }: BranchFieldProps): ReactElement {
  const words = useWords(startWords);
  const { branches, more, default: main, current } = offered;
  // The default may be a branch of `origin` that has a local one of its name.
  const names = main === null || branches.includes(main) ? branches : [main, ...branches];
  const textOf = (name: string) => {
    if (name === main) return words.defaultBranch(name);
    return name === current ? words.currentBranch(name) : name;
  };
  return (
    <>
      <ChoiceOrText
        label={words.values.base}
        value={value}
        offered={names.map((name) => ({ value: name, text: textOf(name) }))}
        placeholder={words.examples.base}
        isRequired
        onChange={onChange}
      />
      {more && <p className="quiet">{words.moreBranches}</p>}
    </>
  );
}
