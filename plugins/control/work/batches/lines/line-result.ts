import { isSuccess } from '../../../../../schema/http/status.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { findText } from '../../../../../schema/json/loose.ts';

/** A line, and the file to which it belongs. */
export interface LineResult {
  readonly isSuccess: boolean;
  readonly text: string;
}

export interface LineName {
  /** Of the request: the gateway's log and ledger have it under this id. */
  readonly id: string;
  readonly customId: string;
}

/** Names a line that a provider has run, by the `custom_id` that it repeats. */
export const toLineName = (value: Json | undefined): LineName => {
  const customId = findText(value) ?? '';
  return { id: `batch_req_${customId}`, customId };
};

/** An answer of the data path, which is one of the gateway's own where it has reached no provider. */
export const answered = (
  { id, customId }: LineName,
  { status, body }: { readonly status: number; readonly body: Json },
): LineResult => {
  const response: JsonObject = { status_code: status, request_id: id, body };
  return {
    isSuccess: isSuccess(status),
    text: `${JSON.stringify({ id, custom_id: customId, response, error: null })}\n`,
  };
};

/** A line without an answer. */
export const unanswered = (
  { id, customId }: LineName,
  { code, message }: { readonly code: string; readonly message: string },
): LineResult => ({
  isSuccess: false,
  text: `${JSON.stringify({ id, custom_id: customId, response: null, error: { code, message } })}\n`,
});

/** The reasons for which lines have not run. */
export const notRun = {
  cancelled: { code: 'batch_cancelled', message: 'The batch was cancelled before this request was sent.' },
  expired: { code: 'batch_expired', message: 'The batch expired before this request was sent.' },
  failed: { code: 'batch_failed', message: 'The batch failed before this request was sent.' },
} as const;
