/** Returns a record's time, `ts`, in microseconds since 1970: exact until the year 2255. */
export function microsOf(ts: string): number {
  return Date.parse(`${ts.slice(0, 23)}Z`) * 1000 + Number(ts.slice(23, 26));
}
