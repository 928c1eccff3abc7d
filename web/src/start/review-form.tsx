import { useCallback, useState, type FormEvent, type ReactElement } from 'react';
import type { OfferedBranches } from '../../../src/client/run-types.ts';
import { Button } from '../design/button.tsx';
import { Field } from '../design/field.tsx';
import { optionsOf, Select } from '../design/select.tsx';
import { FailureLine } from '../server/failure-line.tsx';
import { useServer } from '../server/server-context.tsx';
import { useAsked } from '../server/use-asked.ts';
import { useWords } from '../words/language.tsx';
import { AgentFields } from './agent-fields.tsx';
import { BranchField } from './branch-field.tsx';
import {
  composeReview,
  grades,
  firstValue,
  hasValue,
  inputKinds,
  type InputKind,
  type ReviewDraft,
  type ValuedKind,
} from './compose-start.ts';
import { startWords } from './start-words.ts';
import { useStart } from './use-start.ts';

const empty: ReviewDraft = {
  input: 'working_tree',
  value: '',
  failOn: 'critical',
  focus: '',
  advisor: '',
  lead: '',
};

export function ReviewForm(): ReactElement {
  const words = useWords(startWords);
  const [draft, setDraft] = useState(empty);
  const [typed, setTyped] = useState<Partial<Record<InputKind, string>>>({});
  const { isStarting, failure, start } = useStart();
  const { client } = useServer();
  // A reader without the right to read the repository gets no list, and types.
  const { value: branches } = useAsked(useCallback(() => client.branches(), [client]));
  const change = (part: Partial<ReviewDraft>) => setDraft((before) => ({ ...before, ...part }));
  const chooseInput = (input: InputKind) => {
    // A pasted diff is still there after a look at the other kinds.
    setTyped({ ...typed, [draft.input]: draft.value });
    change({ input, value: typed[input] ?? firstValue(input, branches) });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start(composeReview(draft));
  };
  return (
    <form className="start" onSubmit={submit}>
      <Field label={words.what}>
        <Select value={draft.input} options={optionsOf(inputKinds, words.inputs)} onChoose={chooseInput} />
      </Field>
      {hasValue(draft.input) && (
        <ValueField
          key={draft.input}
          kind={draft.input}
          value={draft.value}
          branches={branches}
          onChange={(value) => change({ value })}
        />
      )}
      <Field label={words.failOn}>
        <Select
          value={draft.failOn}
          options={optionsOf(grades, words.grades)}
          onChoose={(failOn) => change({ failOn })}
        />
      </Field>
      <Field label={`${words.focus} (${words.optional})`}>
        <input value={draft.focus} onChange={({ target }) => change({ focus: target.value })} />
      </Field>
      <AgentFields advisor={draft.advisor} lead={draft.lead} onChange={change} />
      <Button type="submit" kind="primary" disabled={isStarting}>
        {isStarting ? words.starting : words.start}
      </Button>
      {failure !== null && <FailureLine failure={failure} />}
    </form>
  );
}

interface ValueFieldProps {
  readonly kind: ValuedKind;
  readonly value: string;
  readonly branches: OfferedBranches | null;
  readonly onChange: (value: string) => void;
}

function ValueField({ kind, value, branches, onChange }: ValueFieldProps): ReactElement {
  const words = useWords(startWords);
  if (kind === 'base' && branches !== null && branches.branches.length > 0)
    return <BranchField value={value} offered={branches} onChange={onChange} />;
  return (
    <Field label={words.values[kind]}>
      {kind === 'diff' ? (
        <textarea
          rows={10}
          className="code"
          required
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <input
          required
          value={value}
          placeholder={words.examples[kind]}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
