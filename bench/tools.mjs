// Choosing the tools of one turn among many, against writing all their definitions as JSON, which a request without a choice does.
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { heading, interleave, medianOf, ms, ratio, row, runsFrom, timed } from './measure.mjs';
import { repository } from './programs.mjs';

const runs = runsFrom(process.argv, 15);
const { createToolChooser } = await import(
  await bundle(join(repository, 'src/tools/definition/choose-tools.ts'))
);
const intent = { text: 'Make an invoice for the customer and send it by mail.', called: new Set() };
const repeats = 20;

heading(`the tools of one turn; ${runs} interleaved runs, the code warm`);
for (const count of [100, 1_000, 5_000]) {
  const tools = toolsOf(count);
  const chooser = createToolChooser(tools);
  const chosen = await chooser.choose(intent);
  if (chosen.length !== 16) throw new Error(`${chosen.length} tools were chosen`);
  const figures = await interleave(
    {
      json: () => timed(() => times(() => JSON.stringify(tools))),
      choice: () => timed(() => times(() => chooser.choose(intent))),
      index: () => timed(() => createToolChooser(tools).choose(intent)),
    },
    runs,
  );
  const [json, choice] = ['json', 'choice'].map((name) => medianOf(figures[name], 'wallMs') / repeats);
  const index = medianOf(figures.index, 'wallMs') - choice;
  row(
    `${count} tools`,
    `JSON of all ${ms(json)}`,
    `choice ${ms(choice)}`,
    ratio(choice / json),
    `index once ${ms(index)}`,
  );
}

async function times(work) {
  for (let index = 0; index < repeats; index += 1) await work();
}

function toolsOf(count) {
  const verbs = ['create', 'read', 'update', 'delete', 'list', 'send', 'merge', 'export', 'check', 'archive'];
  const things = [
    'invoice',
    'customer',
    'mail',
    'order',
    'report',
    'ticket',
    'branch',
    'image',
    'table',
    'event',
  ];
  return Array.from({ length: count }, (_, index) => {
    const [verb, thing] = [verbs[index % 10], things[Math.floor(index / 10) % 10]];
    return {
      name: `group${Math.floor(index / 100)}.${verb}${thing[0].toUpperCase()}${thing.slice(1)}`,
      description: `Goes to the ${thing} store number ${index} and will ${verb} what the caller names there.`,
      parameters: {
        type: 'object',
        properties: {
          [`${thing}Id`]: { type: 'string' },
          dryRun: { type: 'boolean' },
          note: { type: 'string' },
        },
        required: [`${thing}Id`],
      },
    };
  });
}
