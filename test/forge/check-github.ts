/** Compares requests to GitHub, and the answers of a loopback, with GitHub's own description of its two APIs. */
import type { ForgeServerOptions } from './forge-server.ts';
import { checkQuery } from './github-query.ts';
import { checkRest } from './github-rest.ts';

export const checkGithub: Required<ForgeServerOptions>['check'] = (request, answer) =>
  request.path.endsWith('/graphql')
    ? checkQuery(request, answer)
    : checkRest(request, request.path.replace(/^\/api\/v3(?=\/)/, ''), answer);
