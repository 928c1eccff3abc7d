/** Where a server listens, and what that asks of its callers (DESIGN §9). */
import { isIP } from 'node:net';

/** Only who is on this machine reaches it. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (name === 'localhost' || name === '::1') return true;
  return isIP(name) === 4 && name.startsWith('127.');
}
