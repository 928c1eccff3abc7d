import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  scratchFolder,
  scratchRepository,
  type ScratchRepository,
} from '../../../test/fixtures/scratch-repository.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { rehearse, settledResult, wholeAnswer } from '../rehearsed-review.test-helper.ts';
import { findHeadTexts } from './head-texts.ts';

const rows = Array.from({ length: 300 }, (_, index) => `  option${index}: ${index},`);
const path = 'src/connection.ts';
/** The hunk shows the middle of an object, far from its first line, which does not parse. */
const before = ['export const agent = new Agent({', ...rows, '});', ''].join('\n');
const after = before.replace('option150: 150', 'rejectUnauthorized: false');

/** A repository whose last commit changes that line. */
function changedRepository(): ScratchRepository {
  const repository = scratchRepository();
  repository.write(path, before);
  repository.commit('base');
  repository.write(path, after);
  repository.commit('change');
  return repository;
}

const found = [`${path}:152 rule:tls-verification-off`];

async function findingsOf(options: Parameters<typeof rehearse>[0]): Promise<readonly string[]> {
  const { findings } = settledResult(await (await rehearse(options)).drive());
  return findings.map((finding) => `${finding.path}:${finding.start_line} ${finding.source}`);
}

describe('the rules read the whole files of', () => {
  test.each([
    ['a review by rules alone', { turns: [], advisor: 'static_review' }],
    ['a review by a model', { turns: [{ answer: wholeAnswer }], assurance: 'model' }],
  ] as const)('a commit, in %s', async (_what, options) => {
    expect(await findingsOf({ ...options, repository: changedRepository() })).toEqual(found);
  });

  test('a renamed file', async () => {
    const repository = changedRepository();
    repository.git('mv', path, 'src/moved.ts');
    repository.write('src/moved.ts', after.replace('option151: 151', 'strictSSL: false'));
    repository.commit('move');
    const findings = await findingsOf({ turns: [], advisor: 'static_review', repository });
    expect(findings).toEqual(['src/moved.ts:153 rule:tls-verification-off']);
  });

  test('a diff from elsewhere, if the repository has the file that it names by its digest', async () => {
    const repository = changedRepository();
    const diff = repository.git('diff', 'HEAD^', 'HEAD');
    const options = { turns: [], advisor: 'static_review', diff, cwd: repository.root };
    expect(await findingsOf(options)).toEqual(found);
    repository.write(path, `${after}// later\n`);
    expect(await findingsOf(options)).toEqual([]);
  });
});

describe('the text of a file for a diff from elsewhere', () => {
  test('is read with a short digest of git, and for no other digest', async () => {
    const repository = changedRepository();
    const digest = digestOf(repository);
    expect(await headOf(repository.root, digest.slice(0, 7))).toBe(after);
    expect(await headOf(repository.root, digest.slice(0, 6))).toBeNull();
    expect(
      await headOf(
        repository.root,
        digest.replace(/^./, (char) => (char === '0' ? '1' : '0')),
      ),
    ).toBeNull();
  });

  test('is not read through a link out of the repository, or without a repository', async () => {
    const [repository, folder] = [scratchRepository(), scratchFolder()];
    writeFileSync(join(folder, 'other.ts'), after);
    mkdirSync(join(repository.root, 'src'));
    symlinkSync(join(folder, 'other.ts'), join(repository.root, path));
    const digest = digestOf(repository);
    expect(await headOf(repository.root, digest)).toBeNull();
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, path), after);
    expect(await headOf(folder, digest)).toBeNull();
  });
});

async function headOf(cwd: string, digest: string): Promise<string | null> {
  const { files } = parseUnifiedDiff(
    `diff --git a/${path} b/${path}\nindex 1111111..${digest} 100644\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`,
  );
  return (await findHeadTexts(cwd, files))(path);
}

function digestOf(repository: ScratchRepository): string {
  return repository.git('hash-object', path).trim();
}
