/** The program of the threads that fill folders; `dist/placer.js` in the package. */
import { answerCalls } from '../../system/thread-queue.ts';
import { placeFunctions } from './put-files.ts';

answerCalls(placeFunctions);
