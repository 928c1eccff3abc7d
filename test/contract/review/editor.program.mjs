// Edits, adds and removes files of a repository until it is ended: the order follows from the seed, the moments from the system.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [root = '', seed = '1'] = process.argv.slice(2);
let state = Number(seed);
const draw = (below) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

function edit() {
  const index = draw(48);
  const path = join(root, `src/${index % 4}/${index}.txt`);
  mkdirSync(dirname(path), { recursive: true });
  if (draw(6) === 0) rmSync(path, { force: true });
  else writeFileSync(path, `${index} ${draw(1_000_000)}\n`);
  setTimeout(edit, draw(4));
}

edit();
process.send('begun');
