/** Every route keeps the published document, whatever a caller sends: the document is what clients are written from. */
import { array, nat, noBias, sample } from 'fast-check';
import { localTenant } from '../../../src/access/speaker.ts';
import { expect, test } from 'vitest';
import { seed } from '../../setup/points.ts';
import { contractWorld, type ContractWorld } from './contract-world.ts';
import { documentedRoutes, type DocumentedRoute } from './documented-api.ts';
import { bodyShapes } from './drawn-body.ts';
import { drawRequest, type DrawnRequest } from './drawn-request.ts';
import { sendRequest } from './send-request.ts';

const count = Number(process.env['TEST_REQUESTS'] ?? 400);

test.each([
  ['a server on loopback', false],
  ['a server that requires tokens', true],
])(
  'X002-8.4 %s answers as its document says, to anybody and anything',
  { timeout: 60_000 + count * 200 },
  async (_name, requiresToken) => {
    const world = await contractWorld(requiresToken);
    const routes = documentedRoutes((await world.ask('/openapi.json')).json());
    const draws = sample(noBias(array(nat(), { minLength: 24, maxLength: 24 })), {
      seed,
      numRuns: Math.ceil(count / 2),
    });
    const planned: readonly Planned[] = [
      // One that is right in every part, and each shape of a body in one that is right otherwise.
      ...routes.map((route) => ({ route, numbers: [0], shape: 'whole' })),
      ...routes
        .filter(({ takesBody }) => takesBody)
        .flatMap((route) => bodyShapes.map((shape) => ({ route, numbers: [0], shape }))),
      ...draws.flatMap((numbers, index) =>
        routes
          .slice(index % routes.length)
          .slice(0, 1)
          .map((route) => ({ route, numbers })),
      ),
    ];
    const faults: string[] = [];
    const seen = new Map<string, number>();
    for (const { route, numbers, shape } of planned) {
      await world.refill();
      let place = 0;
      const next = (): number => numbers[place++ % numbers.length] ?? 0;
      const request = drawRequest(world, route, next, shape);
      const found = await faultsOf(world, route, request, seen);
      faults.push(...found.map((fault) => `${describe(request)}: ${fault}`));
    }
    expect({ seed, faults, own: world.faults }).toEqual({ seed, faults: [], own: [] });
    const reached = new Set(
      [...seen.keys()].filter((key) => / 20\d$/.test(key)).map((key) => key.slice(0, -4)),
    );
    expect(
      routes.map(({ method, path }) => `${method} ${path}`).filter((name) => !reached.has(name)),
    ).toEqual([]);
  },
);

interface Planned {
  readonly route: DocumentedRoute;
  readonly numbers: readonly number[];
  readonly shape?: string;
}

async function faultsOf(
  world: ContractWorld,
  route: DocumentedRoute,
  request: DrawnRequest,
  seen: Map<string, number>,
): Promise<readonly string[]> {
  const answer = await sendRequest(world.port, request).catch((error: unknown) => String(error));
  if (typeof answer === 'string') return [answer];
  const key = `${route.method} ${route.path} ${answer.status}`;
  seen.set(key, (seen.get(key) ?? 0) + 1);
  const { caller, tenant } = request;
  // A guarded route of no tenant is the owner's.
  const mayReach = !route.isGuarded || caller.isAnyone || caller.tenants.includes(tenant ?? localTenant);
  return [
    ...route.faultsOf(answer, request.body?.value),
    ...(answer.status < 400 && !mayReach ? [`${answer.status}, though it is ${caller.name}`] : []),
  ];
}

function describe({ method, path, caller, body }: DrawnRequest): string {
  const sent = body === null ? '' : ` with a body ${body.shape}: ${String(body.bytes?.subarray(0, 200))}`;
  return `${method} ${path} by ${caller.name}${sent}`;
}
