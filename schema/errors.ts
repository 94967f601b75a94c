import type { Diagnostic } from './diagnostic.ts';
import { formatMessage, type MessageParams } from './message.ts';
import { deniedStatus } from './status.ts';

/** The `type` member of an error answer. */
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
  /** Who can mend it. */
  readonly fault: 'caller' | 'operator' | 'upstream' | 'gateway';
  /** Whether another branch of the plan could answer; if so it is a response of its leaf, else it ends the request. */
  readonly curable: boolean;
  readonly text: string;
  readonly hint: string;
}

/** Every error the gateway itself answers with. */
export const errorTable = {
  'missing-service-key': {
    status: 401,
    type: 'authentication_error',
    fault: 'caller',
    curable: false,
    text: 'This gateway asks for a service key.',
    hint: 'Send it in the header x-gw-api-key.',
  },
  'wrong-service-key': {
    status: 401,
    type: 'authentication_error',
    fault: 'caller',
    curable: false,
    text: 'The service key of this request is not one of this gateway.',
    hint: 'Send one that the gateway file lists under auth.keys, in the header x-gw-api-key.',
  },
  'foreign-origin': {
    status: 403,
    type: 'permission_error',
    fault: 'caller',
    curable: false,
    text: 'A gateway without service keys does not answer requests from {from}.',
    hint: 'Call it as 127.0.0.1 or localhost, or give it service keys.',
  },
  'unknown-route': {
    status: 404,
    type: 'not_found_error',
    fault: 'caller',
    curable: false,
    text: 'There is nothing at {path}.',
    hint: 'Paths begin with /v1, for instance /v1/chat/completions.',
  },
  'method-not-allowed': {
    status: 405,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'There is no {method} of {path}.',
    hint: 'Send GET.',
  },
  'missing-provider': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The request names no provider.',
    hint: '{suggestion}',
  },
  'unknown-provider': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'There is no provider "{provider}" here.',
    hint: '{suggestion}',
  },
  'service-key-not-forwarded': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'The header {header} is to be forwarded, but it holds the service key of this request, which goes to no provider.',
    hint: "Send the service key in x-gw-api-key, and the provider's credential in {header}.",
  },
  'invalid-model': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The provider "@{slug}" that the model names cannot be used: {reason}',
    hint: 'Send a model of a provider that this gateway has saved, as @provider/model.',
  },
  'other-provider-model': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'The model names the saved provider "@{slug}", but this target calls another provider ({provider}).',
    hint: 'Send the model without "@{slug}/", or behind the name of the provider that this target calls.',
  },
  'unknown-config': {
    status: 404,
    type: 'not_found_error',
    fault: 'caller',
    curable: false,
    text: 'There is no saved config "{name}".',
    hint: '{suggestion}',
  },
  'missing-default-config': {
    status: 503,
    type: 'gateway_error',
    fault: 'operator',
    curable: false,
    text: 'The request names no config, and the default config "{name}" of this gateway is not there at the moment.',
    hint: 'Send x-gw-config, or ask whoever runs the gateway: /readyz says what is missing.',
  },
  'invalid-config': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The config in x-gw-config is not valid: {first}',
    hint: 'See diagnostics.',
  },
  'invalid-header': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The header {header} is not valid: {reason}',
    hint: 'See the header table of the README.',
  },
  'saved-not-usable': {
    status: 500,
    type: 'gateway_error',
    fault: 'operator',
    curable: false,
    text: 'What this gateway has saved under that name cannot be used: something that it refers to is missing.',
    hint: "Whoever runs the gateway finds it in the gateway's log under this trace id.",
  },
  'credential-origin-mismatch': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'A saved credential cannot be sent to {host}, which the request chose.',
    hint: 'Send your own credential with that host, or leave the host out.',
  },
  'host-not-allowed': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The host {host} is not one this gateway may call: {reason}',
    hint: '{suggestion}',
  },
  'address-not-allowed': {
    status: 502,
    type: 'network_error',
    fault: 'operator',
    curable: true,
    text: 'The host {host} leads to {address}, which this gateway may not call.',
    hint: 'The operator can list the host in GW_TRUSTED_HOSTS or under trusted_hosts.',
  },
  'malformed-body': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The body is not valid JSON: {reason}',
    hint: 'Send one JSON object with content-type application/json.',
  },
  'invalid-request': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'The request does not fit the {dialect} dialect: {reason}',
    hint: 'Correct the member that the message names.',
  },
  'body-too-large': {
    status: 413,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The body is larger than {limit} bytes.',
    hint: 'Send less, or use a pass-through path, where bodies stream.',
  },
  'header-too-large': {
    status: 431,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The header {header} is larger than {limit} bytes.',
    hint: 'Save the config on the gateway and send its name.',
  },
  overloaded: {
    status: 503,
    type: 'gateway_error',
    fault: 'gateway',
    curable: false,
    text: 'The gateway holds as many bodies in memory as it may.',
    hint: 'Try again after the time in retry-after.',
  },
  draining: {
    status: 503,
    type: 'gateway_error',
    fault: 'gateway',
    curable: false,
    text: 'The gateway is shutting down.',
    hint: 'Try again after the time in retry-after.',
  },
  'missing-credential': {
    status: 401,
    type: 'authentication_error',
    fault: 'caller',
    curable: true,
    text: 'The provider {provider} needs a credential, and this target has none.',
    hint: 'Send Authorization: Bearer …, or give the target an api_key.',
  },
  'missing-base-url': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'The provider {provider} has no address of its own: {reason}',
    hint: 'Give the target a custom_host, or the settings that its address is made of.',
  },
  'operation-not-supported': {
    status: 501,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'The provider {provider} does not offer {operation}.',
    hint: "Choose a provider that does, or call the provider's own path by pass-through.",
  },
  'streamed-output-checks': {
    status: 501,
    type: 'invalid_request_error',
    fault: 'operator',
    curable: true,
    text: 'Output checks read whole answers, and this request asks for a stream.',
    hint: 'Send stream: false, or take the output checks off this target.',
  },
  'unknown-prompt': {
    status: 404,
    type: 'not_found_error',
    fault: 'caller',
    curable: true,
    text: 'There is no prompt "{prompt}".',
    hint: 'Use the id of a saved prompt.',
  },
  'request-timeout': {
    status: 408,
    type: 'timeout_error',
    fault: 'upstream',
    curable: true,
    text: 'The provider did not answer within {ms} ms.',
    hint: 'Raise request_timeout, or let a fallback answer.',
  },
  'stream-idle': {
    status: 408,
    type: 'timeout_error',
    fault: 'upstream',
    curable: true,
    text: 'The provider sent nothing for {ms} ms in the middle of its answer.',
    hint: 'Ask again.',
  },
  'connection-failed': {
    status: 502,
    type: 'network_error',
    fault: 'upstream',
    curable: true,
    text: 'The provider at {host} could not be reached: {reason}',
    hint: 'Check the host, or let a fallback answer.',
  },
  'connection-lost': {
    status: 502,
    type: 'network_error',
    fault: 'upstream',
    curable: true,
    text: 'The provider at {host} broke off: {reason}',
    hint: 'Ask again.',
  },
  'stream-cut': {
    status: 502,
    type: 'network_error',
    fault: 'upstream',
    curable: true,
    text: 'The provider ended its stream before the answer was whole.',
    hint: 'Ask again.',
  },
  'pool-full': {
    status: 503,
    type: 'network_error',
    fault: 'gateway',
    curable: true,
    text: 'Too many requests are waiting for {host}.',
    hint: 'Try again later, or let a fallback answer.',
  },
  'answer-too-large': {
    status: 502,
    type: 'network_error',
    fault: 'upstream',
    curable: true,
    text: "The provider's answer is larger than {limit} bytes.",
    hint: 'Ask for a stream.',
  },
  'unreadable-answer': {
    status: 502,
    type: 'network_error',
    fault: 'upstream',
    curable: true,
    text: 'The answer of {provider} is not what its documentation promises: {reason}',
    hint: 'Ask again; if it lasts, report it with the trace id.',
  },
  'stream-error': {
    status: 502,
    type: 'network_error',
    fault: 'upstream',
    curable: true,
    text: 'The provider reported an error in its stream: {reason}',
    hint: 'Ask again.',
  },
  'checks-failed': {
    // A declaration says only what is asserted here: without it the type of the table is not known.
    status: deniedStatus as typeof deniedStatus,
    type: 'hooks_failed',
    fault: 'caller',
    curable: true,
    text: 'A guardrail denied this {phase}.',
    hint: 'The member hook_results says which check, and why.',
  },
  'plugin-failed': {
    status: 500,
    type: 'gateway_error',
    fault: 'gateway',
    curable: false,
    text: 'The plugin {plugin} failed.',
    hint: "See the gateway's log under this trace id.",
  },
  'internal-error': {
    status: 500,
    type: 'gateway_error',
    fault: 'gateway',
    curable: false,
    text: 'The gateway failed.',
    hint: "See the gateway's log under this trace id.",
  },
} as const;
errorTable satisfies Readonly<Record<string, ErrorRow>>;

