import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { withStepBefore } from '../../system/files/step-before-call.test-helper.ts';
import { writeInitFiles } from './init-files.ts';

test('a folder that becomes a link out of the project at any moment leads nowhere', () => {
  for (let at = 1; ; at += 1) {
    const folder = scratchFolder();
    const [root, outside] = [join(folder, 'root'), join(folder, 'outside')];
    for (const path of [root, outside]) mkdirSync(path);
    const files = [{ path: join(root, 'way/deep/file'), text: 'text', executable: false, inside: root }];
    let fault: unknown = null;
    const count = withStepBefore(
      at,
      () => {
        mkdirSync(root, { recursive: true });
        if (!readdirSync(root).includes('way')) symlinkSync(outside, join(root, 'way'));
      },
      () => {
        try {
          writeInitFiles(files);
        } catch (error) {
          fault = error;
        }
      },
    );
    expect([at, readdirSync(outside)]).toEqual([at, []]);
    expect([at, fault === null || fault instanceof CollabError]).toEqual([at, true]);
    if (count < at) return;
  }
});
