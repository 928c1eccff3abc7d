/** An answerer over a bare model: the loop with all tools of the conversation. */
import { runLoop, type LoopEnd, type LoopOptions } from '../../loop/execution-loop.ts';
import { toModelMessages } from '../../providers/history/history-messages.ts';
import { toHistoryMessages } from '../../providers/history/messages-history.ts';
import type { RepeatRules } from '../../providers/contract/repeat-policy.ts';
import type { Profile } from '../../providers/profiles/profile.ts';
import { readAttachment } from '../../providers/history/read-attachment.ts';
import { createToolChooser } from '../../tools/definition/choose-tools.ts';
import type { OwnBudget } from '../calls/budget.ts';
import type { ConversationAnswerer, AnswerEnd, LeadName } from './answerer.ts';
import { modelWithin } from './budget.ts';
import { fenceAttached, fencingModel } from './tool-result-fences.ts';
import { newFenceSeed } from '../calls/fence-nonce.ts';

export interface ModelAnswererOptions extends Pick<
  LoopOptions,
  'model' | 'system' | 'tools' | 'policy' | 'limits' | 'clock'
> {
  /** Returns the profile of a model by its id; called only for attachments. */
  readonly profile: (model: string, provider: string) => Profile | null;
  readonly lead: LeadName;
  readonly budget: OwnBudget;
  readonly repeats: RepeatRules;
}

export function createModelAnswerer(options: ModelAnswererOptions): ConversationAnswerer {
  const { tools, lead, budget } = options;
  const model = fencingModel(options.model);
  const chooser = createToolChooser(tools);
  const name = model.identity.model ?? model.identity.provider;
  const seed = newFenceSeed();
  return {
    identity: model.identity,
    lead: { ...lead, model: model.identity.model ?? lead.model },
    async answer({ thread, callId, signal, emit, keep }) {
      const history = toModelMessages(thread, {
        model: name,
        attachment: (attached) =>
          fenceAttached(
            readAttachment(attached, options.profile(name, model.identity.provider)),
            `${seed}/${attached.url}`,
          ),
      });
      let kept = history.length;
      const end = await runLoop({
        ...options,
        model: modelWithin(budget, model, emit),
        chooser,
        history,
        callId,
        signal,
        emit,
        keep(now) {
          for (const message of now.slice(kept)) toHistoryMessages(message, name).forEach(keep);
          kept = now.length;
        },
      });
      return endOf(end);
    },
    close: () => model.close(),
  };
}

function endOf(end: LoopEnd): AnswerEnd {
  if (end.kind === 'answered') return { kind: 'answered' };
  const hint = end.kind === 'unavailable' ? end.hint : null;
  return { kind: 'failed', message: end.message, hint };
}
