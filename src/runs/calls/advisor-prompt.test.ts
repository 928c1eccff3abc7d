import { expect, test } from 'vitest';
import { firstAsk } from '../../machine/exchange/ask-input.test-helper.ts';
import type { AskedBack, ExchangeMessage } from '../../machine/exchange/exchange-types.ts';
import { exchangeOutput } from '../../machine/workflow/workflow.test-helper.ts';
import { renderAfresh, renderMessage } from './advisor-prompt.ts';

const request = { ...exchangeOutput().request, sections: [{ name: 'RISKS', asks: 'say what could fail' }] };
const options = { nonce: 'n', closing: 'c', budgetCharacters: null };
const asking = (message: ExchangeMessage) => ({ ...firstAsk(request), message });

function askedBack(text: string, declined: string | null): AskedBack {
  const sections = declined === null ? { CONTEXT: `about ${text}` } : {};
  const answer = { tag: '[CONSULT:CLAUDE:CONTEXT]', by: 'lead', declined, sections } as const;
  return {
    request: { tag: '[CONSULT:CLAUDE:CONTEXT]', text },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tag is that of the answer
    answer: answer as unknown as AskedBack['answer'],
  };
}

test.each<[ExchangeMessage, RegExp]>([
  [{ kind: 'request' }, /^(?!Your last answer)[^]*Is it sound\?/],
  [{ kind: 'context' }, /^Your last answer was not about this request\.[^]*Is it sound\?/],
  [
    { kind: 'structure', causes: ['code_fence'], note: 'echo' },
    /^Note: your last answer only repeated lines[^]*\[RESPONSE:DESIGN\]/,
  ],
  [{ kind: 'sections', missing: ['RISKS'] }, /^Part of your last answer is missing[^]*RISKS/],
  [{ kind: 'sections', missing: ['RISKS'], cut: true }, /^Your last answer was cut off[^]*RISKS/],
  [
    { kind: 'correction', malformations: [{ section: 'RISKS', detail: 'no list' }] },
    /could not be read\.[^]*- `RISKS`: no list/,
  ],
  [{ kind: 'unclosed', closing: 'c9' }, /does not end with its closing line[^]*c9/],
  [{ kind: 'cut_again' }, /cut/],
])('the message %j repairs what is wrong', (message, text) => {
  const prompt = renderMessage(asking(message), options);
  expect(prompt.text).toMatch(text);
  expect(prompt.shown).toEqual([]);
});

test('the last reverse request is answered, or declined with the reason', () => {
  const [first, second] = [askedBack('one', null), askedBack('two', null)];
  const { text } = renderMessage(asking({ kind: 'reverse_answer', asked: [first, second] }), options);
  expect(text).toContain('about two');
  expect(text).not.toContain('about one');
  const refused = { kind: 'reverse_answer', asked: [first, askedBack('two', 'no lead')] } as const;
  expect(renderMessage(asking(refused), options).text).toContain('no lead');
  expect(() => renderMessage(asking({ kind: 'reverse_answer', asked: [] }), options)).toThrow(
    'no reverse request was answered',
  );
});

test('a new thread gets the request with all questions and answers, and only then', () => {
  const asked = [askedBack('one', null), askedBack('two', 'no lead')];
  const afresh = renderAfresh(asking({ kind: 'reverse_answer', asked }), options);
  for (const part of ['Is it sound?', 'one', 'about one', 'two', 'no lead'])
    expect(afresh?.text).toContain(part);
  expect(renderAfresh(asking({ kind: 'context' }), options)).toBeNull();
});
