/** Removes all stores at drawn moments until it is ended, as `collab clean --all` does. */
import { removeStores } from '../../../src/git/store/prune.ts';

const [base = '', seed = '1'] = process.argv.slice(2);
let state = Number(seed);

function draw(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

async function clean(): Promise<void> {
  await removeStores(base);
  setTimeout(() => void clean(), draw(60));
}

void clean();
process.send?.('begun');
