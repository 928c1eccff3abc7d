/** Fills a folder with many files by threads of the given program, and prints the files that are missing. */
import { join } from 'node:path';
import { fillWith, manyFiles, openScratchStore } from './trees.ts';

const [base = '', run = '', program = ''] = process.argv.slice(2);
const store = openScratchStore(base);
const unplaced = await fillWith(store, join(base, run), manyFiles, { program, fewest: 1 });
store.close();
process.stdout.write(JSON.stringify(unplaced));
