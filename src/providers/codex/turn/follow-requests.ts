/** Follows Codex's requests to its model, which it does not report: when one goes out, and when its answer begins. */
import type { TurnWatch } from '../../program/turn-watch.ts';
import { toolName } from './tool-events.ts';
import type { WireItem, WireNotification } from './wire.ts';

/**
 * A request goes out when the turn starts, and again when an answer has ended and all its tools are done. Codex shows
 * no part of an answer before its first item: neither the headers nor `response.created` (0.169).
 */
export function createRequestFollower(
  watch: Pick<TurnWatch, 'begun' | 'requested' | 'heardModel'>,
): (notification: WireNotification) => void {
  const running = new Set<string>();
  let [begun, answering] = [false, false];

  function heardModel(): void {
    answering = true;
    watch.heardModel();
  }

  function nextRequest(): void {
    if (!answering && running.size === 0) watch.requested();
  }

  function hearItem(item: WireItem, isOver: boolean): void {
    if (item.type === 'userMessage') return;
    if (toolName(item) === null) return heardModel();
    if (!isOver) {
      running.add(item.id);
      return heardModel();
    }
    running.delete(item.id);
    nextRequest();
  }

  return ({ method, params }) => {
    if (method === 'turn/started') {
      begun = true;
      watch.begun();
    }
    if (!begun) return; // A resumed conversation reports its past usage again.
    switch (method) {
      case 'item/started':
        return hearItem(params.item, false);
      case 'item/completed':
        return hearItem(params.item, true);
      case 'item/agentMessage/delta':
      case 'item/reasoning/summaryTextDelta':
      case 'item/reasoning/textDelta':
      case 'turn/plan/updated':
        return heardModel();
      case 'thread/tokenUsage/updated':
        watch.heardModel();
        answering = false;
        return nextRequest();
      default:
    }
  };
}
