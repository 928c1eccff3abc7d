import type { ReviewStart, StartDefaults, StartRequest } from './start-request.ts';

/** A request, with the owner's choices for what it leaves out. */
export type WholeRequest = Omit<ReviewStart, 'kind' | 'changes'>;

export function withDefaults(request: StartRequest, defaults: StartDefaults = {}): WholeRequest {
  const own = Object.entries(request).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(own) };
}
