import { type AllowedRequest, onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { bearer } from '../shared/bearer.ts';

/**
 * Predictions, including those of a model or of a deployment, and files belong to callers. Everything else belongs to the
 * account.
 */
const allows = ({ method, segments }: AllowedRequest): boolean => {
  const [first, , , part] = segments;
  if (first === 'files') return method === 'POST' || method === 'DELETE';
  if (method !== 'POST') return false;
  if (first === 'predictions') return segments.length === 1 || (segments.length === 3 && segments[2] === 'cancel');
  return (first === 'models' || first === 'deployments') && part === 'predictions' && segments.length === 4;
};

/** https://replicate.com/docs/reference/http */
export const replicate: Provider = defineProvider({
  id: 'replicate',
  documentation: 'https://replicate.com/docs/reference/http',
  baseUrl: 'https://api.replicate.com/v1',
  credential: 'required',
  speaks: {},
  headers: bearer,
  changesAccount: onlyAllows(allows),
});
