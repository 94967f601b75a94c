import { onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { bearer } from '../row-parts/bearer.ts';

/** https://docs.meshy.ai/api/quick-start. Its versions stand behind `openapi`, so the base URL has none. */
export const meshy: Provider = defineProvider({
  id: 'meshy',
  documentation: 'https://docs.meshy.ai/api/quick-start',
  baseUrl: 'https://api.meshy.ai',
  credential: 'required',
  speaks: {},
  headers: bearer,
  // All that it has below this are tasks, which callers make for themselves.
  changesAccount: onlyAllows(
    ({ method, segments: [first] }) => first === 'openapi' && (method === 'POST' || method === 'DELETE'),
  ),
});
