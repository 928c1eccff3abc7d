/** Bodies of requests: what a route accepts, and what clients send by mistake or by intent. */
import { damage } from '../../contract/providers/damage.ts';

export interface DrawnBody {
  readonly shape: string;
  /** Null for no header. */
  readonly type: string | null;
  /** Null for no body. */
  readonly bytes: Buffer | null;
  /** The length that the header announces, if it is not that of the bytes. */
  readonly announced?: number;
  /** The JSON value in the bytes, if they are one and are sent as one. */
  readonly value?: unknown;
}

export type Next = () => number;

export function pick<Item>(items: readonly Item[], next: Next): Item {
  const item = items[next() % items.length];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}

export interface BodyPlan {
  /** Bodies that the route accepts. */
  readonly examples: readonly object[];
  /** Bytes that the route takes at most. */
  readonly mostBytes: number;
  readonly takesForm: boolean;
}

type Shape = (plan: BodyPlan, next: Next) => Omit<DrawnBody, 'shape'>;

const json = 'application/json';

const shapes: Readonly<Record<string, Shape>> = {
  whole: ({ examples }, next) => sent(pick(examples, next)),
  'in a form': ({ examples, takesForm }, next) =>
    takesForm ? form(pick(examples, next), pick(formShapes, next)) : sent(pick(examples, next)),
  none: () => ({ type: null, bytes: null }),
  empty: (_plan, next) => ({ type: pick([json, null], next), bytes: Buffer.of() }),
  'another value': (_plan, next) => sent(pick([[], null, 1, 'text', true, {}, [{}]], next)),
  damaged: ({ examples }, next) => damaged(pick(examples, next), next),
  'with odd texts': ({ examples }, next) => sent(withOddText(pick(examples, next), next)),
  'with an unknown field': ({ examples }, next) =>
    sent({ ...pick(examples, next), [pick(oddTexts, next)]: pick([1, null, {}, 'x'], next) }),
  'too large': ({ mostBytes }) => ({
    type: json,
    bytes: Buffer.from('{"a":"'),
    announced: mostBytes + 1,
  }),
  'larger than announced': ({ mostBytes }) => ({
    type: json,
    // More than 1 MiB would only cost time: the limit is the same code.
    bytes: Buffer.alloc(Math.min(mostBytes, 1024 * 1024) + 1, 'x'),
  }),
  deep: ({ examples, mostBytes }, next) => deep(pick(examples, next), mostBytes, next),
  'of another type': ({ examples }, next) => {
    const { bytes } = sent(pick(examples, next));
    return { type: pick(otherTypes, next), bytes };
  },
  'no JSON': (_plan, next) => ({ type: json, bytes: pick(noJson, next) }),
};

export const bodyShapes = Object.keys(shapes);

/** @param shape default: any, and often a whole one */
export function drawBody(
  plan: BodyPlan,
  next: Next,
  shape = pick(['whole', 'whole', 'whole', ...bodyShapes], next),
): DrawnBody {
  const draw = shapes[shape];
  if (draw === undefined) throw new Error(`no shape ${shape}`);
  return { shape, ...draw(plan, next) };
}

function sent(value: unknown): Omit<DrawnBody, 'shape'> {
  return { type: json, bytes: Buffer.from(JSON.stringify(value)), value };
}

function damaged(example: object, next: Next): Omit<DrawnBody, 'shape'> {
  const { values, cut } = damage([example], [next(), 0, next(), next()]);
  const [value] = values.length === 1 ? values : [values];
  if (cut === undefined) return sent(value);
  const bytes = Buffer.from(JSON.stringify(value));
  return { type: json, bytes: bytes.subarray(0, cut % bytes.length) };
}

const oddTexts = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u001b[31m',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '--output=/dev/null',
  '/',
  '/nonsense',
  '/consult',
  "/review 'open",
  '1e999',
  '日本語 👋',
  'x'.repeat(5000),
];

/** Replaces one of the texts in the value. */
function withOddText(value: object, next: Next): unknown {
  const whole = JSON.stringify(value);
  const texts = [...whole.matchAll(/:("(?:[^"\\]|\\.)*")/g)];
  const found = texts[next() % Math.max(1, texts.length)];
  if (found?.[1] === undefined) return value;
  const at = found.index + 1;
  const odd = JSON.stringify(pick(oddTexts, next));
  return JSON.parse(`${whole.slice(0, at)}${odd}${whole.slice(at + found[1].length)}`);
}

/** Nests lists in the place of one field, as deep as the route's limit allows; far deeper than a call stack. */
function deep(example: object, mostBytes: number, next: Next): Omit<DrawnBody, 'shape'> {
  const depth = Math.floor(Math.min(mostBytes, 400_000) / 2) - 500;
  const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const field = pick([...Object.keys(example), 'unknown'], next);
  const text = JSON.stringify({ ...example, [field]: 'HERE' }).replace('"HERE"', nested);
  return { type: json, bytes: Buffer.from(text) };
}

const otherTypes = [
  null,
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/jsonp',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `text/${'x'.repeat(3000)}`,
  '*/*',
  'application/json/x',
];

const noJson = [
  '{',
  '}',
  '{"a":1}{"b":2}',
  "{'a': 1}",
  'undefined',
  '\u0000',
  `[${'1,'.repeat(1000)}`,
  '"\\ud8"',
].map((text) => Buffer.from(text));
noJson.push(Buffer.of(0xff, 0xfe, 0x00), Buffer.of(0x22, 0xc3, 0x28, 0x22), Buffer.of(0x1f, 0x8b, 0x08));

type FormShape = (data: string) => string;

const part = (name: string, content: string, more = ''): string =>
  `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
const end = '--b--\r\n';

const formShapes: readonly FormShape[] = [
  (data) => `${part('request_data', data)}${end}`,
  (data) => `${part('request_data', data)}${end}`,
  (data) => `${part('request_data', data)}${part('files', 'a,b\n', '; filename="a.csv"')}${end}`,
  (data) => `${part('request_data', data, '; filename="a.json"')}${end}`,
  (data) => `${part('request_data', data)}${part('request_data', data)}${end}`,
  (data) => part('request_data', data),
  (data) => `${part('another', data)}${end}`,
  (data) => `${part('request_data', data.slice(1))}${end}`,
  (data) => `${part('request_data', data)}${part('files', 'x', '; filename="a"').repeat(11)}${end}`,
  (data) => `${part('request_data', data)}${part('files', 'x', '; filename="../../\u0000"')}${end}`,
  () => end,
  () => '',
];

function form(value: object, shape: FormShape): Omit<DrawnBody, 'shape'> {
  return {
    type: 'multipart/form-data; boundary=b',
    bytes: Buffer.from(shape(JSON.stringify(value))),
  };
}
