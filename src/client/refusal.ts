import { parseJson } from '../text/parse-json.ts';
import { hasFields } from './read-json.ts';

/** A refusal by the server: its message and what to do about it. */
export interface ServerRefusal {
  /** The HTTP status. */
  readonly status: number;
  readonly detail: string;
  readonly hint: string | null;
}

const refusals = new WeakMap<object, ServerRefusal>();

/** Builds an error from the server's refusal; `refusalIn` reads it back. */
export async function errorOfResponse(response: Response): Promise<Error> {
  const problem = parseJson(await response.text().catch(() => ''));
  const said = hasFields(problem, { detail: 'string' }) ? problem : {};
  const detail = typeof said['detail'] === 'string' ? said['detail'] : `HTTP error: ${response.status}`;
  const hint = typeof said['hint'] === 'string' ? said['hint'] : null;
  const error = new Error(detail);
  refusals.set(error, { status: response.status, detail, hint });
  return error;
}

/** Returns the refusal in an error, or null if the error did not come from the server: a network error or a bug. */
export function refusalIn(error: unknown): ServerRefusal | null {
  return typeof error === 'object' && error !== null ? (refusals.get(error) ?? null) : null;
}
