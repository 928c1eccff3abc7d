/** Reviews a working tree several times, and prints the differences. */
import { reviewRounds } from './review-rounds.ts';

const [root = '', mark = '', rounds = '0'] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await reviewRounds({ root, env: process.env, mark }, Number(rounds))));
