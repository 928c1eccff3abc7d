/** Tools as the installed program runs them for a vendor's model: calls that cannot be run, calls without end, commands of a user. */
import { describe, expect, test } from 'vitest';
import { everyProvider } from '../contract/providers/every-provider.ts';
import { livedWorld, named, textOf } from './lived-world.ts';

describe.each(everyProvider)('$name', (fixture) => {
  const world = livedWorld(fixture);

  test('R004-14.1,2 R004-2.3 R000-13 a tool that does not exist is answered with those that do, the model corrects itself, and the chat hides the error', async () => {
    world().place.write('a.txt', 'the content\n');
    const steps = [
      { tools: [{ name: 'Reed', input: { file_path: 'a.txt' } }] },
      { tools: [{ name: 'Read', input: { file_path: 'a.txt' } }] },
      { text: 'I have read it.' },
    ];
    world().answer(steps);
    const events = await world().say('unknown');
    const [unknown, found] = named(events, 'tool_result').map(({ data }) => data);
    expect([unknown?.tool_name, unknown?.is_error]).toEqual(['Reed', true]);
    expect(unknown?.content).toMatch(/^There is no tool "Reed"\. There are .*\bRead\b/);
    expect([found?.is_error, found?.content]).toEqual([false, expect.stringContaining('the content')]);
    expect(world().requests()[1]).toContain('There is no tool \\"Reed\\"');
    expect(named(events, 'done')[0]?.data).toMatchObject({ status: 'success', result: 'I have read it.' });

    const { place, lead, env } = world();
    world().answer(steps);
    const { code, stdout } = await place.collab(['chat', ...lead], { input: 'Hello?\n', env });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/📖 Reading a\.txt\n {2}→ .*\n(?:.*\n)*I have read it\.\n/),
    ]);
    expect(stdout).not.toContain('There is no tool');
  });

  test('R004-8.2,3 X004-11 X000-13 two calls of one answer are each answered once, in their order, and on the screen each result is below its call', async () => {
    const files = ['one', 'two'].map((name) => ({
      name,
      path: `${name}.txt`,
      content: `the text of ${name}\n`,
    }));
    for (const { path, content } of files) world().place.write(path, content);
    const tools = files.map(({ path }) => ({ name: 'Read', input: { file_path: path } }));
    world().answer([{ text: 'I look.', tools }, { text: 'I have read both.' }]);
    expect(textOf(await world().say('two'))).toBe('I look.I have read both.');
    const [, second = ''] = world().requests();
    const places = files.map(({ name }) => second.indexOf(`the text of ${name}`));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    for (const { name } of files) expect(second.split(`the text of ${name}`)).toHaveLength(2);

    const { place, lead, env } = world();
    world().answer([{ text: 'I look.', tools }, { text: 'I have read both.' }]);
    const { stdout } = await place.collab(['chat', ...lead], { input: 'Hello?\n', env });
    expect(stdout.match(/^ {2}→ Read 1 lines$/gm)).toHaveLength(2);
    for (const { path } of files) expect(stdout).toContain(`📖 Reading ${path}\n  → Read 1 lines\n`);
    expect(stdout).not.toMatch(/→[^\n]*\n {2}→/);
  });

  test('X004-6.1,2 arguments that do not fit are an observation, and the answer goes on', async () => {
    world().answer([{ tools: [{ name: 'Read', input: { path: 7 } }] }, { text: 'I cannot.' }]);
    const events = await world().say('arguments');
    const [refused] = named(events, 'tool_result').map(({ data }) => data);
    expect([refused?.is_error, refused?.content]).toEqual([
      true,
      expect.stringMatching(/^The arguments of Read do not fit its schema: .*file_path/),
    ]);
    expect(world().requests()[1]).toContain('do not fit its schema');
    expect(textOf(events)).toBe('I cannot.');
    expect(named(events, 'error')).toEqual([]);
  });

  test('X004-7.2 a model that repeats a failing call is stopped after the third, and the run ends', async () => {
    world().answer([
      { text: 'I look again.', tools: [{ name: 'Read', input: { file_path: 'missing.txt' } }] },
    ]);
    const events = await world().say('again');
    expect(named(events, 'tool_result').map(({ data }) => data.is_error)).toEqual([true, true, true]);
    expect(world().requests()).toHaveLength(4);
    expect(events.at(-1)?.event).toBe('done');
  });

  test('X004-7.1 a model that never stops reading is stopped after 25 requests, and the run ends', async () => {
    world().place.write('a.txt', 'the content\n');
    world().answer([{ text: 'Again.', tools: [{ name: 'Read', input: { file_path: 'a.txt' } }] }]);
    const events = await world().say('endless');
    expect(world().requests()).toHaveLength(25);
    expect(events.at(-1)?.event).toBe('done');
  });

  test('R004-1.1 X004-1.1,2 X004-3.1 a command of a user runs the tool without the model', async () => {
    const { place, lead, env } = world();
    place.write('with space.txt', 'the content\n');
    world().answer([{ text: 'unasked' }]);
    const { code, stdout } = await place.collab(['chat', ...lead], {
      input: '/read "with space.txt"\n',
      env,
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining('the content')]);
    expect(world().requests()).toEqual([]);
  });
});
