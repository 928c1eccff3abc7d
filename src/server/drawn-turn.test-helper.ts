import { orAborted } from '../loop/or-aborted.ts';
import { Deferred } from '../runs/deferred.ts';
import type { OpenStream, Turn } from './served.test-helper.ts';

/** The run that the specification draws: it stands still in its tool until the test lets it go. */
export function drawnTurn(): { readonly turn: Turn; readonly release: () => void } {
  const released = new Deferred<void>();
  return {
    release: () => released.resolve(),
    turn: async ({ emit, keep, signal }) => {
      emit({ type: 'turn.started' });
      emit({ type: 'state', state: 'thinking' });
      emit({ type: 'thinking.delta', block_id: 't', text: 'ユーザーの要求を分析しています...' });
      emit({ type: 'thinking.end', block_id: 't' });
      emit({ type: 'text.start', block_id: 'b1', follow_up: false });
      emit({ type: 'text.delta', block_id: 'b1', text: 'こんにちは！お手伝いします。' });
      emit({ type: 'text.end', block_id: 'b1', text: 'こんにちは！お手伝いします。' });
      emit({
        type: 'tool.call',
        call_id: 'tool-use-uuid',
        name: 'Read',
        display_name: 'Read',
        args: { file_path: '/path/to/file.py' },
        summary: '/path/to/file.py',
        trigger: 'agent',
      });
      emit({ type: 'tool.status', call_id: 'tool-use-uuid', status: 'running', message: '' });
      await orAborted(released.promise, signal);
      emit({ type: 'tool.status', call_id: 'tool-use-uuid', status: 'completed', message: '' });
      emit({
        type: 'tool.result',
        call_id: 'tool-use-uuid',
        name: 'Read',
        content: 'ファイルの内容プレビュー...',
        is_error: false,
        duration_ms: 3,
      });
      emit({ type: 'text.start', block_id: 'b2', follow_up: true });
      emit({ type: 'text.delta', block_id: 'b2', text: '完了しました。' });
      emit({ type: 'text.end', block_id: 'b2', text: '完了しました。' });
      const usage = {
        model: 'model-1',
        input: 1500,
        output: 500,
        cache_read: 200,
        cache_write_5m: 15_000,
        cache_write_1h: 0,
        cost: 0.0075,
        cost_basis: 'profile',
      } as const;
      emit({ type: 'usage', ...usage });
      emit({ type: 'turn.ended', stop_reason: 'end_turn', usage });
      keep({ role: 'assistant', content: '完了しました。' });
      return { kind: 'answered' };
    },
  };
}

/** Until its tool runs. */
export async function untilRunning({ frames }: Pick<OpenStream, 'frames'>): Promise<void> {
  while (!frames().some(({ data }) => data.includes('"tool_status":"running"'))) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
