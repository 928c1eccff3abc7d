import type { Engine } from '../../runs/engine/engine.ts';
import type { Session } from '../session.ts';

/** Returns the engine of a command. Loaded late: most starts of a run need none of it. */
export async function engineOf({
  clock,
  env,
  engine,
}: Pick<Session, 'clock' | 'env' | 'engine'>): Promise<Engine> {
  if (engine !== undefined) return engine;
  const { openEngine } = await import('../../runs/engine/open-engine.ts');
  return openEngine({ clock, env });
}
