import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CollabError } from '../../errors/collab-error.ts';
import { hasCode } from '../../errors/has-code.ts';
import { makeFolder } from './in-folder.ts';
import { withStepBefore } from './step-before-call.test-helper.ts';
import { openToAppend, remove, writeAtomically, writeNew } from './write.ts';
import { placeOfUser, writeNamed } from './write-named.ts';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'collab-races-')));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A repository, reached through a link of the user, and a folder outside of it. */
function project() {
  const place = mkdtempSync(join(root, 'place-'));
  const [real, outside, spare] = [join(place, 'real'), join(place, 'outside'), join(place, 'spare')];
  for (const path of [real, outside, join(real, '.git'), join(real, 'way/deep')])
    mkdirSync(path, { recursive: true });
  for (const path of [join(outside, 'kept'), join(real, 'way/deep/kept')]) writeFileSync(path, 'kept');
  symlinkSync(real, join(place, 'link'));
  return {
    /** Below a folder that becomes a link. */
    below: (path: string) => join(place, 'link/way', path),
    realBelow: (path: string) => join(real, 'way', path),
    become() {
      if (existsSync(join(real, 'way'))) renameSync(join(real, 'way'), spare);
      symlinkSync(outside, join(real, 'way'));
    },
    leave: () => rmSync(join(real, 'way'), { recursive: true }),
    outside: () => [...readdirSync(outside), readFileSync(join(outside, 'kept'), 'utf8')],
  };
}

type Project = ReturnType<typeof project>;

const works: readonly (readonly [string, (place: Project) => void])[] = [
  ['a named file', ({ below }) => writeNamed(below('new'), 'new')],
  ['a named file that is there', ({ below }) => writeNamed(below('kept'), 'new')],
  ['a named file in a new folder', ({ below }) => writeNamed(below('made/deep/new'), 'new')],
  ['a named log', ({ below }) => openToAppend(placeOfUser(below('kept'))).append('new')],
  ['a file', ({ realBelow }) => writeAtomically(realBelow('kept'), 'new')],
  ['a new file', ({ realBelow }) => writeNew(realBelow('new'), 'new')],
  ['a log', ({ realBelow }) => openToAppend(realBelow('kept')).append('new')],
  ['a folder', ({ realBelow }) => makeFolder(realBelow('made/deep'))],
  ['a removal', ({ realBelow }) => remove(realBelow('kept'))],
];

test
  .runIf(process.platform === 'linux')
  .each(
    works.flatMap(([what, work]) => [[what, 'is there', work] as const, [what, 'is missing', work] as const]),
  )('%s of a folder that %s, and becomes a link at any moment, leads nowhere', (_what, state, work) => {
  for (let at = 1; ; at += 1) {
    const place = project();
    if (state === 'is missing') place.leave();
    let fault: unknown = null;
    const count = withStepBefore(
      at,
      () => place.become(),
      () => {
        try {
          work(place);
        } catch (error) {
          fault = error;
        }
      },
    );
    expect([at, ...place.outside()]).toEqual([at, 'kept', 'kept']);
    const isKnown = fault === null || fault instanceof CollabError || hasCode(fault, 'ENOENT', 'EEXIST');
    expect([at, isKnown, fault]).toEqual([at, true, fault]);
    if (count < at) return;
  }
});
