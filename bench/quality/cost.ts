/** The cost of a measurement, before its first call. */
import { QualityError } from './sets/benchmark-set.ts';

export interface CostRange {
  readonly calls: readonly [number, number];
  readonly tokens: readonly [number, number];
}

/** Reads the line of `collab review --plan` about one effort. @throws QualityError */
export function costOf(plan: string, effort: string): CostRange {
  const line = plan.split('\n').find((text) => text.startsWith(`--effort ${effort}: `)) ?? '';
  const match = /: ([\d,]+)(?: to ([\d,]+))? calls?, about ([\d,]+)(?: to ([\d,]+))? tokens/.exec(line);
  if (match === null) throw new QualityError(`the plan has no range for --effort ${effort}`, plan.trim());
  const [calls, mostCalls, tokens, mostTokens] = match.slice(1).map(numberOf);
  return {
    calls: [calls ?? 0, mostCalls ?? calls ?? 0],
    tokens: [tokens ?? 0, mostTokens ?? tokens ?? 0],
  };
}

export function addCosts(costs: readonly CostRange[], times: number): CostRange {
  const sum = (of: (cost: CostRange) => number): number =>
    costs.reduce((all, cost) => all + of(cost), 0) * times;
  return {
    calls: [sum(({ calls }) => calls[0]), sum(({ calls }) => calls[1])],
    tokens: [sum(({ tokens }) => tokens[0]), sum(({ tokens }) => tokens[1])],
  };
}

export function renderCost({ calls, tokens }: CostRange): string {
  return `${rangeOf(calls)} calls of the advisor, about ${rangeOf(tokens)} tokens of requests and answers`;
}

/** The last `--effort` wins, as in `collab review`. */
export function effortIn(further: readonly string[]): string {
  const at = further.lastIndexOf('--effort');
  const joined = further.findLast((flag) => flag.startsWith('--effort='));
  return joined?.slice('--effort='.length) ?? (at === -1 ? undefined : further[at + 1]) ?? 'standard';
}

function rangeOf([least, most]: readonly [number, number]): string {
  const [low, high] = [least.toLocaleString('en-US'), most.toLocaleString('en-US')];
  return low === high ? low : `${low} to ${high}`;
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text.replaceAll(',', ''));
}
