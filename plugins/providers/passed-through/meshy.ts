import { type AllowedRequest, onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { bearer } from '../shared/bearer.ts';

/** The collections of tasks whose names are not like `text-to-3d`. */
const tasks: ReadonlySet<string> = new Set(['remesh', 'retexture', 'rigging', 'animations']);

/** Callers create tasks for themselves. */
const allows = ({ method, segments: [first = ''] }: AllowedRequest): boolean =>
  (method === 'POST' || method === 'DELETE') && (tasks.has(first) || /^[a-z]+(?:-[a-z]+)?-to-[a-z0-9]+$/.test(first));

/** https://docs.meshy.ai/api/quick-start. Its versions are side by side, so the base URL contains none. */
export const meshy: Provider = defineProvider({
  id: 'meshy',
  documentation: 'https://docs.meshy.ai/api/quick-start',
  baseUrl: 'https://api.meshy.ai/openapi',
  credential: 'required',
  speaks: {},
  headers: bearer,
  changesAccount: onlyAllows(allows),
});