export type ErrorCode = keyof typeof errorTable;
type ErrorTable = typeof errorTable;

/** What a code's text and hint need. */
export type ErrorParams<Code extends ErrorCode> =
  MessageParams<`${ErrorTable[Code]['text']}${ErrorTable[Code]['hint']}`>;

/** An error of the gateway as a value, before a dialect writes it. */
export interface ErrorReport {
  readonly code: ErrorCode;
  readonly status: number;
  readonly type: ErrorType;
  /** The fact and what to do. */
  readonly message: string;
  /** What is wrong with the caller's config, where that is the error. */
  readonly diagnostics?: readonly Diagnostic[];
}

export const errorReport = <Code extends ErrorCode>(code: Code, params: ErrorParams<Code>): ErrorReport => {
  const { status, type, text, hint } = errorTable[code];
  return { code, status, type, message: formatMessage(`${text} ${hint}` as never, params as never) };
};

/** A request nobody can serve; thrown, and caught in one place. */
export class GatewayError extends Error {
  readonly report: ErrorReport;

  constructor(report: ErrorReport, options?: ErrorOptions) {
    super(report.message, options);
    this.name = 'GatewayError';
    this.report = report;
  }
}

export const gatewayError = <Code extends ErrorCode>(code: Code, params: ErrorParams<Code>): GatewayError =>
  new GatewayError(errorReport(code, params));
