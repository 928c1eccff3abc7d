/** Where a tenant's server is, and how it is reached. */
export interface ServerAddress {
  readonly tenantId: string;
  /** What stands before `/api`; by default nothing: the page's own server. */
  readonly baseUrl?: string;
  /** Of every request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** By default the platform's. */
  readonly fetch?: typeof fetch;
}

export type AskInit = Pick<RequestInit, 'method' | 'body' | 'signal'> & {
  readonly headers?: Readonly<Record<string, string>>;
};

export type Ask = (path: string, init?: AskInit) => Promise<Response>;

/** Asks below `/api/tenants/{tenant}/`. */
export function tenantRequester({
  tenantId,
  baseUrl = '',
  headers,
  fetch: fetchFrom = fetch,
}: ServerAddress): Ask {
  const base = `${baseUrl}/api/tenants/${encodeURIComponent(tenantId)}`;
  return (path, init) => fetchFrom(`${base}/${path}`, { ...init, headers: { ...headers, ...init?.headers } });
}

/** What makes a body of JSON. */
export function jsonBody(value: unknown): Required<Pick<AskInit, 'method' | 'body' | 'headers'>> {
  return { method: 'POST', body: JSON.stringify(value), headers: { 'content-type': 'application/json' } };
}
