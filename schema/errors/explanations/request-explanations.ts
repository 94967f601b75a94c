import type { requestErrors } from '../table/request-errors.ts';
import type { ErrorExplanation } from './error-explanation.ts';

/** Routes, and the bodies that are sent to them. */
export const requestExplanations: { readonly [Code in keyof typeof requestErrors]: ErrorExplanation } = {
  'unknown-route': {
    plane: 'requests',
    cause:
      "The path is not one of the gateway's and does not begin with `/v1`, below which paths are passed through to the provider.",
    remedy:
      'Set the base URL of the client to `http://HOST:PORT/v1`. `gw serve` prints it. For `/metrics`, set `"metrics": true` in the gateway file.',
  },
  'invalid-path': {
    plane: 'both',
    cause: 'A segment of the path is empty, is `.` or `..`, or is not percent-encoded correctly.',
    remedy: 'Write the name of the model as one segment, percent-encoded.',
  },
  'unknown-capability': {
    plane: 'requests',
    cause: '`GET /v1/models?capabilities=…` contains a word that is not a capability.',
    remedy: 'Name capabilities that `gw models` shows, separated by commas.',
  },
  'method-not-allowed': {
    plane: 'both',
    cause: 'The path exists, but not with this method.',
    remedy: 'Send one of the methods that the header `allow` lists.',
  },
  'foreign-site': {
    plane: 'control',
    cause: 'A browser sent the request from a page of another web site.',
    remedy: "Call the control plane from a program or from the gateway's console.",
  },
  'no-control-plane': {
    plane: 'requests',
    cause: 'The path belongs to the control plane, but this gateway was started without a store.',
    remedy: 'The operator can start it with a store: `gw serve --store FILE`.',
  },
  'upgrade-refused': {
    plane: 'requests',
    cause: 'The client requested a WebSocket at a path that is served only over HTTP.',
    remedy: 'Send an ordinary HTTP request.',
  },
  'upgrade-not-supported': {
    plane: 'requests',
    cause: 'The client requested a WebSocket at a path, over a protocol or with a Node that has none.',
    remedy: 'Use the HTTP endpoints, or connect to the provider directly.',
  },
  'unknown-endpoint': {
    plane: 'control',
    cause: 'The path is not one of the control plane.',
    remedy: '`GET /v1/openapi.json` lists its endpoints.',
  },
  'malformed-body': {
    plane: 'both',
    cause: 'The body is not JSON, is not UTF-8, or has an object with the same key twice.',
    remedy: 'Send one JSON object with `content-type: application/json`.',
  },
  'unknown-reference': {
    plane: 'requests',
    cause:
      'The request names a file, a response or a batch by an id that the workspace has not created at this provider.',
    remedy: 'Name one that the workspace has created at the same provider.',
  },
  'account-without-key': {
    plane: 'requests',
    cause:
      'The object that the request names was created with a key that is no longer in the pool, and other keys cannot access it.',
    remedy: 'Add the key again with `"weight": 0`, or create the object again.',
  },
  'several-accounts': {
    plane: 'requests',
    cause:
      'The request names two objects that were created with keys of different accounts, so no key can access both.',
    remedy: 'Create one of them again in a request that names the other.',
  },
  'too-many-references': {
    plane: 'requests',
    cause: 'Each file or response that a request names has to be looked up, so their number is limited.',
    remedy: 'Name fewer of them in one request.',
  },
  'unsupported-encoding': {
    plane: 'both',
    cause: 'The body is compressed with an encoding that the gateway does not support, or more than once.',
    remedy: 'Send it without a `content-encoding`, or with gzip, deflate, br or zstd.',
  },
  'invalid-request': {
    plane: 'requests',
    cause: 'A member of the body does not have a type or a value that the format of this endpoint allows.',
    remedy: 'Correct the member that the message names.',
  },
  'too-many-texts': {
    plane: 'requests',
    cause: 'The request for embeddings has more texts than the gateway sends to this provider for a single request.',
    remedy: 'Send the texts in several requests.',
  },
  'body-too-large': {
    plane: 'both',
    cause: 'The body is larger than `limits.body_bytes` allows.',
    remedy: 'Send a smaller body. Pass-through paths stream bodies of any size.',
  },
  'form-too-large': {
    plane: 'requests',
    cause: 'The form, such as an audio file, is larger than `limits.form_bytes` allows.',
    remedy: 'Send a smaller file. The operator can raise `limits.form_bytes` in the gateway file.',
  },
  'form-not-spooled': {
    plane: 'requests',
    cause: 'The form is too large to be kept in memory, and the gateway has no folder to which it can write it.',
    remedy: 'Send a smaller file. The operator can set `spool_dir` in the gateway file.',
  },
  'header-too-large': {
    plane: 'both',
    cause: 'All headers together, or the config in `x-gw-config`, are larger than the gateway accepts.',
    remedy: 'Send shorter headers. Save a large config on the gateway, and send only its name.',
  },
};
