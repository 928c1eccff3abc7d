/**
 * Fills, keeps, relinks and cleans a store, and is killed before the change of the file system with a given number;
 * with 0 it prints the number of changes.
 */
import { join } from 'node:path';
import { claimKept, giveBack } from '../../../src/git/store/kept-folder.ts';
import { pruneStore, pruneStores } from '../../../src/git/store/prune.ts';
import { killAtChange } from './kill-at-change.ts';
import { fillWith, openScratchStore, trees } from './trees.ts';

const [base = '', number = '0'] = process.argv.slice(2);
const changes = killAtChange(Number(number));

const weekMs = 8 * 24 * 60 * 60 * 1000;
const store = openScratchStore(base);
const [one, two] = [join(base, 'one'), join(base, 'two')];
await fillWith(store, one, trees.first);
await giveBack(store, one);
claimKept(store, two);
await fillWith(store, two, trees.second);
const { trees: lists } = store;
lists.put('a'.repeat(40), lists.latest() ?? lists.keep('b'.repeat(40), []));
await giveBack(store, two);
await pruneStore(store, Date.now() + weekMs);
await fillWith(store, one, trees.third);
await pruneStores(base, Date.now() + weekMs);
store.close();
process.stdout.write(String(changes()));
