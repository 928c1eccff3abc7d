/** The documented way, as in the help: the server is started, and curl streams a run to its end. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe } from 'vitest';
import { test, type Place } from '../place.ts';
import { formOf } from '../../../src/server/served.test-helper.ts';
import { serve, streamOf, type Served } from './served.ts';

const run = promisify(execFile);

/** The command of the help, sent to the server's address. */
async function documentedCurl({ collab }: Place, url: string): Promise<string> {
  const { stdout } = await collab(['serve', '--help']);
  const [, command] = /^ {2}(curl -N [^\n]*\\\n[^\n]*)$/m.exec(stdout) ?? [];
  if (command === undefined) throw new Error(`the help names no curl: ${stdout}`);
  return command.replace(/http:\/\/127\.0\.0\.1:\d+/, url);
}

function changedRepository({ git, write }: Place): void {
  git('init', '--quiet');
  write('total.ts', 'export const total = 1;\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  write('total.ts', 'export const total = 2;\n');
}

/** The data of the last event of a new conversation's first stream. */
async function lastDone(served: Served): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(streamOf(served, `of-${served.pid()}`), {
    method: 'POST',
    body: formOf('Hello?'),
  });
  const [, data = ''] = /^event: done\nid: .*\ndata: (.*)$/m.exec(await response.text()) ?? [];
  return JSON.parse(data);
}

describe.concurrent('collab serve', () => {
  test('the documented curl streams a rehearsed run to done, which the command line then lists', async ({
    place,
    expect,
  }) => {
    const advisor = place.rehearsal('pattern-1');
    changedRepository(place);
    const served = await serve(place, ['--advisor', advisor]);
    const { stdout } = await run('sh', ['-c', await documentedCurl(place, served.url)]);
    const events = [...stdout.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
    expect(events.slice(0, 2)).toEqual(['init', 'subagent_start']);
    expect(stdout.match(/^data: .*error_type.*$/m)?.[0]).toBeUndefined();
    expect(events.slice(-3)).toEqual(['subagent_end', 'title', 'done']);
    expect(stdout).toMatch(/^data: .*"status":"success"/m);
    expect(place.runs().length).toBe(1);
    const shown = await place.collab(['status']);
    expect(shown.stdout).toContain('clean');
  });

  test('X002-22.1,2 a stream ends with the messages of its run, unless the server was told to leave them out', async ({
    place,
    expect,
  }) => {
    place.write('script.yaml', 'turns: [{ when: { role: lead }, answer: Yes. }]\n');
    const lead = ['--lead', 'rehearsal:script.yaml'];
    const ends = [
      await lastDone(await serve(place, lead)),
      await lastDone(await serve(place, [...lead, '--no-messages'])),
    ];
    expect(ends).toMatchObject([{ result: 'Yes.' }, { result: 'Yes.' }]);
    expect(ends[0]?.['messages']).toMatchObject([{ content: 'Hello?' }, { content: 'Yes.' }]);
    expect(ends[1]).not.toHaveProperty('messages');
    expect(ends[1]).not.toHaveProperty('messages_omitted');
  });

  test('the page is served with a policy that lets it load nothing from elsewhere', async ({
    place,
    expect,
  }) => {
    const served = await serve(place);
    const response = await fetch(served.url);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const script = /<script [^>]*src="([^"]+)"/.exec(await response.text())?.[1] ?? '';
    expect((await fetch(new URL(script, served.url))).headers.get('content-type')).toContain('javascript');
  });

  test('an invalid port, and one in use, are one clear line', async ({ place, expect }) => {
    const wrong = await place.collab(['serve', '--port', '99999']);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/^collab: --port needs a port, not "99999"\n {2}.*\n$/),
    ]);
    const served = await serve(place);
    const taken = await place.collab(['serve', '--port', new URL(served.url).port]);
    expect([taken.code, taken.stderr]).toEqual([
      2,
      expect.stringMatching(/^collab: The server cannot listen at .*EADDRINUSE.*\n {2}/),
    ]);
  });
});
