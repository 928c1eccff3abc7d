/** Memory figures of a process on Linux; elsewhere these throw. */
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';

/** The peak memory of the process since {@link forgetPeak}. */
export function peakBytes(pid: number): number {
  const kibibytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) * 1024;
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

export function openSockets(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith('socket:');
    } catch {
      // Closed in the meantime.
      return false;
    }
  }).length;
}
