import { useState, type FormEvent, type ReactElement } from 'react';
import { phases, type Phase } from '../../../src/client/questions.ts';
import { Button } from '../design/button.tsx';
import { Field, Tick } from '../design/field.tsx';
import { runWords } from '../run/run-words.ts';
import { FailureLine } from '../server/failure-line.tsx';
import { useWords } from '../words/language.tsx';
import { AgentFields } from './agent-fields.tsx';
import { composeTask, type TaskDraft } from './compose-start.ts';
import { startWords } from './start-words.ts';
import { useStart } from './use-start.ts';

const empty: TaskDraft = { task: '', phases, yes: false, advisor: '', lead: '' };

export function TaskForm(): ReactElement {
  const words = useWords(startWords);
  const { phase: phaseWords } = useWords(runWords);
  const [draft, setDraft] = useState(empty);
  const { isStarting, failure, start } = useStart();
  const change = (part: Partial<TaskDraft>) => setDraft((before) => ({ ...before, ...part }));
  const choose = (phase: Phase, isChosen: boolean) =>
    change({ phases: phases.filter((name) => (name === phase ? isChosen : draft.phases.includes(name))) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start(composeTask(draft));
  };
  return (
    <form className="start" onSubmit={submit}>
      <Field label={words.task}>
        <textarea
          rows={5}
          required
          value={draft.task}
          aria-describedby="task-hint"
          onChange={({ target }) => change({ task: target.value })}
        />
      </Field>
      <p id="task-hint" className="quiet">
        {words.taskHint}
      </p>
      <fieldset>
        <legend>{words.phases}</legend>
        {phases.map((phase) => (
          <Tick
            key={phase}
            checked={draft.phases.includes(phase)}
            onChange={({ target }) => choose(phase, target.checked)}
          >
            {phaseWords[phase]}
          </Tick>
        ))}
      </fieldset>
      <Tick checked={draft.yes} onChange={({ target }) => change({ yes: target.checked })}>
        {words.yes}
      </Tick>
      <AgentFields advisor={draft.advisor} lead={draft.lead} onChange={change} />
      <Button type="submit" kind="primary" disabled={isStarting || draft.phases.length === 0}>
        {isStarting ? words.starting : words.start}
      </Button>
      {failure !== null && <FailureLine failure={failure} />}
    </form>
  );
}
