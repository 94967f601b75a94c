import { isSuccess } from '../../../schema/http/status.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import type { UpstreamRequest } from '../../sdk/http/http.ts';
import type { AuthorizeContext, WholeAnswer } from '../../sdk/provider/provider.ts';

/** Returns a POST request with a form. `url` has no query. */
export const formRequest = (url: string, form: Readonly<Record<string, string>>): UpstreamRequest => {
  const { origin, pathname } = new URL(url);
  return {
    method: 'POST',
    origin,
    path: pathname,
    headers: ['content-type', 'application/x-www-form-urlencoded', 'accept', 'application/json'],
    body: { kind: 'bytes', bytes: Buffer.from(new URLSearchParams(form).toString()) },
  };
};

const toHost = ({ origin }: UpstreamRequest): string => new URL(origin).host;

const objectIn = ({ body }: WholeAnswer): JsonObject => parseObject(Buffer.from(body).toString('utf8')) ?? {};

/**
 * Returns the code of an OAuth error (RFC 6749, section 5.2), or of IBM's. It is a single word, never the description beside it.
 */
const errorCode = ({ error, errorCode: own }: JsonObject): string | undefined =>
  [error, own].find((code) => typeof code === 'string' && /^[\w.-]{1,64}$/.test(code))?.toString();

/**
 * The codes with which token services answer 4xx although the same request may succeed soon: rate limits of AWS
 * (https://repost.aws/knowledge-center/iam-sts-throttling-error), and those of OAuth servers that are overloaded or have failed.
 */
const temporaryCodes: ReadonlySet<string | undefined> = new Set([
  ...['Throttling', 'ThrottlingException', 'RequestLimitExceeded'],
  ...['temporarily_unavailable', 'server_error', 'slow_down'],
]);

/** Returns the code of a refusal, or undefined if the answer contains none. */
type FindReason = (answer: WholeAnswer) => string | undefined;

/**
 * Sends a request to a token service and returns its whole answer. If the service refuses, throws an `Error` with the status and
 * with the reason that `findReason` finds in the answer. A service that has failed for now rejects as in `send`;
 * `isTemporaryStatus` adds statuses with which this service reports that.
 */
export const callTokenService = async (
  { send }: Pick<AuthorizeContext, 'send'>,
  request: UpstreamRequest,
  findReason: FindReason,
  isTemporaryStatus: (status: number) => boolean = () => false,
): Promise<WholeAnswer> => {
  const isTemporary = (each: WholeAnswer): boolean =>
    !isSuccess(each.status) && (isTemporaryStatus(each.status) || temporaryCodes.has(findReason(each)));
  const answer = await send(request, isTemporary);
  const { status } = answer;
  if (isSuccess(status)) return answer;
  const reason = findReason(answer);
  throw new Error(`${toHost(request)} answered ${status}${reason === undefined ? '' : ` (${reason})`}.`);
};

/** The longest time for which anything is kept, whatever its service states: a day, like the tokens of managed identities. */
const longestMs = 24 * 60 * 60 * 1000;

/** Returns when a token or key that is kept for so many milliseconds expires: immediately, if its service states no time. */
export const expiryAfter = (now: number, ms: number): number => now + (ms > 0 ? Math.min(ms, longestMs) : 0);

/** Whether a header can carry a token or key from a service: it must not contain spaces or control characters. */
export const isSendable = (text: unknown): text is string => typeof text === 'string' && /^[\x21-\x7e]+$/.test(text);

/** Converts seconds as a number, or as a text, as Azure's identity service writes them. Returns 0 for anything else. */
const toSeconds = (value: Json | undefined): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) || 0 : 0;

export interface ExpiringToken {
  readonly value: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Requests an OAuth access token. Throws like `callTokenService`. */
export const requestToken = async (
  context: Pick<AuthorizeContext, 'send' | 'now'>,
  request: UpstreamRequest,
  isTemporaryStatus?: (status: number) => boolean,
): Promise<ExpiringToken> => {
  const findReason: FindReason = (refusal) => errorCode(objectIn(refusal));
  const answer = await callTokenService(context, request, findReason, isTemporaryStatus);
  const { access_token: token, expires_in: seconds } = objectIn(answer);
  if (!isSendable(token)) throw new Error(`The answer of ${toHost(request)} contains no token.`);
  return { value: token, expiresAt: expiryAfter(context.now(), toSeconds(seconds) * 1000) };
};
