import type { storeErrors } from '../table/store-errors.ts';
import type { ErrorExplanation } from './error-explanation.ts';

/** The records of a store, and requests to the control endpoints that change them. */
export const storeExplanations: { readonly [Code in keyof typeof storeErrors]: ErrorExplanation } = {
  'secrets-unavailable': {
    plane: 'control',
    cause:
      'The gateway has no master key, or not that of this store, so that it can neither save nor read a credential.',
    remedy: 'The operator sets `GW_MASTER_KEY` to the master key of the store.',
  },
  'no-log': {
    plane: 'control',
    cause: 'The gateway file says `"log": false`, so that requests are not kept.',
    remedy: 'The operator removes that from the gateway file, and starts the gateway again.',
  },
  'log-unavailable': {
    plane: 'control',
    cause:
      'The file of the log is damaged, is served by another process, or was written by a newer version of Gatewright. Model requests are served without it.',
    remedy:
      'The operator does what the gateway says when it starts, and tries the set-up with `gw doctor`. The gateway opens the log again by itself.',
  },
  'file-too-large': {
    plane: 'control',
    cause: 'One file is larger than `store.files.max_bytes`.',
    remedy: 'Split the file. The operator can raise `store.files.max_bytes` in the gateway file.',
  },
  'file-quota': {
    plane: 'control',
    cause: 'The files of a workspace are bounded together by `store.files.quota_bytes`.',
    remedy: 'Delete files that are not needed any more. The operator can raise the quota in the gateway file.',
  },
  'unsupported-upload': {
    plane: 'control',
    cause: 'An upload is not a form, is compressed, or lacks the fields `purpose` and `file`.',
    remedy: "Send `multipart/form-data` with both fields, as the vendors' clients do.",
  },
  'malformed-upload': {
    plane: 'both',
    cause: 'The form ends early, or has another boundary than its `content-type` names.',
    remedy: 'Send the whole form. Let the client library write the boundary.',
  },
  'range-not-satisfiable': {
    plane: 'control',
    cause: 'The header `range` asks for bytes behind the end of the file.',
    remedy: 'Ask for a range within the file, or leave the header out.',
  },
  'file-damaged': {
    plane: 'control',
    cause: 'The stored bytes of the file do not have the checksum that they were saved with, or are gone.',
    remedy: 'Send the file again as a new one. The operator can restore it from a copy.',
  },
  'files-unavailable': {
    plane: 'control',
    cause: 'The folder or the bucket in which files are kept cannot be reached.',
    remedy: 'Send the request again after the time in `retry-after`. The operator checks `store.files`.',
  },
  'store-unavailable': {
    plane: 'both',
    cause: 'The database of the store does not answer.',
    remedy:
      'Send the request again after the time in `retry-after`. The operator looks at the database and at `/readyz`.',
  },
  'not-found': {
    plane: 'control',
    cause: 'There is no record of this id or slug, or another workspace has it.',
    remedy: 'List what there is with the route that the message names, or with `gw` and the name of the resource.',
  },
  conflict: {
    plane: 'control',
    cause:
      'What is asked for does not go together with what is saved: a slug is taken, a record is in use, or another change came first.',
    remedy: 'The message says what it conflicts with, and what to do.',
  },
  'idempotency-conflict': {
    plane: 'control',
    cause: 'The same `idempotency-key` was sent before with another request.',
    remedy: 'Use a new key for each request, and the same one only to repeat a request.',
  },
  'unreadable-record': {
    plane: 'control',
    cause:
      'The store has a row that this version of the gateway cannot read: it was changed by hand or damaged, or a later version wrote it. A list with it is refused, since without it the record would seem to be gone.',
    remedy:
      'Delete the record that the message names, by its id, and save it anew, or correct its row in the database. What does not need it is served meanwhile.',
  },
  'precondition-failed': {
    plane: 'control',
    cause: 'The record was changed by somebody else after its entity tag was read.',
    remedy: 'Read it again, and send the change with the new `etag` in `if-match`.',
  },
  'invalid-content-type': {
    plane: 'control',
    cause: 'The endpoint reads JSON, and the request says that it sends something else.',
    remedy: 'Send the body with `content-type: application/json`.',
  },
  'invalid-input': {
    plane: 'control',
    cause:
      'The body, the query or a header does not fit the schema of the endpoint. The member `errors` lists each problem with its place and a hint.',
    remedy: 'Correct what `errors` lists. `GET /v1/openapi.json` has the schema of each endpoint.',
  },
  'input-too-large': {
    plane: 'control',
    cause: 'Bodies of the control plane are bounded.',
    remedy: 'Send a smaller body, or several requests.',
  },
};
