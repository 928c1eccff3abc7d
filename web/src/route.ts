/**
 * The current place as the address has it: after the `#`, so that a reload and any server path lead to the same place.
 */
export const runTabs = ['timeline', 'exchanges', 'review', 'usage'] as const;
export type RunTab = (typeof runTabs)[number];

export type Route =
  | { readonly kind: 'home' }
  | { readonly kind: 'new'; readonly what: NewKind }
  | { readonly kind: 'conversation'; readonly conversation: string }
  | {
      readonly kind: 'run';
      readonly conversation: string;
      readonly run: string;
      /** The open tab; null for the one that fits the run best. */
      readonly tab: RunTab | null;
      /** Id of the shown finding; only in the review. */
      readonly finding: string | null;
    };

export const newKinds = ['conversation', 'review', 'run'] as const;
export type NewKind = (typeof newKinds)[number];

/** Never throws: an unknown address is the first page. */
export function parseRoute(hash: string): Route {
  const [head, first, second, third, fourth, fifth] = partsOf(hash);
  if (head === 'new') return { kind: 'new', what: newKinds.find((what) => what === first) ?? 'conversation' };
  if (head !== 'c' || first === undefined) return { kind: 'home' };
  if (second !== 'r' || third === undefined) return { kind: 'conversation', conversation: first };
  const tab = runTabs.find((name) => name === fourth) ?? null;
  const finding = tab === 'review' ? (fifth ?? null) : null;
  return { kind: 'run', conversation: first, run: third, tab, finding };
}

export function linkTo(route: Route): string {
  return `#/${wordsOf(route).map(encodeURIComponent).join('/')}`;
}

/** Returns the same place for all parts of a run: switching between them does not leave it. */
export function placeOf(route: Route): string {
  return linkTo(route.kind === 'run' ? { ...route, tab: null, finding: null } : route);
}

function wordsOf(route: Route): readonly string[] {
  switch (route.kind) {
    case 'home':
      return [];
    case 'new':
      return ['new', route.what];
    case 'conversation':
      return ['c', route.conversation];
    case 'run': {
      const { conversation, run, tab, finding } = route;
      const place = [tab, tab === null ? null : finding].filter((part) => part !== null);
      return ['c', conversation, 'r', run, ...place];
    }
  }
}

function partsOf(hash: string): readonly string[] {
  return hash
    .replace(/^#?\/?/, '')
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
