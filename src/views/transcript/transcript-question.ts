/** Renders a question of the run to a person or the caller, and who answered it. */
import type { CollabEventOf } from '../../events/collab-event.ts';
import { renderCount } from '../../text/quantities.ts';
import { codeBlock, foreignCode, type Block } from './foreign-markdown.ts';
import { heading, paragraph, text } from './markdown-nodes.ts';
import { answererNames } from './transcript-exchange.ts';
import { quote, strongWords } from './transcript-quote.ts';

type Asked = CollabEventOf<'question.asked'>;
type Answered = CollabEventOf<'question.answered'>;

export function questionBlocks(asked: Asked, answered: Answered | undefined): readonly Block[] {
  return [
    heading(3, [text(`${titles[asked.kind]}, `), foreignCode(asked.name)]),
    ...questionText(asked),
    ...answerBlocks(asked, answered),
  ];
}

const titles: Readonly<Record<Asked['kind'], string>> = {
  gate: 'Gate',
  clarification: 'Questions to the user',
  lead_turn: 'A turn of the calling lead',
  reverse: 'The advisor asks back',
};

/** A gate repeats the draft and the advice; a turn of the lead is requested with a whole prompt. */
function questionText({ kind, text: question }: Asked): readonly Block[] {
  if (kind === 'clarification' || kind === 'reverse') return [quote(question)];
  const what = kind === 'gate' ? 'Whether to continue with the text above' : 'Request';
  return [paragraph([text(`${what} (${renderCount(question.length, 'character')}).`)])];
}

function answerBlocks({ kind }: Asked, answered: Answered | undefined): readonly Block[] {
  if (answered === undefined) return [paragraph([strongWords('Not answered yet.')])];
  const { by, value } = answered;
  const assumed = by === 'policy' && kind === 'clarification';
  const who = assumed
    ? 'Not answered (--yes): the lead continues with its own assumptions'
    : `Answered by ${by === 'policy' ? 'policy (--yes), without a question' : answererNames[by]}`;
  // The caller's text in its turn follows as the lead's text.
  if (kind === 'lead_turn') return [paragraph([strongWords(who), text('.')])];
  return [
    paragraph([strongWords(who), text(':')]),
    typeof value === 'string' ? quote(value) : codeBlock(JSON.stringify(value, null, 2), 'json'),
  ];
}
