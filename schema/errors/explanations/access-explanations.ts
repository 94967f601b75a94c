import type { accessErrors } from '../table/access-errors.ts';
import type { ErrorExplanation } from './error-explanation.ts';

/** Gateway keys, tokens and permissions. */
export const accessExplanations: { readonly [Code in keyof typeof accessErrors]: ErrorExplanation } = {
  'missing-service-key': {
    plane: 'both',
    cause:
      'The gateway has service keys, and the request has none: neither in `x-gw-api-key` nor in a header in which clients of its API send keys, such as `authorization`.',
    remedy:
      'Send a service key of this gateway in `x-gw-api-key`. Clients that can send one key only send it as `Authorization: Bearer …`.',
  },
  'wrong-service-key': {
    plane: 'both',
    cause:
      "The key that the request brought is not one of this gateway, was revoked, or has expired. A provider's key in the place of a service key has the same effect.",
    remedy:
      'The message says where the key came. Compare it with those under `auth.keys` of the gateway file, or list the saved ones with `gw keys list`, and make a new one with `gw keys create` if it has expired.',
  },
  'identity-unavailable': {
    plane: 'both',
    cause: 'The gateway asks its store, or the issuer of tokens, whose key this is, and could not reach it.',
    remedy:
      'Send the request again after the time in `retry-after`. If it lasts, the operator looks at `/readyz` and at the store.',
  },
  'session-ended': {
    plane: 'control',
    cause:
      'A session of the console ends with its time, when its user signs out, and when the key that it was begun with is revoked.',
    remedy: 'Sign in again at `/console`.',
  },
  'missing-scope': {
    plane: 'both',
    cause: 'Each route requires a scope, and the service key has others. The message names the one that is missing.',
    remedy: 'Send a key that has the scope, or add it to this one: `gw keys update`.',
  },
  'workspace-not-reached': {
    plane: 'both',
    cause:
      '`x-gw-workspace` names a workspace that does not exist, or one in which this key may not act. The two are not distinguished on purpose.',
    remedy:
      'Name a workspace that the key reaches, by its id or slug, or leave the header out to act in the workspace of the key.',
  },
  forbidden: {
    plane: 'both',
    cause:
      'The caller has the scope of the route, but what is asked for goes beyond what this key may do, such as giving another key more scopes than it has itself.',
    remedy: "The message says what would be allowed. Otherwise use a key of the organisation's administrators.",
  },
  'foreign-origin': {
    plane: 'both',
    cause:
      'A gateway without service keys answers local programs alone: this request came under another host name, or from a page of a web site.',
    remedy: 'Call the gateway at `127.0.0.1` or `localhost`, or give it service keys under `auth.keys`.',
  },
};
