import { deniedStatus } from '../http/status.ts';
import { formatMessage, type MessageParams } from '../text/message.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { InputProblem } from './input-problem.ts';

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
  /** The party that can correct it. */
  readonly fault: 'caller' | 'operator' | 'upstream' | 'gateway';
  /** Whether another branch of the plan could answer. If so, it is the response of its leaf; if not, it ends the request. */
  readonly curable: boolean;
  /** After how many seconds the request may be sent again: the header `retry-after`. */
  readonly retryAfterS?: number;
  readonly text: string;
  readonly hint: string;
  /** The name that logs add to the code, where the code alone does not say which one it is. */
  readonly about?: string;
}

/** Every error that the gateway itself answers with. */
export const errorTable = {
  'missing-service-key': {
    status: 401,
    type: 'authentication_error',
    fault: 'caller',
    curable: false,
    text: 'This gateway requires a service key.',
    hint: 'Send it in the header x-gw-api-key.',
  },
  'wrong-service-key': {
    status: 401,
    type: 'authentication_error',
    fault: 'caller',
    curable: false,
    text: 'The service key of this request is not valid.',
    hint: 'Send a key that the gateway file lists under auth.keys, or one made on the gateway that is neither expired nor revoked, in the header x-gw-api-key.',
  },
  'identity-unavailable': {
    status: 503,
    type: 'gateway_error',
    fault: 'operator',
    curable: false,
    retryAfterS: 1,
    text: 'The gateway cannot check the service key of this request at the moment.',
    hint: 'Try again after the time in retry-after.',
  },
  'secrets-unavailable': {
    status: 503,
    type: 'gateway_error',
    fault: 'operator',
    curable: false,
    text: 'The gateway cannot seal or open secrets, so that nothing with a credential is saved.',
    hint: 'Ask its operator to set GW_MASTER_KEY to the master key of the store.',
  },
  'no-log': {
    status: 404,
    type: 'not_found_error',
    fault: 'operator',
    curable: false,
    text: 'This gateway keeps no log of requests.',
    hint: 'Its gateway file says "log": false. Remove that, and start the gateway again.',
  },
  'file-too-large': {
    status: 413,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The file is larger than {limit} bytes.',
    hint: 'Split it, or ask the operator of this gateway to raise "store.files.max_bytes" in the gateway file.',
  },
  'file-quota': {
    status: 413,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The files of this workspace may have {quota} bytes together. The others have {used}, so that this one does not fit.',
    hint: 'Delete files that are not needed any more, or ask the operator of this gateway to raise "store.files.quota_bytes" in the gateway file.',
  },
  'unsupported-upload': {
    status: 415,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The gateway cannot read this upload: {reason}',
    hint: 'Send a form with content-type multipart/form-data, without a content-encoding, that has the fields purpose and file.',
  },
  'malformed-upload': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The body is not a valid form of the type multipart/form-data: {reason}',
    hint: 'Send the whole form, with the boundary that its content-type names.',
  },
  'range-not-satisfiable': {
    status: 416,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The file has {bytes} bytes, and none in the range that was asked for.',
    hint: 'Ask for a range that begins before its end, or for the whole file, without the header range.',
  },
  'file-damaged': {
    status: 500,
    type: 'gateway_error',
    fault: 'operator',
    curable: false,
    text: 'The file cannot be read, since its stored bytes were changed or are missing.',
    hint: 'Send it again as a new file, or ask the operator of this gateway to restore it from a copy.',
  },
  'files-unavailable': {
    status: 503,
    type: 'gateway_error',
    fault: 'operator',
    curable: false,
    retryAfterS: 5,
    text: 'The gateway cannot reach the place where it keeps files at the moment.',
    hint: 'Try again after the time in retry-after.',
  },
  'store-unavailable': {
    status: 503,
    type: 'gateway_error',
    fault: 'operator',
    curable: false,
    retryAfterS: 1,
    text: 'The gateway cannot reach its store at the moment.',
    hint: 'Try again after the time in retry-after.',
  },
  'missing-scope': {
    status: 403,
    type: 'permission_error',
    fault: 'caller',
    curable: false,
    text: 'The service key of this request does not have the scope {scope}.',
    hint: 'Use a key that has it, or ask who made this key to add it.',
  },
  'workspace-not-reached': {
    status: 403,
    type: 'permission_error',
    fault: 'caller',
    curable: false,
    text: 'The service key of this request does not reach the workspace "{name}" that x-gw-workspace names.',
    hint: '{suggestion}',
  },
  forbidden: {
    status: 403,
    type: 'permission_error',
    fault: 'caller',
    curable: false,
    text: '{fact}',
    hint: '{suggestion}',
  },
  'foreign-origin': {
    status: 403,
    type: 'permission_error',
    fault: 'caller',
    curable: false,
    text: 'A gateway without service keys does not answer requests from {from}.',
    hint: 'Call it at 127.0.0.1 or localhost, or configure service keys.',
  },
  'unknown-route': {
    status: 404,
    type: 'not_found_error',
    fault: 'caller',
    curable: false,
    text: 'The gateway has no endpoint at {path}.',
    hint: 'Paths begin with /v1, for instance /v1/chat/completions.',
  },
  'invalid-path': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The path of this request is not valid: {reason}',
    hint: 'Write the name of the model as one segment of the path, and percent-encode it.',
  },
  'method-not-allowed': {
    status: 405,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The endpoint {path} does not accept {method}.',
    hint: 'Send {allowed}.',
  },
  'foreign-site': {
    status: 403,
    type: 'permission_error',
    fault: 'caller',
    curable: false,
    text: 'The control plane does not answer web pages of {origin}.',
    hint: 'Call it from a program, without the header origin.',
  },
  'no-control-plane': {
    status: 404,
    type: 'not_found_error',
    fault: 'operator',
    curable: false,
    text: 'This gateway has no control plane.',
    hint: 'Its operator can start it with a store: gw serve --store FILE.',
  },
  'upgrade-refused': {
    status: 426,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The endpoint {path} is not served over WebSocket.',
    hint: 'Send an ordinary HTTP request.',
  },
  'upgrade-not-supported': {
    status: 501,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The gateway does not relay WebSocket connections, and models nothing at {path}.',
    hint: 'Send ordinary HTTP requests, or connect to the provider itself.',
  },
  'unknown-endpoint': {
    status: 404,
    type: 'not_found_error',
    fault: 'caller',
    curable: false,
    text: 'The control plane has no endpoint at {path}.',
    hint: 'GET /v1/openapi.json lists its endpoints.',
  },
  'not-found': {
    status: 404,
    type: 'not_found_error',
    fault: 'caller',
    curable: false,
    text: 'There is no {what} "{name}".',
    hint: '{suggestion}',
  },
  conflict: {
    status: 409,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: '{fact}',
    hint: '{suggestion}',
  },
  'idempotency-conflict': {
    status: 409,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The idempotency-key of this request was sent before with another request.',
    hint: 'Use a new key for each request, and the same key only to repeat one.',
  },
  'invalid-content-type': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'This endpoint reads JSON in UTF-8, and the content-type of the request is {given}.',
    hint: 'Send the body with content-type application/json.',
  },
  'invalid-input': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The request is not valid: {first}',
    hint: 'Correct the problems that the member errors lists.',
  },
  'input-too-large': {
    status: 413,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The body is larger than {limit} bytes.',
    hint: 'Send a smaller body.',
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
    text: 'This gateway has no provider "{provider}".',
    hint: '{suggestion}',
  },
  'service-key-not-forwarded': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'The header {header} cannot be forwarded, because it contains the service key of this request, which is never sent to a provider.',
    hint: "Send the service key in x-gw-api-key, and the provider's credential in {header}.",
  },
  'header-not-forwarded': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'The header {header} cannot be forwarded, because it signs the request, or authenticates its client, for this gateway alone.',
    hint: "Send the provider's credential as Authorization: Bearer …, or leave {header} out of the headers to forward.",
  },
  'service-key-in-config': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The config in x-gw-config contains a service key of this gateway, which is never sent to a provider.',
    hint: "Use the provider's own credential there, and send the service key in x-gw-api-key.",
  },
  'invalid-model': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The provider "@{slug}" named in the model cannot be used: {reason}',
    hint: 'Name a provider that is saved on this gateway, as @provider/model.',
  },
  'other-provider-model': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'The model names the saved provider "@{slug}", but this target calls another provider ({provider}).',
    hint: 'Remove "@{slug}/" from the model, or replace it with the provider that this target calls.',
  },
  'model-not-allowed': {
    status: 403,
    type: 'permission_error',
    fault: 'caller',
    curable: true,
    text: 'The saved provider "{slug}" may not be called with {what}.',
    hint: 'Name a model that its integration allows, or ask who manages the integration to allow this one.',
  },
  'unclear-model': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'A list of models or a limit holds for this request, and it is not clear which model it calls: {reason}',
    hint: 'Name one model, once: in the path where that has a place for it, otherwise as "model" in a JSON object.',
  },
  'unknown-config': {
    status: 404,
    type: 'not_found_error',
    fault: 'caller',
    curable: false,
    text: 'There is no saved config "{name}".',
    hint: '{suggestion}',
    about: 'the config "{name}"',
  },
  'missing-default-config': {
    status: 503,
    type: 'gateway_error',
    fault: 'operator',
    curable: false,
    text: 'The request names no config, and the default config "{name}" of this gateway is not available at the moment.',
    hint: 'Send x-gw-config, or ask the operator of the gateway: /readyz shows what is missing.',
    about: 'the config "{name}"',
  },
  'missing-key-config': {
    status: 503,
    type: 'gateway_error',
    fault: 'operator',
    curable: false,
    text: 'The service key of this request has the config "{name}", which is not available at the moment.',
    hint: 'Restore that config, or give the key another one.',
    about: 'the config "{name}"',
  },
  'config-override-refused': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The service key of this request has a config of its own and allows no other.',
    hint: 'Leave x-gw-config out, or use a key whose allow_config_override is not false.',
  },
  'invalid-config': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The config in x-gw-config is not valid: {first}',
    hint: 'Correct the problems that the member diagnostics lists.',
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
    text: 'This request uses a saved provider or guardrail that refers to a missing secret or plugin.',
    hint: 'The operator of the gateway finds the cause in its log under this trace id.',
  },
  'default-guardrail-not-usable': {
    status: 500,
    type: 'gateway_error',
    fault: 'operator',
    curable: false,
    text: 'The default guardrail "{guardrail}" of this workspace or its organisation cannot be used, and no request is served without it. {reason}',
    hint: 'Correct the guardrail, or take it out of the settings of the workspace or of the organisation.',
  },
  'credential-origin-mismatch': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The saved credential of the target "{target}" ({path}) cannot be sent to {host}, which {chooser} chose.',
    hint: 'Send your own credential with that host, or leave the host out.',
  },
  'host-not-allowed': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'This gateway may not call the host {host}: {reason}',
    hint: '{suggestion}',
    about: 'the host {host}',
  },
  'address-not-allowed': {
    status: 502,
    type: 'network_error',
    fault: 'operator',
    curable: true,
    text: 'The host {host} resolves to {address}, which this gateway may not call.',
    hint: 'The operator can list the host in GW_TRUSTED_HOSTS or under trusted_hosts.',
    about: 'the host {host}',
  },
  'malformed-body': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The body is not valid JSON: {reason}',
    hint: 'Send one JSON object with content-type application/json.',
  },
  'unknown-reference': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'Your workspace has nothing with the id "{id}" at this provider. The request names it{place}.',
    hint: 'Name a file or a response that your workspace has made with the same provider.',
  },
  'too-many-references': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The request names more than {most} files and responses.',
    hint: 'Name fewer of them in one request.',
  },
  'unsupported-encoding': {
    status: 415,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The body has the content-encoding {encoding}, which the gateway cannot read.',
    hint: 'Send it without an encoding, or encoded once as gzip, deflate, br or zstd.',
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
    hint: 'Send a smaller body, or use a pass-through path, where bodies are streamed.',
  },
  'header-too-large': {
    status: 431,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The header {header} is larger than {limit} bytes.',
    hint: 'Send shorter headers; a config that is saved on the gateway is sent by its name.',
  },
  overloaded: {
    status: 503,
    type: 'gateway_error',
    fault: 'gateway',
    curable: false,
    retryAfterS: 1,
    text: 'The gateway, or the part of it that your workspace may have, has reached its memory limit for bodies.',
    hint: 'Try again after the time in retry-after.',
  },
  'queue-full': {
    status: 429,
    type: 'rate_limit_error',
    fault: 'caller',
    curable: false,
    retryAfterS: 5,
    text: 'Your workspace has {max} {what} waiting, and may not add more.',
    hint: 'Try again after the time in retry-after, when some of them have begun.',
  },
  'share-full': {
    status: 429,
    type: 'rate_limit_error',
    fault: 'caller',
    curable: false,
    retryAfterS: 1,
    text: 'There is no room for another of your {what}: a workspace may have {share} at once, and all workspaces together {size}.',
    hint: 'End some of yours, or try again after the time in retry-after.',
  },
  draining: {
    status: 503,
    type: 'gateway_error',
    fault: 'gateway',
    curable: false,
    retryAfterS: 5,
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
    text: 'The provider {provider} has no base URL: {reason}',
    hint: 'Give the target a custom_host, or the settings from which its base URL is built.',
  },
  'invalid-settings': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'The provider {provider} cannot be used without settings that only a saved provider has: {reason}',
    hint: 'Name a provider that is saved on this gateway with these settings, as @provider.',
  },
  'missing-model': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'The provider {provider} has the model in its path: {reason}',
    hint: 'Name a model in the request, or in the override_params of the target.',
  },
  'authorization-failed': {
    status: 401,
    type: 'authentication_error',
    fault: 'operator',
    curable: true,
    text: 'The request to {provider} could not be authorised: {reason}',
    hint: 'Correct the credential of the target, or add a fallback target.',
  },
  'token-service-failed': {
    status: 502,
    type: 'network_error',
    fault: 'upstream',
    curable: true,
    text: 'The service at {host}, which authorises requests to {provider}, answered {status}.',
    hint: 'Send the request again.',
  },
  'loss-refused': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'The provider {provider} cannot be sent all of this request. What would be lost: {members}.',
    hint: 'Leave it out, or choose another provider. The operator can allow losses with "on_loss": "tell" in the gateway file.',
  },
  'operation-not-supported': {
    status: 501,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'The provider {provider} does not support {operation}.',
    hint: "Choose a provider that does, or call the provider's own path, which is passed through.",
  },
  'no-such-jobs': {
    status: 501,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The provider {provider} has no {what}.',
    hint: 'Name in x-gw-virtual-key an account at a provider that has: {those}.',
  },
  'no-such-file-operation': {
    status: 501,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The provider {provider} cannot {operation}.',
    hint: '{suggestion}',
  },
  'unjudged-request': {
    status: 403,
    type: 'permission_error',
    fault: 'caller',
    curable: true,
    text: 'The guardrails of this target cannot read the body of a request to this path.',
    hint: 'Call an endpoint whose bodies the gateway reads. The operator can allow such requests with "pass_through": "allow" in the gateway file.',
  },
  'account-change-refused': {
    status: 403,
    type: 'permission_error',
    fault: 'caller',
    curable: true,
    text: 'With the credential of this target, {method} {path} would change what belongs to all who share its account at {provider}, and is no call of a model.',
    hint: 'Use a service key with the scope {scope}, or send a credential of your own for the provider.',
  },
  'unknown-prompt': {
    status: 404,
    type: 'not_found_error',
    fault: 'caller',
    curable: true,
    text: 'There is no prompt "{prompt}".',
    hint: 'It was there when the config was saved: save the config with another one, or make the prompt, its version or its label again.',
  },
  'prompt-of-another-kind': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'The target sends the stored prompt "{prompt}", which serves {kind} only.',
    hint: 'Call {path}, or a config without "prompt_id".',
  },
  'unrendered-prompt': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'The stored prompt "{prompt}" cannot be rendered with {pointer} of the body: {reason}',
    hint: '{suggestion}',
  },
  'precondition-failed': {
    status: 412,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The {what} "{name}" has changed since the entity tag in if-match was read.',
    hint: 'Read it again, and send the change with the etag of that answer.',
  },
  'rate-limited': {
    status: 429,
    type: 'rate_limit_error',
    fault: 'caller',
    curable: true,
    text: 'The rate limit {policy} is reached: it allows {limit}.',
    hint: '{suggestion}',
    about: 'the limit {policy}',
  },
  'usage-exhausted': {
    status: 412,
    type: 'rate_limit_error',
    fault: 'caller',
    curable: true,
    text: 'The usage limit {policy} is reached: it allows {limit}.',
    hint: '{suggestion}',
    about: 'the limit {policy}',
  },
  'limit-reserved': {
    status: 429,
    type: 'rate_limit_error',
    fault: 'caller',
    curable: true,
    retryAfterS: 1,
    text: 'The limit {policy} has no room at the moment: it allows {limit}, of which {used} are used, and requests that are still being answered hold the rest.',
    hint: 'Try again after the time in retry-after.',
    about: 'the limit {policy}',
  },
  'limits-unavailable': {
    status: 503,
    type: 'gateway_error',
    fault: 'operator',
    curable: true,
    retryAfterS: 1,
    text: 'The gateway cannot look up how much of the limit {policy} is used at the moment.',
    hint: 'Try again after the time in retry-after.',
    about: 'the limit {policy}',
  },
  'unpriced-model': {
    status: 412,
    type: 'invalid_request_error',
    fault: 'operator',
    curable: true,
    text: 'The model {model} of {provider} has no price, and the limit {policy} refuses what has none.',
    hint: 'Choose a model with a price, or ask the operator of the gateway to add one under "prices" in the gateway file.',
    about: 'the model {model} and the limit {policy}',
  },
  'unmeasured-request': {
    status: 412,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'What this request uses cannot be measured, and the limit {policy} refuses what cannot.',
    hint: 'Call an endpoint that the gateway models, for instance /v1/chat/completions.',
    about: 'the limit {policy}',
  },
  'request-stalled': {
    status: 408,
    type: 'timeout_error',
    fault: 'caller',
    curable: false,
    text: 'The request did not arrive in time.',
    hint: 'Send the complete request again.',
  },
  'request-timeout': {
    status: 408,
    type: 'timeout_error',
    fault: 'upstream',
    curable: true,
    text: 'The provider did not answer within {ms} ms.',
    hint: 'Raise request_timeout, or add a fallback target.',
  },
  'stream-idle': {
    status: 408,
    type: 'timeout_error',
    fault: 'upstream',
    curable: true,
    text: 'The provider sent nothing for {ms} ms in the middle of its answer.',
    hint: 'Send the request again.',
  },
  'connection-failed': {
    status: 502,
    type: 'network_error',
    fault: 'upstream',
    curable: true,
    text: 'The provider at {host} could not be reached: {reason}',
    hint: 'Check the host, or add a fallback target.',
  },
  'connection-lost': {
    status: 502,
    type: 'network_error',
    fault: 'upstream',
    curable: true,
    text: 'The connection to the provider at {host} was lost: {reason}',
    hint: 'Send the request again.',
  },
  'stream-shut-down': {
    status: 503,
    type: 'gateway_error',
    fault: 'gateway',
    curable: false,
    text: 'The gateway is shutting down, and ended this answer before it was complete.',
    hint: 'Send the request again.',
  },
  'stream-cut': {
    status: 502,
    type: 'network_error',
    fault: 'upstream',
    curable: true,
    text: 'The provider ended its stream before the answer was complete.',
    hint: 'Send the request again.',
  },
  'pool-full': {
    status: 503,
    type: 'network_error',
    fault: 'gateway',
    curable: true,
    text: 'Too many requests are waiting for {host}.',
    hint: 'Try again later, or add a fallback target.',
  },
  'answer-too-large': {
    status: 502,
    type: 'network_error',
    fault: 'upstream',
    curable: true,
    text: "The provider's answer is larger than {limit} bytes.",
    hint: 'Request a stream.',
  },
  'unreadable-answer': {
    status: 502,
    type: 'network_error',
    fault: 'upstream',
    curable: true,
    text: 'The answer of {provider} does not follow its documented format: {reason}',
    hint: 'Send the request again. If it keeps failing, report it with the trace id.',
  },
  'stream-error': {
    status: 502,
    type: 'network_error',
    fault: 'upstream',
    curable: true,
    text: 'The provider reported an error in its stream: {reason}',
    hint: 'Send the request again.',
  },
  'checks-failed': {
    // Isolated declarations need this assertion to know the type of the table.
    status: deniedStatus as typeof deniedStatus,
    type: 'hooks_failed',
    fault: 'caller',
    curable: true,
    text: 'A guardrail denied this {phase}.',
    // A stream that has begun ends with this error alone where its client is strict.
    hint: 'Change the request. The results of checks, where they come with this error, say which one denied it, and why.',
  },
  'internal-error': {
    status: 500,
    type: 'gateway_error',
    fault: 'gateway',
    curable: false,
    text: 'The gateway failed because of an internal error.',
    hint: "See the gateway's log under this trace id.",
  },
} as const;
errorTable satisfies Readonly<Record<string, ErrorRow>>;

