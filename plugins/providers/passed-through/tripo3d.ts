import { onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { bearer } from '../shared/bearer.ts';

/** Tasks and uploads belong to callers. `/upload` and `/upload/sts` are checked without their first segment. */
const own: ReadonlySet<string> = new Set(['task', 'sts', '']);

/** https://platform.tripo3d.ai/docs/generation */
export const tripo3d: Provider = defineProvider({
  id: 'tripo3d',
  documentation: 'https://platform.tripo3d.ai/docs/generation',
  baseUrl: 'https://api.tripo3d.ai/v2/openapi',
  credential: 'required',
  speaks: {},
  headers: bearer,
  changesAccount: onlyAllows(({ method, segments: [first = ''] }) => method === 'POST' && own.has(first)),
});
