import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { MessageStep } from './messages-steps.ts';

/** False if the script breaks off here; `sayError` writes an error as the vendor's stream has it. */
export async function goOn(
  step: MessageStep,
  response: ServerResponse,
  sayError: (error: NonNullable<MessageStep['streamError']>) => void,
): Promise<boolean> {
  await step.midway;
  if (step.cut === true) {
    // The sent bytes must have left before the connection is torn down.
    if (response.writableNeedDrain) await once(response, 'drain');
    setImmediate(() => response.destroy());
  }
  if (step.streamError !== undefined) sayError(step.streamError);
  if (step.streamError !== undefined || step.endEarly === true) response.end();
  return !isBroken(step);
}

export function isBroken({ cut, endEarly, streamError, hang }: MessageStep): boolean {
  return cut === true || endEarly === true || streamError !== undefined || hang !== undefined;
}
