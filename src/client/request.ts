/** The address of a tenant's server and the way to reach it. */
export interface ServerAddress {
  readonly tenantId: string;
  /** The URL before `/api`; empty by default, which means the page's own server. */
  readonly baseUrl?: string;
  /** Headers of every request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Defaults to the platform's `fetch`. */
  readonly fetch?: typeof fetch;
}

export type AskInit = Pick<RequestInit, 'method' | 'body' | 'signal'> & {
  readonly headers?: Readonly<Record<string, string>>;
};

export type Ask = (path: string, init?: AskInit) => Promise<Response>;

/** Sends requests below `/api/tenants/{tenant}/`. */
export function tenantRequester({
  tenantId,
  baseUrl = '',
  headers,
  fetch: fetchFrom = fetch,
}: ServerAddress): Ask {
  const base = `${baseUrl}/api/tenants/${encodeURIComponent(tenantId)}`;
  return (path, init) => fetchFrom(`${base}/${path}`, { ...init, headers: { ...headers, ...init?.headers } });
}

/** Builds a POST with a JSON body. */
export function jsonBody(value: unknown): Required<Pick<AskInit, 'method' | 'body' | 'headers'>> {
  return { method: 'POST', body: JSON.stringify(value), headers: { 'content-type': 'application/json' } };
}
