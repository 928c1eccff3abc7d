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

  test('R004-1.1 X004-3.1 a command of a user runs the tool without the model', async () => {
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
