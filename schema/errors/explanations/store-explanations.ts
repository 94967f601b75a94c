import type { storeErrors } from '../table/store-errors.ts';
import type { ErrorExplanation } from './error-explanation.ts';

/** The records of a store, and requests to the control endpoints that change them. */
export const storeExplanations: { readonly [Code in keyof typeof storeErrors]: ErrorExplanation } = {
  'secrets-unavailable': {
    plane: 'control',
    cause: 'The gateway has no master key, or not the one of this store, so it can neither save nor read a credential.',
    remedy: 'The operator must set `GW_MASTER_KEY` to the master key of the store.',
  },
  'no-log': {
    plane: 'control',
    cause: 'The gateway file has `"log": false`, so requests are not kept.',
    remedy: 'The operator can remove that from the gateway file and restart the gateway.',
  },
  'log-unavailable': {
    plane: 'control',
    cause:
      'The file of the log is damaged, is in use by another process, or was written by a newer version of Gatewright. Requests to models are still served.',
    remedy:
      'The operator should follow the message that the gateway prints when it starts, and check the set-up with `gw doctor`. The gateway then opens the log again on its own.',
  },
  'file-too-large': {
    plane: 'control',
    cause: 'The file is larger than `store.files.max_bytes`.',
    remedy: 'Split the file. The operator can raise `store.files.max_bytes` in the gateway file.',
  },
  'file-quota': {
    plane: 'control',
    cause: "`store.files.quota_bytes` limits the total size of a workspace's files.",
    remedy: 'Delete files that are no longer needed. The operator can raise the quota in the gateway file.',
  },
  'unsupported-upload': {
    plane: 'control',
    cause: 'The upload is not a form, is compressed, or lacks the field `purpose` or `file`.',
    remedy: "Send `multipart/form-data` with both fields, as the vendors' clients do.",
  },
  'malformed-upload': {
    plane: 'both',
    cause: 'The form ends early, or its boundary is not the one in its `content-type`.',
    remedy: 'Send the whole form. Let the client library set the boundary.',
  },
  'range-not-satisfiable': {
    plane: 'control',
    cause: 'The header `range` asks for bytes beyond the end of the file.',
    remedy: 'Ask for a range within the file, or omit the header.',
  },
  'file-damaged': {
    plane: 'control',
    cause: 'The stored bytes of the file no longer match their checksum, or are missing.',
    remedy: 'Upload the file again as a new one. The operator can restore it from a backup.',
  },
  'files-unavailable': {
    plane: 'control',
    cause:
      'The folder or the bucket in which files are kept cannot be reached, or refuses reads or writes, for example because its disk is full.',
    remedy:
      'Send the request again after the time in `retry-after`. The operator should follow the message that the gateway prints, and check `store.files`.',
  },
  'store-unavailable': {
    plane: 'both',
    cause:
      'The database of the store does not respond, or refuses reads or writes, for example because its disk is full.',
    remedy:
      'Send the request again after the time in `retry-after`. The operator should follow the message that the gateway prints, and check the database and `/readyz`.',
  },
  'not-found': {
    plane: 'control',
    cause: 'There is no record with this id or slug, or it belongs to another workspace.',
    remedy:
      'List the existing records with the route that the message names, or with `gw` and the name of the resource.',
  },
  conflict: {
    plane: 'control',
    cause:
      'The request conflicts with what is saved: a slug is taken, a record is in use, or another change came first.',
    remedy: 'The message says what the request conflicts with, and what to do.',
  },
  'idempotency-conflict': {
    plane: 'control',
    cause: 'The same `idempotency-key` was sent before with a different request.',
    remedy: 'Use a new key for each request, and the same key only to repeat a request.',
  },
  'unreadable-record': {
    plane: 'control',
    cause:
      'The store has a row that this version of the gateway cannot read: it was changed by hand, was damaged, or was written by a later version. Lists that contain it are refused, because without it the record would seem to be gone.',
    remedy:
      'Delete the record that the message names by its id and save it again, or correct its row in the database. Requests that do not need it are served in the meantime.',
  },
  'precondition-failed': {
    plane: 'control',
    cause: 'Someone else changed the record after its entity tag was read.',
    remedy: 'Read the record again, and send the change with the new `etag` in `if-match`.',
  },
  'invalid-content-type': {
    plane: 'control',
    cause: 'The endpoint expects JSON, but the request declares another content type.',
    remedy: 'Send the body with `content-type: application/json`.',
  },
  'invalid-input': {
    plane: 'control',
    cause:
      "The body, the query or a header does not match the endpoint's schema. The member `errors` lists each problem with its place and a hint.",
    remedy: 'Correct what `errors` lists. `GET /v1/openapi.json` has the schema of each endpoint.',
  },
  'input-too-large': {
    plane: 'control',
    cause: 'The body is larger than the control plane accepts.',
    remedy: 'Send a smaller body, or several requests.',
  },
};
