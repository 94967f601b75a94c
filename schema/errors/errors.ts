import { formatMessage, type MessageParams } from '../text/message.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { InputProblem } from './input-problem.ts';
import { accessErrors } from './table/access-errors.ts';
import { configErrors } from './table/config-errors.ts';
import { gatewayErrors } from './table/gateway-errors.ts';
import { limitErrors } from './table/limit-errors.ts';
import { providerErrors } from './table/provider-errors.ts';
import { requestErrors } from './table/request-errors.ts';
import { storeErrors } from './table/store-errors.ts';

/** The `type` member of an error response. */
export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'rate_limit_error'
  | 'timeout_error'
  | 'network_error'
  | 'hooks_failed'
  | 'gateway_error';

interface ErrorRow {
  readonly status: number;
  readonly type: ErrorType;
  /** The party that can correct it. */
  readonly fault: 'caller' | 'operator' | 'upstream' | 'gateway';
  /**
   * Whether another branch of the plan could serve the request. If so, the error is the response of its leaf; if not, it ends the
   * request.
   */
  readonly curable: boolean;
  /** After how many seconds the request may be sent again, for the header `retry-after`. */
  readonly retryAfterS?: number;
  readonly text: string;
  readonly hint: string;
  /** The name that logs add to the code, if the code alone does not say which limit, host, header or config it is. */
  readonly about?: string;
  /**
   * The hint for logs, if `hint` contains names of the gateway or of the request; `true` to log `hint` itself. Credentials in it
   * are masked.
   */
  readonly loggedHint?: string | true;
}

type ErrorTable = typeof accessErrors &
  typeof storeErrors &
  typeof requestErrors &
  typeof configErrors &
  typeof limitErrors &
  typeof providerErrors &
  typeof gatewayErrors;

/** Every error that the gateway itself returns. */
export const errorTable: ErrorTable = {
  ...accessErrors,
  ...storeErrors,
  ...requestErrors,
  ...configErrors,
  ...limitErrors,
  ...providerErrors,
  ...gatewayErrors,
};
errorTable satisfies Readonly<Record<string, ErrorRow>>;

/** The code of an error of the gateway; codes are stable. */
export type ErrorCode = keyof typeof errorTable;

/** The codes of the control plane's errors, by status; an error with another status has its own code. */
const controlCodes: ReadonlyMap<number, string> = new Map([
  [400, 'AB01'],
  [401, 'AB05'],
  [403, 'AB03'],
  [404, 'AB08'],
  [409, 'AB07'],
  [429, 'AB06'],
  [500, 'AB04'],
]);

/**
 * The codes that the control plane's responses have unchanged: those of refused requests to providers, which are the same on all
 * paths, and that of a damaged record, which is not a failure of the gateway itself.
 */
const unchangedCodes: ReadonlySet<string> = new Set<ErrorCode>(['credential-origin-mismatch', 'unreadable-record']);

/** Returns the code of an error in the responses of the control plane. */
export const controlErrorCode = ({ status, code }: { readonly status: number; readonly code: ErrorCode }): string =>
  unchangedCodes.has(code) ? code : (controlCodes.get(status) ?? code);

/** The kind of service that failed, in texts with `{peer}`: requests to all kinds share the connections that report errors. */
export type Peer = 'provider' | 'service' | 'receiver';

/** The parameters of a code's text and hint. The peer is a provider unless the message is built for another kind. */
export type ErrorParams<Code extends ErrorCode> = Omit<
  MessageParams<`${ErrorTable[Code]['text']}${ErrorTable[Code]['hint']}`>,
  'peer'
>;

