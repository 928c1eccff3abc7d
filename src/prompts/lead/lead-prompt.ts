/** Renders the messages to the lead. Our own words come first; all other text is in fences. */
import { exchangeSpecOf, exchangeSpecOfPhase, type Phase, type RequestTag } from '../../tags/tags.ts';
import { codeSpan, createFences, type Fences } from '../fence.ts';
import type { Advice, LeadBrief, LeadMessage, LeadRecap, SettleDecision } from './lead-message.ts';
import { renderFixForm } from './fix-order.ts';
import { verifyBlocks } from '../review/verify-prompt.ts';
import { taskHeading } from '../task-heading.ts';

export interface LeadRenderOptions {
  /** For a session that knows nothing about the work so far; null for one that knows it. */
  readonly recap: LeadRecap | null;
  /** Names the fences. */
  readonly nonce: string;
  /** The nonce of the closing line of an advisor's verdicts; the lead's have none. Default: none. */
  readonly closing?: string;
}

export function renderLeadMessage(message: LeadMessage, options: LeadRenderOptions): string {
  const { recap, nonce } = options;
  const fences = createFences(nonce);
  const isWhole = message.kind === 'draft' || message.kind === 'implement' || message.kind === 'fix';
  const before = recap === null || isWhole ? [] : recapBlocks(recap, fences);
  return `${[...before, ...blocksOf(message, fences, options)].join('\n\n')}\n`;
}

function recapBlocks({ brief, said }: LeadRecap, fences: Fences): readonly string[] {
  return [
    'The session in which you started this work is gone. This is what is left of it.',
    ...materialBlocks(brief, fences),
    ...(said.trim() === '' ? [] : ['## Your last message', fences.words(said)]),
    '## The next step',
  ];
}

function blocksOf(
  message: LeadMessage,
  fences: Fences,
  { closing }: Pick<LeadRenderOptions, 'closing'>,
): readonly string[] {
  switch (message.kind) {
    case 'draft':
      return draft(message, fences);
    case 'implement':
      return implement(message, fences);
    case 'fix':
      return fix(message, fences);
    case 'fix_unanswered':
      return [
        'You did not say of each finding whether you fixed or refused it. If there is work left, do it now.',
        renderFixForm(message.ids),
      ];
    case 'request_absent':
      return [
        `Your text does not end in \`${message.wanted}\`. Send the request now: the tag on a line of its own, not in a fence, a quote or a list, and below it everything that the advisor needs to know.`,
      ];
    case 'wrong_request':
      return [
        `\`${message.sent}\` is the request of another phase and was not sent: this is the phase of ${phaseOf(message.wanted)}, and its request is \`${message.wanted}\`. It counts as one of your consults.`,
        'Continue the work of this phase.',
      ];
    case 'consults_spent':
      return [
        `The request was not sent: the ${message.limit} consults of this round are used up. Decide yourself and finish the work.`,
      ];
    case 'advice':
      return [
        "The advisor's answer to your request:",
        adviceBlock(message.advice, fences),
        message.left === 0
          ? 'Weigh it and continue. You cannot consult again in this round.'
          : `Weigh it and continue. You may consult ${times(message.left)} more in this round; when the work is done, end your turn without a tag and say what you did.`,
      ];
    case 'no_advice':
      return [
        `The advisor gave no answer: ${message.reason ?? 'it did not answer in the required form'}. Continue without it.`,
      ];
    case 'settle':
      return settle(message, fences);
    case 'verify':
      return verifyBlocks(message, fences, message.by === 'advisor' ? (closing ?? null) : null);
    case 'again':
      return [
        (message.tooLong === true
          ? 'Your last answer was cut off because it was too long.'
          : 'Your last turn did not finish.') +
          (message.filesRestored ? ' The files are as they were before it.' : '') +
          ` Do it again and send the whole answer${message.tooLong === true ? ', in fewer words' : ''}.`,
      ];
    default:
      return message satisfies never;
  }
}

