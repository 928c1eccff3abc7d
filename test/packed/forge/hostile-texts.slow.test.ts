/** Hostile texts in findings, paths and commands, through the installed `collab publish` and `collab comment`: they stay text. */
import { onTestFinished } from 'vitest';
import { diffOf, findingOn, headOf, roundResult } from '../../../src/forge/round/rounds.test-helper.ts';
import { hostileBodies } from '../../../src/views/rounds/hostile-bodies.test-helper.ts';
import { markdownParts } from '../../fixtures/reports/markdown-parts.ts';
import { startGithubPull } from '../../forge/github-pull.ts';
import { startGitlabMergeRequest } from '../../forge/gitlab-merge-request.ts';
import { test } from '../place.ts';

/** The part of a host that the tests read. */
interface Host {
  readonly env: Readonly<Record<string, string>>;
  /** The address of the pull request. */
  readonly address: string;
  /** The addresses of comments begin with it. */
  readonly comments: string;
  /** All texts that `collab` wrote, with those of its proof. */
  readonly written: () => readonly string[];
  /** Returns the words that name the new comment. */
  readonly say: (body: string, author: 'anna' | 'stranger') => string;
}

const path = 'src/[x](javascript:alert(1)) @all <b>.ts';
const lines = hostileBodies.map((_, index) => `const line${index} = ${index};`);
const files = { [path]: lines };
const found = hostileBodies.map((text, index) =>
  findingOn({
    path,
    line: index + 1,
    quote: lines[index] ?? '',
    title: text,
    body: text,
    remedy: text,
    evidence: text,
  }),
);

const hosts: Readonly<Record<string, () => Promise<Host>>> = {
  async GitHub() {
    const pull = await startGithubPull({
      head: headOf(1),
      diff: diffOf(files),
      permissions: { anna: 'write' },
    });
    onTestFinished(() => pull.close());
    return {
      env: pull.env,
      address: `${pull.url}/shop/till/pull/7`,
      comments: 'https://github.example/',
      written: () =>
        [...pull.threads().flatMap(({ comments }) => comments), ...pull.comments()]
          .filter(({ author }) => author !== 'anna' && author !== 'stranger')
          .map(({ body }) => body)
          .concat(pull.checks().map(({ output }) => output.summary)),
      say: (body, author) => `issuecomment-${pull.say(body, author)}`,
    };
  },
  async GitLab() {
    const authors = { anna: 11, stranger: 12 };
    const world = await startGitlabMergeRequest({
      head: headOf(1),
      diff: diffOf(files),
      levels: { [authors.anna]: 30 },
    });
    onTestFinished(() => world.close());
    return {
      env: world.env,
      address: `${world.url}/shop/till/-/merge_requests/7`,
      comments: `${world.url}/shop/till/-/merge_requests/7#note_`,
      written: () =>
        world
          .discussions()
          .flatMap(({ notes }) => notes)
          .filter(({ author }) => !Object.values(authors).includes(author))
          .map(({ body }) => body),
      say: (body, author) => `note_${world.say(body, authors[author])}`,
    };
  },
};

test.for(Object.entries(hosts))(
  '40 hostile texts and a hostile path are text on %s, and nothing is doubled',
  { timeout: 180_000 },
  async ([, open], { place, expect }) => {
    const host = await open();
    const result = roundResult(files, found);
    place.write('review.json', JSON.stringify({ ...result, input: { ...result.input, head: headOf(1) } }));
    const publish = () => place.collab(['publish', 'review.json', host.address], { env: host.env });
    expect(await publish()).toMatchObject({ code: 0, stderr: '' });
    const { length } = host.written();
    expect(length).toBeGreaterThan(hostileBodies.length);
    expect(await publish()).toMatchObject({ code: 0, stderr: '' });
    expect(host.written().length - length).toBeLessThan(2);

    const dismissal = hostileBodies.find((text) => text.startsWith('![pixel]')) ?? '';
    const say = (author: 'anna' | 'stranger') =>
      place.collab(
        ['comment', host.address, host.say(`/collab dismiss 1 ${dismissal} @octocat <b>`, author)],
        { env: host.env },
      );
    const before = host.written();
    expect(await say('stranger')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nothing is done'),
    });
    expect(host.written()).toEqual(before);
    expect(await say('anna')).toMatchObject({ code: 0, stderr: '' });
    expect(host.written()).not.toEqual(before);

    for (const text of host.written()) {
      // Our own marks begin a text, and may be invisible.
      const { images, html, links, suggestions, prose } = markdownParts(
        text.replace(/^(?:<!-- collab:[^]*? -->\n+)+/, ''),
      );
      expect(html.filter((one) => !isProof(one))).toEqual([]);
      expect(images).toEqual([]);
      expect(links.filter((link) => !link.startsWith(host.comments))).toEqual([]);
      expect(suggestions).toEqual([]);
      expect(prose).not.toMatch(/@\w|\/\/evil/);
      expect(text).not.toMatch(/^\s*(?:::|##\[|\/\w)/m);
    }
  },
);

/** The fold around the proof of a summary. */
function isProof(html: string): boolean {
  return html === '<details>\n<summary>Proof</summary>' || html === '</details>';
}
