import { useState, type FormEvent, type ReactElement } from 'react';
import { SelectOne } from '../select-one.tsx';
import { FailureLine } from '../server/failure-line.tsx';
import { useWords } from '../words/language.tsx';
import { AgentFields } from './agent-fields.tsx';
import {
  composeReview,
  grades,
  hasValue,
  inputKinds,
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
  const { isStarting, failure, start } = useStart();
  const change = (part: Partial<ReviewDraft>) => setDraft((before) => ({ ...before, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start(composeReview(draft));
  };
  return (
    <form className="start" onSubmit={submit}>
      <label>
        {words.what}
        <SelectOne
          value={draft.input}
          offered={inputKinds}
          words={words.inputs}
          onChange={(input) => change({ input })}
        />
      </label>
      {hasValue(draft.input) && (
        <ValueField kind={draft.input} value={draft.value} onChange={(value) => change({ value })} />
      )}
      <label>
        {words.failOn}
        <SelectOne
          value={draft.failOn}
          offered={grades}
          words={words.grades}
          onChange={(failOn) => change({ failOn })}
        />
      </label>
      <label>
        {words.focus} ({words.optional})
        <input value={draft.focus} onChange={({ target }) => change({ focus: target.value })} />
      </label>
      <AgentFields advisor={draft.advisor} lead={draft.lead} onChange={change} />
      <button type="submit" className="primary" disabled={isStarting}>
        {isStarting ? words.starting : words.start}
      </button>
      {failure !== null && <FailureLine failure={failure} />}
    </form>
  );
}

interface ValueFieldProps {
  readonly kind: ValuedKind;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ValueField({ kind, value, onChange }: ValueFieldProps): ReactElement {
  const words = useWords(startWords);
  return (
    <label>
      {words.values[kind]}
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
    </label>
  );
}
