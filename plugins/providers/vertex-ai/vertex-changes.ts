import { endsInCall } from '../../sdk/provider/account-changes/changes-account.ts';
import { type AllowedRequest, onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import type { ChangesAccount } from '../../sdk/provider/account-changes/passed-request.ts';

/** What callers make for themselves: `projects/p/locations/l/<collection>/<id>`. */
const own: ReadonlySet<string> = new Set(['cachedcontents', 'batchpredictionjobs', 'tuningjobs']);

const allows = ({ method, segments }: AllowedRequest): boolean => {
  if (own.has(segments[4] ?? '')) return true;
  if (method !== 'POST') return false;
  return endsInCall(segments) || /\/endpoints\/[^/]+\/chat\/completions$/.test(`/${segments.join('/')}`);
};

/** All else uploads, deploys and deletes models, endpoints and data: https://cloud.google.com/vertex-ai/docs/reference/rest */
export const vertexChanges: ChangesAccount = onlyAllows(allows);
