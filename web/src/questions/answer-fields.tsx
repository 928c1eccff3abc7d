/** The fields of a form, each with a label for screen readers and with its problem. */
import { useId, type KeyboardEvent, type ReactElement } from 'react';
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
          options={form.options.map((value) => ({ value, label: value }))}
        />
      );
    case 'text':
      return <Text {...props} name="text" label={words.answer} hint={form.hint} />;
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

function applyOptions(words: QuestionWords): readonly Option[] {
  return [
    { value: 'apply', label: words.apply },
    { value: 'leave', label: words.leave },
  ];
}

type Approval = Extract<AnswerForm, { kind: 'approval' }>;

function ApprovalFields({ revisable, ...props }: AnswerFieldsProps & Pick<Approval, 'revisable'>) {
  const words = useQuestionWords();
  const isRevision = props.draft['decision'] === 'revise';
  const options = (['approve', 'revise', 'stop'] as const).map((value) => ({ value, label: words[value] }));
  return (
    <>
      <Choice {...props} name="decision" label={words.decision} options={options} />
      {isRevision && revisable.length > 1 && (
        <Select
          {...props}
          name="phase"
          label={words.reviseFrom}
          preset={revisable.at(-1) ?? ''}
          options={revisable.map((value) => ({ value, label: words.phase[value] }))}
        />
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
        const choices = options.map((value) => ({ value, label: value }));
        return <Choice key={name} {...props} name={name} label={label} options={choices} />;
      })}
    </>
  );
}

interface FieldProps extends Pick<AnswerFieldsProps, 'draft' | 'problem' | 'isDisabled' | 'onChange'> {
  readonly name: string;
  readonly label: string;
}

interface Option {
  readonly value: string;
  readonly label: string;
}

interface ChoiceProps extends FieldProps {
  readonly options: readonly Option[];
}

function Choice({ name, label, options, draft, isDisabled, onChange }: ChoiceProps): ReactElement {
  return (
    <fieldset disabled={isDisabled}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={draft[name] === option.value}
            onChange={() => onChange(name, option.value)}
          />{' '}
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}

function Select({
  name,
  label,
  options,
  preset,
  draft,
  isDisabled,
  onChange,
}: ChoiceProps & { preset: string }) {
  return (
    <label className="field">
      {label}{' '}
      <select
        name={name}
        value={draft[name] ?? preset}
        disabled={isDisabled}
        onChange={({ target }) => onChange(name, target.value)}
      >
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface TextProps extends FieldProps, Pick<AnswerFieldsProps, 'onSend'> {
  readonly hint: string | null;
}

function Text({ name, label, hint, draft, problem, isDisabled, onChange, onSend }: TextProps): ReactElement {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint !== null && <p id={`${id}-hint`}>{hint}</p>}
      <textarea
        id={id}
        name={name}
        rows={4}
        value={draft[name] ?? ''}
        readOnly={isDisabled}
        aria-invalid={problem?.field === name}
        aria-describedby={hint === null ? undefined : `${id}-hint`}
        onChange={({ target }) => onChange(name, target.value)}
        onKeyDown={(event) => asksToSend(event) && onSend()}
      />
    </div>
  );
}

/** Enter alone adds a line. */
function asksToSend({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && (ctrlKey || metaKey);
}