/** An error of the gateway as a value, before a dialect writes it. */
export interface ErrorReport {
  readonly code: ErrorCode;
  readonly status: number;
  readonly type: ErrorType;
  /** The fact, then what to do. */
  readonly message: string;
  /** The values in the message, by their names in the row of the code. Absent if the message was not built from the row. */
  readonly params?: Readonly<Record<string, string | number>>;
  /** The problems of the caller's config, if they are the error. */
  readonly diagnostics?: readonly Diagnostic[];
  /** The problems of a request to the control plane. */
  readonly errors?: readonly InputProblem[];
  /** Header lines of the response: name, value, name, value, … */
  readonly headers?: readonly string[];
  /** If `false`, the error ends the request, although another branch can avoid errors with this code. */
  readonly curable?: false;
  /** The limit, host, header or config, for logs. */
  readonly about?: string;
  /** The advice for logs, if the row of the code does not say all of it. */
  readonly loggedHint?: string;
}

/** Details of an error in addition to its code. */
export type ErrorDetails = Pick<ErrorReport, 'headers' | 'curable' | 'about' | 'loggedHint'>;

/** Fills in a text of the table for a peer. Names without a value stay. */
export const forPeer = (text: string, peer: Peer, params: object = {}): string =>
  formatMessage(text as never, { peer, ...params } as never);

/** Returns the message of an error about a peer that is not a provider. */
export const messageForPeer = ({ code, message, params }: ErrorReport, peer: Peer): string => {
  const { text, hint }: ErrorRow = errorTable[code];
  return params === undefined ? message : forPeer(`${text} ${hint}`, peer, params);
};

/** Stops clients that would send the request again. */
const final: ErrorDetails = { headers: ['x-should-retry', 'false'] };

/**
 * The statuses after which clients retry unless the response says otherwise, although the answer stays the same: the vendors'
 * libraries retry after every 5xx. After a 401, Claude Code retries for minutes before it shows the error.
 */
const finalStatuses: ReadonlySet<number> = new Set([401, 501]);

/** Builds the report of an error from the parameters of its text. */
export const errorReport = <Code extends ErrorCode>(
  code: Code,
  params: ErrorParams<Code>,
  details: ErrorDetails = {},
): ErrorReport => {
  const { status, type, text, hint, retryAfterS, about, loggedHint }: ErrorRow = errorTable[code];
  const message = forPeer(`${text} ${hint}`, 'provider', params);
  const waiting = retryAfterS === undefined ? {} : { headers: ['retry-after', String(retryAfterS)] };
  // In a message a reason is a sentence, but here it is not.
  const named = about === undefined ? {} : { about: formatMessage(about as never, params as never).replace(/\.$/, '') };
  const toLog = loggedHint === true ? hint : loggedHint;
  const logged = toLog === undefined ? {} : { loggedHint: formatMessage(toLog as never, params as never) };
  return {
    ...{ code, status, type, message, params: params as never },
    ...(finalStatuses.has(status) ? final : waiting),
    ...named,
    ...logged,
    ...details,
  };
};

/** A request that cannot be served. It is thrown, and caught in one place. */
export class GatewayError extends Error {
  readonly report: ErrorReport;

  constructor(report: ErrorReport, options?: ErrorOptions) {
    super(report.message, options);
    this.name = 'GatewayError';
    this.report = report;
  }
}

/** Creates an error to throw, from the parameters of its text. */
export const gatewayError = <Code extends ErrorCode>(
  code: Code,
  params: ErrorParams<Code>,
  details?: ErrorDetails,
): GatewayError => new GatewayError(errorReport(code, params, details));

/** Returns a thrown `GatewayError`, or the one of a bug for anything else, which only the operator sees. */
export const asGatewayError = (error: unknown): GatewayError =>
  error instanceof GatewayError ? error : new GatewayError(errorReport('internal-error', {}), { cause: error });

/** Creates the `GatewayError` `invalid-config` for a caller's config with these diagnostics. */
export const invalidConfig = (diagnostics: readonly Diagnostic[]): GatewayError => {
  const first = diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'the compiler produced no plan.';
  return new GatewayError({ ...errorReport('invalid-config', { first }), diagnostics });
};
