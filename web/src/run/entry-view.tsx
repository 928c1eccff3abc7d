import { memo, type ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';
import { Banner } from '../design/banner.tsx';
import { Fold } from '../design/fold.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { AnswerQuote } from '../questions/answer-quote.tsx';
import type { TimelineEntry, EntryOf, ExchangeState, QuestionState, ReviewState } from '../run-state.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/language.tsx';
import { ExchangeEntry } from './exchange-entry.tsx';
import { ForeignText } from './foreign-text.tsx';
import { runWords } from './run-words.ts';
import { SpeakerName } from './speaker-name.tsx';
import { ToolEntry } from './tool-entry.tsx';

/** Data of an entry that is kept elsewhere. */
export interface EntrySurroundings {
  readonly exchange: ExchangeState | null;
  readonly question: QuestionState | null;
  readonly plan: ReviewState['plan'];
}

interface EntryViewProps extends EntrySurroundings {
  readonly entry: TimelineEntry;
  readonly isContinued: boolean;
}

export const EntryView = memo(function EntryView(props: EntryViewProps): ReactElement {
  const { entry, isContinued } = props;
  const format = useFormat();
  const isHeaded = !isContinued && spoken.has(entry.kind);
  return (
    <div
      className={`entry kind-${entry.kind} by-${entry.speaker.role} depth-${Math.min(entry.speaker.depth, 3)}`}
    >
      {isHeaded && (
        <p className="entry-head">
          <SpeakerName speaker={entry.speaker} /> <time dateTime={entry.at}>{format.time(entry.at)}</time>
        </p>
      )}
      <EntryContent {...props} />
    </div>
  );
});

/** Entries with a speaker; the others need none. */
const spoken: ReadonlySet<TimelineEntry['kind']> = new Set([
  'text',
  'thinking',
  'tool',
  'file',
  'plan',
  'media',
  'agent',
  'raw',
]);

function EntryContent({ entry, exchange, question, plan }: EntryViewProps): ReactElement | null {
  const words = useWords(runWords);
  switch (entry.kind) {
    case 'text':
      return <Markdown text={entry.text} isOpen={entry.isOpen} />;
    case 'thinking':
      return <Thinking entry={entry} />;
    case 'tool':
      return <ToolEntry tool={entry} id={`tool ${entry.id}`} />;
    case 'phase':
      return <h2>{words.phaseBegins(words.phase[entry.begun.phase], entry.begun.round)}</h2>;
    case 'exchange':
      return exchange === null ? null : <ExchangeEntry exchange={exchange} />;
    case 'question':
      return question === null ? null : <Question question={question} />;
    case 'review':
      return plan === null ? null : <Plan plan={plan} />;
    case 'agent':
      return (
        <p>
          <strong>{neutralise(entry.agent.type)}</strong> {neutralise(entry.agent.description)}{' '}
          <span className="quiet">{words.agentStatus[entry.agent.status]}</span>
        </p>
      );
    case 'file':
      return (
        <p>
          <code>{neutralise(entry.path)}</code> <span className="quiet">{words.file[entry.change]}</span>
        </p>
      );
    case 'plan':
      return <TaskList items={entry.items} />;
    case 'media':
      return <p className="quiet">{words.media(neutralise(entry.what))}</p>;
    case 'error':
      return (
        <Banner tone={entry.error.repeatInMs === null ? 'red' : 'neutral'}>
          <strong>{entry.error.kind}</strong> {neutralise(entry.error.message)}
          {entry.error.repeatInMs !== null && ` ${words.repeat(Math.ceil(entry.error.repeatInMs / 1000))}`}
        </Banner>
      );
    case 'lost':
      return <Banner tone="neutral">{words.lost[entry.reason]}</Banner>;
    case 'raw':
      return (
        <Fold id={`raw ${entry.id}`} head={words.raw}>
          <ForeignText text={entry.line} label={words.raw} />
        </Fold>
      );
  }
}

function Thinking({ entry }: { readonly entry: EntryOf<'thinking'> }): ReactElement {
  const words = useWords(runWords);
  const head = entry.isOpen ? `${words.thinking} …` : words.thinking;
  return (
    <Fold id={`thinking ${entry.id}`} head={head}>
      {entry.isRedacted ? (
        <p className="quiet">{words.redacted}</p>
      ) : (
        <Markdown text={entry.text} isOpen={entry.isOpen} />
      )}
    </Fold>
  );
}

function Question({ question: { kind, text, answer } }: { readonly question: QuestionState }): ReactElement {
  const words = useWords(runWords);
  return (
    <div className="question-entry">
      <p>
        <strong>{words.questionKind[kind]}</strong>{' '}
        <span className="quiet">{answer === null ? words.waitsForAnswer : words.answeredBy[answer.by]}</span>
      </p>
      <Markdown text={text} />
      {answer !== null && <AnswerQuote value={answer.value} />}
    </div>
  );
}

function Plan({ plan }: { readonly plan: NonNullable<ReviewState['plan']> }): ReactElement {
  const words = useWords(runWords);
  return (
    <>
      <p>
        <strong>{words.planned(plan.files, plan.lines, plan.chunks.length)}</strong>
      </p>
      {plan.skipped.length > 0 && (
        <p className="quiet">
          {words.skipped}:{' '}
          {plan.skipped.map(({ path, reason }) => neutralise(`${path} (${reason})`)).join(', ')}
        </p>
      )}
    </>
  );
}

function TaskList({ items }: Pick<EntryOf<'plan'>, 'items'>): ReactElement {
  const words = useWords(runWords);
  return (
    <ul className="plan" aria-label={words.plan}>
      {items.map(({ text, done }, index) => (
        // A list is replaced as a whole.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <span role="img" aria-label={done ? words.done : words.notDone}>
            {done ? '☑' : '☐'}
          </span>{' '}
          {neutralise(text)}
        </li>
      ))}
    </ul>
  );
}
