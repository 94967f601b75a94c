import { type GatewayResponse, headerValue } from '../../../../plugins/sdk/http/http.ts';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { type FailedKey, type KeyFailure, keyFailure } from '../../../../schema/plan/circuits/key-cooling.ts';
import { retryAfterMs } from '../../../../schema/plan/schedule.ts';
import { findJsonObject } from '../../../json-bodies/read/find-json-object.ts';

/** An error that says something about a key that its status does not. */
interface KeyError {
  /** The vendor's documentation. */
  readonly documentation: string;
  readonly status: number;
  /** Its code or type. */
  readonly code?: string;
  /** The beginning of its message, in lower case. */
  readonly begins?: string;
  readonly failure: KeyFailure;
}

const keyErrors: readonly KeyError[] = [
  {
    documentation: 'https://platform.openai.com/docs/guides/error-codes',
    ...{ status: 429, code: 'insufficient_quota', failure: 'spent' },
  },
  {
    documentation: 'https://platform.openai.com/docs/guides/error-codes',
    ...{ status: 429, code: 'billing_not_active', failure: 'spent' },
  },
  {
    documentation: 'https://platform.openai.com/docs/guides/error-codes',
    ...{ status: 400, code: 'billing_hard_limit_reached', failure: 'spent' },
  },
  {
    // A key that may not call one model may call others.
    documentation: 'https://platform.openai.com/docs/guides/error-codes',
    ...{ status: 403, code: 'model_not_found', failure: 'limited' },
  },
  {
    documentation: 'https://docs.claude.com/en/api/errors',
    ...{ status: 400, begins: 'your credit balance is too low', failure: 'spent' },
  },
  {
    documentation: 'https://ai.google.dev/gemini-api/docs/troubleshooting',
    ...{ status: 400, begins: 'api key not valid', failure: 'refused' },
  },
  {
    documentation: 'https://ai.google.dev/gemini-api/docs/troubleshooting',
    ...{ status: 400, begins: 'api key expired', failure: 'refused' },
  },
  {
    documentation: 'https://ai.google.dev/gemini-api/docs/troubleshooting',
    ...{ status: 400, begins: 'api key not found', failure: 'refused' },
  },
  {
    documentation: 'https://platform.moonshot.ai/docs/api/errors',
    ...{ status: 429, code: 'exceeded_current_quota_error', failure: 'spent' },
  },
  {
    documentation: 'https://www.alibabacloud.com/help/en/model-studio/error-code',
    ...{ status: 400, code: 'Arrearage', failure: 'spent' },
  },
];

const statuses: ReadonlySet<number> = new Set(keyErrors.map(({ status }) => status));

/** Reads an error in the client's dialect, or as its provider wrote it. */
const readError = (body: JsonObject): { readonly codes: readonly unknown[]; readonly message: string } => {
  const error = isJsonObject(body.error) ? body.error : body;
  const message = typeof error.message === 'string' ? error.message.toLowerCase() : '';
  return { codes: [error.code, error.type], message };
};

const saidFailure = ({ status, body }: GatewayResponse): KeyFailure | undefined => {
  if (body.kind !== 'bytes' || !statuses.has(status)) return undefined;
  const json = findJsonObject(body.bytes);
  if (json === undefined) return undefined;
  const { codes, message } = readError(json);
  return keyErrors.find(
    (error) =>
      error.status === status &&
      ((error.code !== undefined && codes.includes(error.code)) ||
        (error.begins !== undefined && message.startsWith(error.begins))),
  )?.failure;
};

/** Returns what an answer says is wrong with the key that was used. Undefined if nothing is. */
export const failedKeyOf = (response: GatewayResponse, wallNow: number): FailedKey | undefined => {
  if (response.origin !== 'upstream') return undefined;
  const failure = saidFailure(response) ?? keyFailure(response);
  if (failure === undefined) return undefined;
  return { failure, askedMs: retryAfterMs((name) => headerValue(response.headers, name), wallNow) };
};
