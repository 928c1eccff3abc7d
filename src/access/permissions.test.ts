import { describe, expect, test } from 'vitest';
import { grantPattern, parseGrant } from './grant-syntax.ts';
import { actionIn, requests } from './actions.ts';
import { may, rows, type Act, type Deed } from './permissions.ts';
import { commenter, owner, repository, type Guest, type Speaker } from './speaker.ts';

const guest: Guest = { kind: 'guest', tenant: 'acme', grants: [], providers: ['codex'], isServerOpen: false };
const host: Speaker = { kind: 'host', behind: owner };
const speakers: Readonly<Record<string, Speaker>> = {
  owner,
  guest,
  worker: { kind: 'worker' },
  host,
  commenter,
  repository,
};

function isDeed(name: string): name is Deed {
  return Object.hasOwn(rows, name);
}

/** Returns the speakers who may do it, with "?" if each time needs approval. */
function whoMay(act: Act | null): string {
  return Object.entries(speakers)
    .flatMap(([name, speaker]) => {
      const answer = may(speaker, act);
      return answer.allowed ? [answer.asks ? `${name}?` : name] : [];
    })
    .join(' ');
}

test.each(['run', 'fix'] as const)(
  'a host never accepts every gate of a %s, not even behind the owner',
  (kind) => {
    const action = actionIn(requests[kind], 'yes');
    expect(may(host, action)).toEqual({ allowed: false, grant: null });
    expect(may(owner, action)).toEqual({ allowed: true, asks: false });
  },
);

test('every action in the table is decided for every speaker', () => {
  const deeds = Object.keys(rows).filter(isDeed);
  expect(Object.fromEntries(deeds.map((does) => [does, whoMay({ does, what: 'x' })]))).toEqual({
    'reach the server': 'owner guest worker host',
    'read the numbers of all runs': 'owner host',
    'read own runs': 'owner guest host',
    'steer own runs': 'owner guest host commenter',
    'drive a started run': 'owner worker host',
    'converse with a model': 'owner guest host',
    'converse with an agent': 'owner host',
    'decide at a gate': 'owner guest',
    'start a review': 'owner guest host commenter',
    'start a consult': 'owner host',
    'start a run of phases': 'owner host?',
    'fix on a branch of ours': 'owner host? commenter',
    'dismiss a finding': 'owner host commenter',
    'accept every gate': 'owner guest',
    'bring edits into the files': 'owner host?',
    'send a diff': 'owner guest host',
    'read the repository': 'owner host commenter',
    'read a pull request': 'owner host commenter',
    'name a path': 'owner host',
    'choose the advisor': 'owner host',
    'choose the lead': 'owner host',
    "run a provider's folder": 'owner host',
    'configure an agent': 'owner host',
    'use a tool that only reads': 'owner host',
    'use a tool that changes': 'owner host?',
    'use a tool that fetches': 'owner host?',
    'run a command': 'owner host?',
    'allow a tool': 'owner host',
    'word and narrow': 'owner guest host commenter repository',
    'lower a limit': 'owner guest host commenter repository',
    'raise a limit': 'owner host',
    'choose what is shown': 'owner guest host repository',
    'write a new report': 'owner host repository',
    'write over a file': 'owner host?',
    'use the command line': 'owner host',
  });
});

test('only the owner may do an action without a row', () => {
  expect(whoMay(null)).toBe('owner host?');
});

