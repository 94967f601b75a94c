import type { accessErrors } from '../table/access-errors.ts';
import type { ErrorExplanation } from './error-explanation.ts';

/** Gateway keys, tokens and permissions. */
export const accessExplanations: { readonly [Code in keyof typeof accessErrors]: ErrorExplanation } = {
  'missing-service-key': {
    plane: 'both',
    cause:
      'The gateway requires a service key, and the request has none, neither in `x-gw-api-key` nor in a header in which clients of its API send keys, such as `authorization`.',
    remedy:
      'Send a service key of this gateway in `x-gw-api-key`. Clients that can send only one key send it as `Authorization: Bearer …`.',
  },
  'wrong-service-key': {
    plane: 'both',
    cause:
      "The key in the request is not one of this gateway, was revoked, or has expired. Sending a provider's key instead of a service key has the same effect.",
    remedy:
      'The message says where the key was sent. Compare the key with those under `auth.keys` in the gateway file, or list the saved keys with `gw keys list`. If it has expired, create a new one with `gw keys create`.',
  },
  'identity-unavailable': {
    plane: 'both',
    cause:
      'The gateway has to look up the key in its store, or verify a token with its issuer, and could not reach it.',
    remedy:
      'Send the request again after the time in `retry-after`. If the error persists, the operator should check `/readyz` and the store.',
  },
  'session-ended': {
    plane: 'control',
    cause:
      'A session of the console ends when it expires, when its user signs out, or when the key that was used to sign in is revoked.',
    remedy: 'Sign in again at `/console`.',
  },
  'missing-scope': {
    plane: 'both',
    cause: 'The route requires a scope that the service key does not have. The message names it.',
    remedy: 'Send a key that has the scope, or add the scope to this key with `gw keys update`.',
  },
  'workspace-not-reached': {
    plane: 'both',
    cause:
      '`x-gw-workspace` names a workspace that does not exist or in which this key may not act. The gateway deliberately does not distinguish the two.',
    remedy:
      "Name a workspace that the key can access, by its id or slug, or omit the header to use the key's own workspace.",
  },
  forbidden: {
    plane: 'both',
    cause:
      'The caller has the scope of the route, but the request goes beyond what this key may do, such as granting another key more scopes than it has itself.',
    remedy: "The message says what is allowed. For anything else, use a key of the organisation's administrators.",
  },
  'foreign-origin': {
    plane: 'both',
    cause:
      'A gateway without service keys serves only local programs. This request used another host name, or came from a page of a web site.',
    remedy: 'Call the gateway at `127.0.0.1` or `localhost`, or configure service keys under `auth.keys`.',
  },
};
