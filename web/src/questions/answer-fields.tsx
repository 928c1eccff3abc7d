/** The fields of a form, each with a label for screen readers and with its problem. */
import { useId, type KeyboardEvent, type ReactElement } from 'react';
import { clarificationHint } from '../../../src/client/questions.ts';
import { Field, Tick } from '../design/field.tsx';
import { optionsOf, Select, type SelectOption } from '../design/select.tsx';
import type { AnswerForm } from './answer-form.ts';
import type { AnswerDraft } from './compose-answer.ts';
import { useQuestionWords, type QuestionWords } from './question-words.ts';

export interface AnswerFieldsProps {
  readonly form: AnswerForm;
  readonly draft: AnswerDraft;
  readonly problem: { readonly field: string | null } | null;
  readonly isDisabled: boolean;
  readonly onChange: (name: string, value: string) => void;
  readonly onSend: () => void;
}

export function AnswerFields(props: AnswerFieldsProps): ReactElement {
  const words = useQuestionWords();
  const { form } = props;
  switch (form.kind) {
    case 'approval':
      return <ApprovalFields {...props} revisable={form.revisable} />;
    case 'apply':
      return <Choice {...props} name="decision" label={words.decision} options={applyOptions(words)} />;
    case 'choice':
      return (
        <Choice
          {...props}
          name="decision"
          label={words.answer}
          options={form.options.map((value) => ({ value, text: value }))}
        />
      );
    case 'text':
      return <Text {...props} name="text" label={words.answer} hint={hintIn(form.hint, words)} />;
    case 'json':
      return (
        <>
          <Text {...props} name="text" label={words.json} hint={null} />
          <details>
            <summary>{words.schema}</summary>
            <pre tabIndex={0}>{form.schema}</pre>
          </details>
        </>
      );
    case 'fields':
      return <NamedFields {...props} fields={form.fields} />;
  }
}

/** The server's own hint has words in each language; an agent's is shown as it is. */
function hintIn(hint: string | null, words: QuestionWords): string | null {
  return hint === clarificationHint ? words.inOrder : hint;
}

function applyOptions(words: QuestionWords): readonly SelectOption<string>[] {
  return [
    { value: 'apply', text: words.apply },
    { value: 'leave', text: words.leave },
  ];
}

type Approval = Extract<AnswerForm, { kind: 'approval' }>;

function ApprovalFields({ revisable, ...props }: AnswerFieldsProps & Pick<Approval, 'revisable'>) {
  const words = useQuestionWords();
  const isRevision = props.draft['decision'] === 'revise';
  const options = (['approve', 'revise', 'stop'] as const).map((value) => ({ value, text: words[value] }));
  return (
    <>
      <Choice {...props} name="decision" label={words.decision} options={options} />
      {isRevision && revisable.length > 1 && (
        <Field label={words.reviseFrom}>
          <Select
            name="phase"
            value={props.draft['phase'] ?? revisable.at(-1) ?? ''}
            options={optionsOf(revisable, words.phase)}
            disabled={props.isDisabled}
            onChoose={(value) => props.onChange('phase', value)}
          />
        </Field>
      )}
      <Text {...props} name="text" label={isRevision ? words.whatToChange : words.comment} hint={null} />
    </>
  );
}

type Fields = Extract<AnswerForm, { kind: 'fields' }>;

function NamedFields({ fields, ...props }: AnswerFieldsProps & Pick<Fields, 'fields'>) {
  const words = useQuestionWords();
  return (
    <>
      {fields.map(({ name, options, required }) => {
        const label = required ? `${name} (${words.required})` : name;
        if (options === null) return <Text key={name} {...props} name={name} label={label} hint={null} />;
        const choices = options.map((value) => ({ value, text: value }));
        return <Choice key={name} {...props} name={name} label={label} options={choices} />;
      })}
    </>
  );
}

interface FieldProps extends Pick<AnswerFieldsProps, 'draft' | 'problem' | 'isDisabled' | 'onChange'> {
  readonly name: string;
  readonly label: string;
}

interface ChoiceProps extends FieldProps {
  readonly options: readonly SelectOption<string>[];
}

function Choice({ name, label, options, draft, isDisabled, onChange }: ChoiceProps): ReactElement {
  return (
    <fieldset disabled={isDisabled}>
      <legend>{label}</legend>
      {options.map((option) => (
        <Tick
          key={option.value}
          type="radio"
          name={name}
          value={option.value}
          checked={draft[name] === option.value}
          onChange={() => onChange(name, option.value)}
        >
          {option.text}
        </Tick>
      ))}
    </fieldset>
  );
}

interface TextProps extends FieldProps, Pick<AnswerFieldsProps, 'onSend'> {
  readonly hint: string | null;
}

function Text({ name, label, hint, draft, problem, isDisabled, onChange, onSend }: TextProps): ReactElement {
  const id = useId();
  return (
    <>
      {hint !== null && <p id={id}>{hint}</p>}
      <Field label={label}>
        <textarea
          name={name}
          rows={4}
          value={draft[name] ?? ''}
          readOnly={isDisabled}
          aria-invalid={problem?.field === name}
          aria-describedby={hint === null ? undefined : id}
          onChange={({ target }) => onChange(name, target.value)}
          onKeyDown={(event) => asksToSend(event) && onSend()}
        />
      </Field>
    </>
  );
}

/** Enter alone adds a line. */
function asksToSend({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && (ctrlKey || metaKey);
}
