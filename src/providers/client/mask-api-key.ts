/** Returns a key that is safe to show: `sk-...abc123` (X003-18). */
export function maskApiKey(key: string): string {
  return key.length < 12 ? '***' : `${key.slice(0, 3)}...${key.slice(-6)}`;
}
