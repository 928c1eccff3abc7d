import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { createPathHider } from './hide-paths.ts';

const machine = {
  cwd: '/srv/shop',
  home: '/srv/shop/.collab',
  env: { HOME: '/home/ann', XDG_STATE_HOME: '/var/state/ann' },
};

function shown(text: string, tenant = 'acme'): string {
  return createPathHider(machine)(tenant)?.(text) ?? text;
}

test.each([
  ['/srv/shop/.collab is a file', '… is a file'],
  ['rehearsal:/srv/shop/script.yaml', 'rehearsal:…/script.yaml'],
  ['"/srv/shop"', '"…"'],
  ['file:///srv/shop/a.ts:3', 'file://…/a.ts:3'],
  [String.raw`{"text":"one\n/srv/shop/a\t/srv/shop/b"}`, String.raw`{"text":"one\n…/a\t…/b"}`],
  ['/home/ann/.codex/auth.json', '…/.codex/auth.json'],
  ['/var/state/ann/collab/servers/1', '…/servers/1'],
  [`${tmpdir()}/collab-codex-Ab1/files/a.ts`, '…/files/a.ts'],
])('hides the machine’s folders from a guest: %s', (text, expected) => {
  expect(shown(text)).toBe(expected);
});

test.each([
  '/srv/shopping/a',
  'web/srv/shop/a',
  '/srv/other',
  '/home/anna',
  'https://x.example/srv/shop-old',
])('leaves other paths as they are: %s', (text) => {
  expect(shown(text)).toBe(text);
});

test('hides nothing from the owner', () => {
  expect(shown('/srv/shop/a', 'local')).toBe('/srv/shop/a');
});

test('a folder at the root stays in a change about it, but the files of collab in it do not', () => {
  const hide = createPathHider({ cwd: '/app', home: '/app/.collab', env: { HOME: '/root' } })('acme');
  const change = '+WORKDIR /app\n+COPY . /app/src\n+RUN rm -rf /root/.cache';
  expect(hide?.(change)).toBe(change);
  expect(hide?.('/app/.collab/runs/x is a link')).toBe('…/runs/x is a link');
});
