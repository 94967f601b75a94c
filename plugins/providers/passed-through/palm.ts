import { endsInCall } from '../../sdk/provider/account-changes/changes-account.ts';
import { onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { keyInHeader } from '../shared/key-in-header.ts';

/** The API before Gemini's, for configs that still name it: https://developers.generativeai.google/docs/api_versions */
export const palm: Provider = defineProvider({
  id: 'palm',
  documentation: 'https://developers.generativeai.google/docs/api_versions',
  closed: '2024-08-15',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta3',
  credential: 'required',
  speaks: {},
  headers: keyInHeader('x-goog-api-key'),
  changesAccount: onlyAllows(({ method, segments }) => method === 'POST' && endsInCall(segments)),
  unconfirmed: ['closed'],
});
