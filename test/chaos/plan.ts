/** Draws what happens in each round, by the seed. */
import { constantFrom, integer, noBias, record, sample } from 'fast-check';
import { seed } from '../setup/points.ts';

/** In turn. For some seconds after a restart of the database no run is taken over: the fault that follows ends no process. */
export const faultNames = ['crash', 'cut', 'kill', 'stop'] as const;
export type FaultName = (typeof faultNames)[number];

export interface RoundPlan {
  readonly round: number;
  readonly fault: FaultName;
  /** The part of the records of the undisturbed runs after which the fault strikes, in percent. */
  readonly moment: number;
  readonly target: 'worker' | 'server' | 'both';
  /** The worker that it strikes. */
  readonly worker: number;
  /** Plays a run of phases instead of one of the reviews. */
  readonly hasPhases: boolean;
  /** The server that it strikes; questions are answered and a review is started on the other one. */
  readonly server: number;
  /** Strikes all members, keeps its victims away for longer, or kills a worker while the database is away. */
  readonly isHard: boolean;
  readonly answerBy: 'command' | 'server';
  /** The numbers of records after which the readers leave and come back. */
  readonly leaveAfter: readonly number[];
}

export interface FleetSize {
  readonly workers: number;
  readonly servers: number;
}

/**
 * Each kind of fault occurs in four rounds that follow each other. One of the four has a run of phases, which takes as long as
 * two reviews: in sixteen rounds, each kind of fault meets one.
 */
export function drawRounds(count: number, { workers, servers }: FleetSize): readonly RoundPlan[] {
  const draws = record({
    moment: noBias(integer({ min: 0, max: 80 })),
    target: constantFrom('worker' as const, 'worker' as const, 'both' as const, 'server' as const),
    worker: noBias(integer({ min: 0, max: workers - 1 })),
    server: noBias(integer({ min: 0, max: servers - 1 })),
    isHard: constantFrom(true, false),
    answerBy: constantFrom('command' as const, 'server' as const),
    leaveAfter: record({
      early: noBias(integer({ min: 1, max: 20 })),
      late: noBias(integer({ min: 21, max: 60 })),
    }),
  });
  return sample(draws, { seed, numRuns: count }).map(({ leaveAfter, ...draw }, index) => ({
    ...draw,
    round: index + 1,
    hasPhases: index % faultNames.length === Math.floor(index / faultNames.length) % faultNames.length,
    fault: faultNames[(index + seed) % faultNames.length] ?? 'kill',
    leaveAfter: [leaveAfter.early, leaveAfter.late],
  }));
}
