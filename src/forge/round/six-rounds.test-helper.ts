/** The six rounds of one pull request: findings, a fix, a force-push, a rebase with a rename, new lines, a dismissal. */
import type { Finding } from '../../events/collab-event.ts';
import { findingOn } from './rounds.test-helper.ts';

export interface RoundOfSix {
  readonly files: Readonly<Record<string, readonly string[]>>;
  readonly found: readonly Finding[];
}

const till = ['export function till(cash: number) {', '  eval(String(cash));', '  return cash;', '}'];
const first: RoundOfSix['files'] = {
  'src/till.ts': till,
  'src/tax.ts': ['export const rate = 0.1;', 'export let open = 1;'],
};
const second = { ...first, 'src/tax.ts': ['export const rate = rateOf(1);', 'export let open = 1;'] };
const third = { ...second, 'src/till.ts': ['// A till.', ...till] };
const fourth = { 'src/cash.ts': third['src/till.ts'], 'src/tax.ts': second['src/tax.ts'] };
const fifth = { ...fourth, 'src/tax.ts': ['export const rate = 0.1;', 'export var tip = 2;'] };

const onEval = findingOn({
  path: 'src/till.ts',
  line: 2,
  quote: till[1] ?? '',
  title: 'eval runs the input',
});
const inTax = (line: number, quote: string, title: string, severity: 'important' | 'minor') =>
  findingOn({ path: 'src/tax.ts', line, quote, title, severity });
const onRate = inTax(1, 'export const rate = 0.1;', 'The rate is fixed', 'important');
/** A new Minor on a line that the first round showed: it is held back. */
const onOpen = inTax(2, 'export let open = 1;', 'open is never changed', 'minor');
const onRateOf = inTax(1, 'export const rate = rateOf(1);', 'rateOf has no name', 'minor');
const onTip = inTax(2, 'export var tip = 2;', 'var', 'minor');
const moved = { ...onEval, title: 'Never call eval on input', start_line: 3, end_line: 3 };
const renamed = { ...moved, path: 'src/cash.ts' };

export const sixRounds: readonly RoundOfSix[] = [
  { files: first, found: [onEval, onRate] },
  { files: second, found: [onEval, onOpen, onRateOf] },
  { files: third, found: [moved, { ...onRateOf, title: 'Call it taxRate' }] },
  { files: fourth, found: [renamed, onRateOf] },
  { files: fifth, found: [renamed, onRate, onTip] },
  { files: fifth, found: [renamed, onRate, onTip] },
];

/**
 * The threads after each round. `gone` is the end of a thread whose finding was gone: resolved, or with a reply; `back` is the end
 * of one whose finding came back.
 */
export function threadsAfter({ gone, back }: { readonly gone: string; readonly back: string }) {
  const onTill = 'src/till.ts:2 eval runs the input';
  const onFirst = 'src/tax.ts:1 The rate is fixed';
  const afterSecond = [onTill, `${onFirst}${gone}`, 'src/tax.ts:1 rateOf has no name'];
  const afterFifth = [onTill, `${onFirst}${back}`, `src/tax.ts:1 rateOf has no name${gone}`];
  return [
    [onTill, onFirst],
    afterSecond,
    afterSecond,
    afterSecond,
    [...afterFifth, 'src/tax.ts:2 var'],
    // Before the last round, a person resolves it.
    [...afterFifth, 'src/tax.ts:2 var (resolved)'],
  ];
}
