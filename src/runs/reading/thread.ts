/** The program of the threads that read long texts; `dist/reader.js` in the package. */
import { answerCalls } from '../../system/thread-queue.ts';
import { readings } from './readings.ts';

answerCalls(readings);