function draft(
  { phase, brief, objection }: Extract<LeadMessage, { kind: 'draft' }>,
  fences: Fences,
): readonly string[] {
  const wanted = requestOf(phase);
  return [
    `Phase: ${phase}.`,
    ...briefBlocks(brief, fences),
    ...(objection === null
      ? []
      : ['The user read your draft and wants changes, in the user’s own words:', fences.words(objection)]),
    phase === 'review'
      ? `Look at your changes, then request the review: end your turn with \`${wanted}\` and below it, in a few sentences, what the change does and where the reviewer should look most carefully. The diff is sent automatically.`
      : `Write your draft, then have it reviewed: end your turn with \`${wanted}\` on a line of its own and below it the whole draft and your questions. The advisor sees only the text below the tag and the files of the repository. Change no file.`,
  ];
}

function implement(message: Extract<LeadMessage, { kind: 'implement' }>, fences: Fences): readonly string[] {
  const { brief, workOrder, consults } = message;
  const consulting =
    consults === 0
      ? 'Do the work without asking the advisor.'
      : `If you need technical advice, end your turn with \`${requestOf('implementation')}\` and below it your question; the answer comes with the next message, and you continue. You may do so ${times(consults)} at most.`;
  return [
    'Phase: implementation.',
    ...briefBlocks(brief, fences),
    ...(workOrder === null
      ? []
      : ['The review found faults in your work. Fix each of them, and nothing else:', workOrder]),
    `Change the files of the working folder. ${consulting} When the work is done, end your turn without a tag and say in a few sentences what you did.`,
  ];
}

function fix(
  { brief, order, ids }: Extract<LeadMessage, { kind: 'fix' }>,
  fences: Fences,
): readonly string[] {
  return [
    'Phase: implementation.',
    ...briefBlocks(brief, fences),
    order,
    `Change the files of the working folder. Do the work without asking the advisor: it reviews the result. ${renderFixForm(ids)}`,
  ];
}

function briefBlocks(brief: LeadBrief, fences: Fences): readonly string[] {
  return [...materialBlocks(brief, fences), '## What to do now'];
}

function materialBlocks(
  { task, template, settled, manifest, language }: LeadBrief,
  fences: Fences,
): readonly string[] {
  return [
    `## ${taskHeading}`,
    fences.words(task),
    ...settled.flatMap(({ phase, text }) => [
      `## The result of the ${phase} phase, in your own words`,
      fences.words(text),
    ]),
    ...(manifest === null ? [] : ['## What the implementation changed', fences.data(manifest)]),
    ...(template.trim() === '' ? [] : ['## How to proceed', template.trim()]),
    ...(language === null ? [] : [`Write in the language ${codeSpan(language)}; tags stay as they are.`]),
  ];
}

function settle(
  { phase, advice, decision }: Extract<LeadMessage, { kind: 'settle' }>,
  fences: Fences,
): readonly string[] {
  return [
    ...(advice === null
      ? ['The advisor gave no answer; continue without it.']
      : ["The advisor's answer to your request:", adviceBlock(advice, fences)]),
    ...decisionBlocks(decision, fences),
    phase === 'requirements'
      ? 'Write down what is settled: the requirements, the constraints and what is out of scope, as a text that the next phases can build on. Send no tag and change no file.'
      : 'Write down the design that you will build, as a text that the implementation can build on. Under a heading `## DECISION`, say whether you follow the RECOMMENDATION, follow it in part or reject it, and why. Send no tag and change no file.',
  ];
}

function decisionBlocks(decision: SettleDecision, fences: Fences): readonly string[] {
  switch (decision.kind) {
    case 'answers':
      return ["The user's answers to the questions:", fences.words(decision.text)];
    case 'approved':
      return decision.comment === null
        ? ['The user approves the approach.']
        : ['The user approves the approach and adds:', fences.words(decision.comment)];
    case 'assume':
      return [
        'No user is available to answer the questions. Answer each of them yourself; under a heading `## ASSUMPTIONS`, list every assumption that you make.',
      ];
    case 'nothing_asked':
      return [];
    default:
      return decision satisfies never;
  }
}

function adviceBlock({ sections }: Advice, fences: Fences): string {
  return fences.data(sections.map(({ name, text }) => `## ${name}\n${text}`).join('\n\n'));
}

function requestOf(phase: Phase): RequestTag {
  return exchangeSpecOfPhase(phase).request;
}

function phaseOf(tag: RequestTag): string {
  return exchangeSpecOf(tag).phase;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
