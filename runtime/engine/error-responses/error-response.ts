import type { DialectDeclaration } from '../../../plugins/sdk/dialect/dialect.ts';
import type { GatewayResponse, LeafReport, RawHeaders } from '../../../plugins/sdk/http/http.ts';
import { withoutServiceKeys } from '../../../schema/credentials/without-service-keys.ts';
import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import { type ErrorCode, type ErrorReport, errorTable } from '../../../schema/errors/errors.ts';
import type { Origin } from '../../../schema/http/status.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';

export const jsonHeaders: RawHeaders = ['content-type', 'application/json'];

export interface ErrorResponseOptions {
  /** The client's dialect. Absent for a passed-through request. */
  readonly dialect: DialectDeclaration | undefined;
  /** Default: `limit` for the error of a limit, `gateway` for any other. */
  readonly origin?: Origin;
  readonly leaf?: LeafReport;
}

const limitCodes: ReadonlySet<ErrorCode> = new Set([
  'cost-exceeded',
  'rate-limited',
  'usage-exhausted',
  'limit-reserved',
  'limits-unavailable',
  'unpriced-model',
  'unmeasured-request',
  'target-overloaded',
]);

const toOrigin = ({ code }: ErrorReport): Origin => (limitCodes.has(code) ? 'limit' : 'gateway');

/** Returns an error outside of any dialect: for a passed-through request, a health page, or a malformed request. */
export const plainError = ({ message, type, code }: ErrorReport): JsonObject => ({
  error: { message, type, param: null, code },
});

/** Adds the diagnostics of a config to a dialect's error. */
const withDiagnostics = (body: JsonObject, diagnostics: readonly Diagnostic[]) => ({
  ...body,
  error: { ...(isJsonObject(body.error) ? body.error : {}), diagnostics },
});

/** Returns an error of the gateway itself as an answer in the client's dialect. */
export const errorResponse = (
  report: ErrorReport,
  { dialect, origin = toOrigin(report), leaf }: ErrorResponseOptions,
): GatewayResponse => {
  const written = dialect === undefined ? plainError(report) : dialect.encodeError(report);
  const body = report.diagnostics === undefined ? written : withDiagnostics(written, report.diagnostics);
  return {
    status: report.status,
    headers: report.headers === undefined ? jsonHeaders : [...jsonHeaders, ...report.headers],
    origin,
    cause: report.code,
    ...(report.about === undefined ? {} : { about: report.about }),
    ...(report.loggedHint === undefined ? {} : { loggedHint: report.loggedHint }),
    body: { kind: 'bytes', bytes: Buffer.from(withoutServiceKeys(JSON.stringify(body))) },
    ...(leaf === undefined ? {} : { leaf }),
  };
};

/**
 * Returns the message of an error without the advice for whoever sent the request (a fallback, another request), which does not
 * apply to the gateway's own calls. Advice for the operator stays.
 */
export const withoutForeignHint = ({ code, message }: Pick<ErrorReport, 'code' | 'message'>): string => {
  const { hint, fault } = errorTable[code];
  const isOperators = fault === 'operator' && !/fallback|retry-after/.test(hint);
  return !isOperators && message.endsWith(hint) ? message.slice(0, -hint.length).trimEnd() : message;
};

/** The beginning of the advice to add another target, as hints give it. */
const fallbackAdvice = /, or add a fallback target/;

/** How a fallback reached its last answer: how many targets it called, and how many are left that it may not call. */
export interface FallbackEnd {
  readonly asked: number;
  readonly left: number;
}

/**
 * Returns the sentences that replace the advice to call another target, for the client and for the log. Undefined if the advice
 * stays.
 */
const endedTexts = ({
  asked,
  left,
}: FallbackEnd): { readonly answered: string; readonly logged: string } | undefined => {
  if (asked > 1) {
    const all = left > 0 ? `The ${asked}` : asked === 2 ? 'Both' : `All ${asked}`;
    const failed = `${all} targets that the fallback tried failed`;
    return {
      answered: `${failed}: with x-gw-usage: true, the header x-gw-attempts lists them; with GW_LOG=requests or a store, the log does too.`,
      logged: `${failed}: the trail lists them.`,
    };
  }
  const ended = "A passed-through path is not sent to another provider's targets, so the fallback ends here.";
  return left > 0 ? { answered: ended, logged: ended } : undefined;
};

/**
 * Returns the last answer of a fallback that calls no other target. Its message does not advise calling another target, but
 * explains why none was, and how to see each target's answer if there were several.
 */
export const afterAllTargets = (response: GatewayResponse, end: FallbackEnd): GatewayResponse => {
  const { cause, body } = response;
  const ended = endedTexts(end);
  if (cause === undefined || body.kind !== 'bytes' || ended === undefined) return response;
  const { hint } = errorTable[cause];
  const at = hint.search(fallbackAdvice);
  if (at < 0) return response;
  // The body has its form and its masks already. Neither text has a character that JSON escapes.
  const text = Buffer.from(body.bytes).toString();
  // An inner fallback has explained it.
  if (!text.includes(hint)) return response;
  const kept = `${hint.slice(0, at)}. `;
  return {
    ...response,
    loggedHint: kept + ended.logged,
    body: { kind: 'bytes', bytes: Buffer.from(text.replace(hint, kept + ended.answered)) },
  };
};