describe('a guest', () => {
  test.each<[string, Act]>([
    ['run', { does: 'start a run of phases' }],
    ['apply', { does: 'bring edits into the files' }],
    ['apply', { does: 'dismiss a finding' }],
    ['tool:Read', { does: 'use a tool that only reads', what: 'Read' }],
    ['tool:Bash', { does: 'run a command', what: 'Bash' }],
    ['tool:Write', { does: 'use a tool that changes', what: 'Write' }],
    ['tool:WebFetch', { does: 'use a tool that fetches', what: 'WebFetch' }],
    ['lead:claude_code', { does: 'converse with an agent', what: 'claude_code' }],
    ['lead:openai', { does: 'choose the lead', what: 'openai' }],
    ['advisor:openai', { does: 'choose the advisor', what: 'openai' }],
    ['repo:shop', { does: 'read the repository', what: 'shop' }],
    ['repo:shop', { does: 'start a consult', what: 'shop' }],
  ])('may with the grant %s, and a refusal names it', (grant, act) => {
    expect(granted([], act)).toEqual({ allowed: false, grant });
    expect(granted([grant], act)).toEqual({ allowed: true, asks: false });
    expect(granted([`${grant}x`, `x${grant}`], act)).toEqual({ allowed: false, grant });
  });

  test('may name the server’s own agents as lead or advisor, but choose no model of them', () => {
    expect(granted([], { does: 'choose the advisor', what: 'codex' }).allowed).toBe(true);
    expect(granted([], { does: 'choose the advisor', what: 'codex:gpt-5' }).allowed).toBe(false);
  });

  test.each(['rehearsal:/dev/zero', 'rehearsal', './ai_client', '/etc/x', 'codex:/etc/passwd', 'codex:../x'])(
    'gets the agent %s by no grant, and a refusal names none',
    (what) => {
      for (const does of ['choose the advisor', 'choose the lead', 'converse with an agent'] as const) {
        const named = [`advisor:${what}`, `lead:${what}`];
        expect(granted(named, { does, what })).toEqual({ allowed: false, grant: null });
      }
    },
  );

  test('gets a model whose name has slashes by its grant', () => {
    const act: Act = { does: 'choose the advisor', what: 'openai_compatible:meta/llama-3' };
    expect(granted(['advisor:openai_compatible:meta/llama-3'], act).allowed).toBe(true);
  });

  test('gets nothing that the table grants to no tenant', () => {
    const all = ['run', 'apply', 'tool:x', 'lead:x', 'advisor:x', 'repo:x'];
    const never = Object.keys(rows)
      .filter(isDeed)
      .filter((does) => !granted(all, { does, what: 'x' }).allowed);
    expect(never).toEqual([
      'read the numbers of all runs',
      'drive a started run',
      'fix on a branch of ours',
      'read a pull request',
      'name a path',
      "run a provider's folder",
      'configure an agent',
      'allow a tool',
      'raise a limit',
      'write a new report',
      'write over a file',
      'use the command line',
    ]);
  });

  test('runs no command on a server that requires no token, and a refusal says that it must', () => {
    const act: Act = { does: 'run a command', what: 'Bash' };
    const refused = { allowed: false, grant: 'tool:Bash', needsToken: true };
    for (const grants of [[], ['tool:Bash']]) {
      expect(may({ ...guest, grants, isServerOpen: true }, act)).toEqual(refused);
    }
    const looking: Act = { does: 'use a tool that only reads', what: 'Read' };
    expect(may({ ...guest, grants: ['tool:Read'], isServerOpen: true }, looking).allowed).toBe(true);
  });

  test('behind a host has no more permissions than itself, and every edit asks first', () => {
    const act: Act = { does: 'run a command', what: 'Bash' };
    expect([may(behind([]), act), may(behind(['tool:Bash']), act)]).toEqual([
      { allowed: false, grant: 'tool:Bash' },
      { allowed: true, asks: true },
    ]);
  });
});

test('a grant is a word, or a kind with a name', () => {
  expect(['run', 'tool:Read', 'lead:anthropic:claude-x', 'repo:shop'].map(parseGrant)).toEqual([
    { kind: 'run', name: null },
    { kind: 'tool', name: 'Read' },
    { kind: 'lead', name: 'anthropic:claude-x' },
    { kind: 'repo', name: 'shop' },
  ]);
  const wrong = [
    '',
    'run:x',
    'tool',
    'tool:',
    'tool::Read',
    'tool:a b',
    'tool:a,b',
    'everything',
    'Run',
    'run\n',
  ];
  expect(wrong.filter((text) => grantPattern.test(text))).toEqual([]);
});

function granted(grants: readonly string[], act: Act) {
  return may({ ...guest, grants }, act);
}

function behind(grants: readonly string[]): Speaker {
  return { kind: 'host', behind: { ...guest, grants } };
}
