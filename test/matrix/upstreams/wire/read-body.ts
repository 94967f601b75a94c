import type { ReceivedRequest } from '../../../support/servers/upstream-server.ts';
import { type Members, members, type Nulls } from './members.ts';
import { refusal } from './refusal.ts';

/** Reads the body of a request that the vendor routes to an operation. */
export const readBody = (request: ReceivedRequest, path: RegExp, nulls: Nulls = 'refused'): Members => {
  const [pathname = ''] = request.path.split('?');
  if (request.method !== 'POST' || !path.test(pathname))
    throw refusal(request.path, `${request.method} is not an operation of this vendor.`);
  if (request.header('content-type')?.startsWith('application/json') !== true)
    throw refusal('content-type', 'must be application/json.');
  return members(request.json(), '', nulls);
};
