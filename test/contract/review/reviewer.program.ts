/**
 * Reviews a working tree several times, and prints the differences. With a number, it is killed before the change of the
 * file system with that number.
 */
import { killAtChange } from '../store/kill-at-change.ts';
import { reviewRounds } from './review-rounds.ts';

const [root = '', mark = '', rounds = '0', killedAt = '0'] = process.argv.slice(2);
const changes = killAtChange(Number(killedAt));
const reviewed = await reviewRounds({ root, env: process.env, mark }, Number(rounds));
process.stdout.write(JSON.stringify({ ...reviewed, changes: changes() }));
