import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { MessageStep } from './messages-steps.ts';

/** False if the script breaks off here; `sayError` writes an error in the form of the vendor's stream. */
export async function goOn(
  step: MessageStep,
  response: ServerResponse,
  sayError: (error: NonNullable<MessageStep['streamError']>) => void,
): Promise<boolean> {
  await step.midway;
  if (step.cut === true) {
    // The bytes must be sent before the connection is destroyed.
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
