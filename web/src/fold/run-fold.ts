/**
 * Folds a run's events into the state that the page shows. The same events give the same state, however they are split
 * into batches; a batch costs its own changes and one copy of each list that it changes.
 */
import type { CollabEvent, CollabEventOf } from '../../../src/client/run-events.ts';
import type {
  BudgetState,
  EntryPlace,
  PhaseState,
  QuestionState,
  RunEnd,
  RunState,
  SpeakerState,
} from '../run-state.ts';
import { createActivityFold } from './fold-activities.ts';
import { createExchangeFold } from './fold-exchanges.ts';
import { createReviewFold } from './fold-review.ts';
import { createSaidFold } from './fold-said.ts';
import { createUsageFold } from './fold-usage.ts';
import { createGrowingList } from './growing-list.ts';
import { createKeyedList } from './keyed-list.ts';
import { createSpeakerFold } from './speaker-of.ts';

export interface RunFold {
  /** Returns the state after these events. */
  readonly add: (events: readonly CollabEvent[]) => RunState;
  readonly current: () => RunState;
}

export function createRunFold(): RunFold {
  const speakerOf = createSpeakerFold();
  const said = createSaidFold();
  const exchanges = createExchangeFold();
  const reviews = createReviewFold();
  const usage = createUsageFold();
  const activities = createActivityFold();
  const phases = createGrowingList<PhaseState>();
  const questions = createGrowingList<QuestionState>();
  const budgets = createKeyedList<BudgetState>(({ unit }) => unit);
  let own: Pick<RunState, 'lastSeq' | 'startedAt' | 'title' | 'end' | 'context'> = {
    lastSeq: 0,
    startedAt: null,
    title: null,
    end: null,
    context: null,
  };

  function take(event: CollabEvent): void {
    const speaker = speakerOf(event);
    const place = placeOf(event, speaker);
    own = { ...own, lastSeq: event.seq };
    usage.take(event, speaker.role, phases.at(phases.length() - 1));
    activities.take(event, speaker);
    if (exchanges.take(event)) said.add(place, { kind: 'exchange' });
    const review = reviews.take(event);
    if (review !== null) said.add(place, { kind: 'review', review });
    said.take(event, place);
    takeOwn(event, place);
  }

  function placeOf(event: CollabEvent, speaker: SpeakerState): EntryPlace {
    const { seq: id, ts: at, exchange_id: exchangeId = null, step = null } = event;
    const phase = phases.length() === 0 ? null : phases.length() - 1;
    return { id, at, speaker, phase, exchangeId, step };
  }

  function takeOwn(event: CollabEvent, place: EntryPlace): void {
    switch (event.type) {
      case 'run.started':
        own = { ...own, startedAt: event.ts };
        return;
      case 'run.ended':
        own = { ...own, end: endOf(event) };
        return;
      case 'title':
        own = { ...own, title: event.title };
        return;
      case 'context':
        if (place.speaker.depth === 0) own = { ...own, context: { tokens: event.tokens, max: event.max } };
        return;
      case 'budget': {
        const { unit = 'usd', spent, left } = event;
        budgets.put(unit, { unit, spent, left });
        return;
      }
      case 'phase.started':
        return beginPhase(event, place);
      case 'phase.ended':
        return endPhase(event);
      case 'question.asked': {
        const { name, kind, text, schema, ts: askedAt } = event;
        const question = questions.push({
          name,
          kind,
          text,
          schema,
          askedAt,
          phase: place.phase,
          answer: null,
        });
        said.add(place, { kind: 'question', question });
        return;
      }
      case 'question.answered':
        return answerQuestion(event);
      case 'error': {
        const { kind, message, repeat_in_ms: repeatInMs = null } = event;
        said.add(place, { kind: 'error', error: { kind, message, repeatInMs } });
        return;
      }
      default:
    }
  }

  /** A lost step is repeated, and so are its events. */
  function beginPhase({ phase, round }: CollabEventOf<'phase.started'>, place: EntryPlace): void {
    const last = phases.at(phases.length() - 1);
    if (last?.phase === phase && last.round === round) return;
    const begun: PhaseState = { phase, round, ended: null };
    const index = phases.push(begun);
    said.add({ ...place, phase: index }, { kind: 'phase', begun });
  }

  function endPhase({ phase, round, result }: CollabEventOf<'phase.ended'>): void {
    const index = phases.current().findLastIndex((known) => known.phase === phase && known.round === round);
    const known = phases.at(index);
    if (known !== undefined) phases.set(index, { ...known, ended: { result } });
  }

  /** Each phase may ask a question of the same name again. */
  function answerQuestion({ name, by, value }: CollabEventOf<'question.answered'>): void {
    const index = questions.current().findLastIndex((asked) => asked.name === name && asked.answer === null);
    const asked = questions.at(index);
    if (asked !== undefined) questions.set(index, { ...asked, answer: { by, value } });
  }

  function current(): RunState {
    return {
      ...own,
      phases: phases.current(),
      entries: said.current(),
      exchanges: exchanges.current(),
      questions: questions.current(),
      reviews: reviews.current(),
      activities: activities.current(),
      usage: usage.current(),
      budgets: budgets.current(),
    };
  }

  return {
    current,
    add(events) {
      for (const event of events) take(event);
      return current();
    },
  };
}

function endOf(event: CollabEventOf<'run.ended'>): RunEnd {
  const { status, outcome, reasons, errors, duration_ms: durationMs } = event;
  return { status, outcome, reasons, errors, durationMs };
}