export type ErrorCode = keyof typeof errorTable;
type ErrorTable = typeof errorTable;

/** The parameters of a code's text and hint. */
export type ErrorParams<Code extends ErrorCode> =
  MessageParams<`${ErrorTable[Code]['text']}${ErrorTable[Code]['hint']}`>;

/** An error of the gateway as a value, before a dialect writes it. */
export interface ErrorReport {
  readonly code: ErrorCode;
  readonly status: number;
  readonly type: ErrorType;
  /** The fact, then what to do. */
  readonly message: string;
  /** The problems of the caller's config, if these are the error. */
  readonly diagnostics?: readonly Diagnostic[];
  /** The problems of a request to the control plane. */
  readonly errors?: readonly InputProblem[];
  /** Header lines of the answer: name, value, name, value, … */
  readonly headers?: readonly string[];
  /** `false`: it ends the request, although another branch can avoid errors of this code. */
  readonly curable?: false;
  /** The limit, host or config, for logs. */
  readonly about?: string;
}

/** Details of one error beside its code. */
export type ErrorDetails = Pick<ErrorReport, 'headers' | 'curable'>;

/** For the vendors' libraries, which send a request again after every 5xx unless the answer says otherwise. */
const final: ErrorDetails = { headers: ['x-should-retry', 'false'] };

export const errorReport = <Code extends ErrorCode>(
  code: Code,
  params: ErrorParams<Code>,
  details: ErrorDetails = {},
): ErrorReport => {
  const { status, type, text, hint, retryAfterS, about }: ErrorRow = errorTable[code];
  const message = formatMessage(`${text} ${hint}` as never, params as never);
  const waiting = retryAfterS === undefined ? {} : { headers: ['retry-after', String(retryAfterS)] };
  const named = about === undefined ? {} : { about: formatMessage(about as never, params as never) };
  return { code, status, type, message, ...(status === 501 ? final : waiting), ...named, ...details };
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

export const gatewayError = <Code extends ErrorCode>(
  code: Code,
  params: ErrorParams<Code>,
  details?: ErrorDetails,
): GatewayError => new GatewayError(errorReport(code, params, details));
