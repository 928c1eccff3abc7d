/** A conversation that is ended at any moment leaves the terminal as it was, whatever its width. */
import { stringify } from 'yaml';
import { test, type Place } from '../packed/place.ts';
import { openTerminal, type TerminalOptions } from '../packed/terminal.ts';
import { processesNaming } from '../setup/process-table.ts';
import { pointsFrom, somePoints } from '../setup/points.ts';

const live = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]|thinking|starting/;

const words = ['remaining', 'distributes', 'assumptions', 'requirements', 'implementation', 'conversation'];
const call = { name: 'Write', input: { file_path: 'note.txt', content: 'one\n' } };

/** The lead never finishes: it waits, or its question about a call does. */
const leads = {
  silent: [{ when: { work: 'converse' }, fault: 'never' }],
  asking: [{ when: { work: 'converse' }, messages: [{ text: 'I write.' }, { call }], answer: 'Done.' }],
  speaking: [
    { when: { work: 'converse' }, answer: `# Facts\n\n${`${words.join(' ')} and `.repeat(8)}so on.\n` },
  ],
} as const;

function chat(place: Place, lead: keyof typeof leads, options: TerminalOptions = {}) {
  place.write('lead.yaml', stringify({ agent: { name: 'Lead', model: 'm1' }, turns: leads[lead] }));
  return openTerminal(place, ['chat', '--lead', 'rehearsal:lead.yaml'], options);
}

/** Numbers of bytes written: before the prompt, while the user types, and during the answer. */
const moments = pointsFrom(1, 50).flatMap((point) =>
  (['silent', 'asking'] as const).map((lead) => ({ bytes: point * 50, lead })),
);

test(
  'Ctrl-C at any moment of a conversation, until it ends, restores the terminal and leaves no process',
  { timeout: 600_000 },
  async ({ place, expect }) => {
    for (const { bytes, lead } of somePoints(moments, 6)) {
      const terminal = await chat(place, lead);
      await terminal.types('write it', 'Enter');
      const isReached = () =>
        terminal.written().length >= Math.max(1, bytes) || terminal.written().includes('Enter confirms');
      await expect.poll(isReached, { timeout: 30_000, interval: 5 }).toBe(true);
      // One stops the answer, two end the conversation.
      await expect
        .poll(
          async () => {
            const screen = await terminal.screen();
            // A key after the end would be for the shell.
            if (!/left with|to continue:/.test(screen)) await terminal.types('C-c');
            return screen;
          },
          { timeout: 30_000, interval: 300 },
        )
        .toMatch(/^(?:\^C)*left with (?:0|130)/m);
      expect(await terminal.screen()).not.toMatch(live);
      expect(await terminal.modes()).toEqual({
        echoes: true,
        showsCursor: true,
        isAlternate: false,
        bracketsPaste: false,
      });
      await expect.poll(() => processesNaming(place.command)).toEqual([]);
      expect(place.names()).not.toContain('note.txt');
    }
  },
);

test(
  'no word of a conversation is broken at 40 to 200 columns',
  { timeout: 600_000 },
  async ({ place, expect }) => {
    for (const columns of somePoints(pointsFrom(40, 200), 4)) {
      const terminal = await chat(place, 'speaking', { columns });
      await terminal.sees(/^>/m);
      await terminal.types('say it', 'Enter');
      await terminal.sees(/so on\.\s+>/);
      const lines = (await terminal.screen()).split('\n').map((line) => line.trim());
      const said = lines.slice(lines.findIndex((line) => line === 'Facts') + 1);
      const shown = said.flatMap((line) => line.split(' ')).filter((word) => /^[a-z]{5,}$/.test(word));
      expect([columns, shown.filter((word) => !words.includes(word) && word !== 'context')]).toEqual([
        columns,
        [],
      ]);
      expect(shown.length).toBeGreaterThan(40);
      await terminal.types('C-d');
      await terminal.sees('left with 0');
    }
  },
);
