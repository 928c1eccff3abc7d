/** Refuses the server's requests for approval and user input: no user is present, and no permission may be widened. */
import { z } from 'zod';
import type { EventBody } from '../../../events/collab-event.ts';
import { advisorOnlyReads } from '../../../prompts/conversation/loop-notices.ts';
import type { Rpc, ServerRequest } from './rpc.ts';

/** One refusal per method, in the form that the method requires (codex app-server, 0.169). */
const refusals: Readonly<Record<string, unknown>> = {
  'item/commandExecution/requestApproval': { decision: 'decline' },
  'item/fileChange/requestApproval': { decision: 'decline' },
  'item/permissions/requestApproval': { permissions: {}, scope: 'turn' },
  'item/tool/requestUserInput': { answers: {} },
  'item/tool/call': { contentItems: [{ type: 'inputText', text: advisorOnlyReads }], success: false },
  'mcpServer/elicitation/request': { action: 'decline', content: null, _meta: null },
  applyPatchApproval: { decision: { denied: { rejection: advisorOnlyReads } } },
  execCommandApproval: { decision: { denied: { rejection: advisorOnlyReads } } },
};

const aboutCall = z.looseObject({ itemId: z.string().nullish(), callId: z.string().nullish() });

/** Refuses the request and returns an event about it. */
export function refuseRequest(rpc: Rpc, request: ServerRequest): EventBody {
  const answer = refusals[request.method];
  if (answer === undefined) rpc.refuse(request.id, advisorOnlyReads);
  else rpc.answer(request.id, answer);
  const { itemId, callId } = aboutCall.safeParse(request.params).data ?? {};
  return { type: 'permission', call_id: itemId ?? callId ?? request.method, decision: 'deny', by: 'policy' };
}
