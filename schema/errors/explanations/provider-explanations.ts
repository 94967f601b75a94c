import type { providerErrors } from '../table/provider-errors.ts';
import type { ErrorExplanation } from './error-explanation.ts';

/** Providers that do not respond, and responses that break. */
export const providerExplanations: { readonly [Code in keyof typeof providerErrors]: ErrorExplanation } = {
  'missing-credential': {
    plane: 'requests',
    cause: 'The provider needs a credential, but neither the config nor the request has one.',
    remedy:
      "Send the provider's key as `Authorization: Bearer …`, or set an `api_key` or a saved provider in the target.",
  },
  'missing-base-url': {
    plane: 'both',
    cause: 'The address of this provider depends on settings, such as the Azure resource, which are missing.',
    remedy: 'Add the settings that the message names to the target, or a `custom_host`.',
  },
  'invalid-settings': {
    plane: 'both',
    cause:
      'The provider comes from a plugin and requires settings that only a saved provider can have, but the request or its config names the provider itself.',
    remedy: 'Save the provider with its settings, and refer to it as `@slug`.',
  },
  'missing-model': {
    plane: 'requests',
    cause: "The provider's API has the model in its path, but the request names none.",
    remedy: 'Name a `model` in the request, or in `override_params` of the target.',
  },
  'unsendable-credential': {
    plane: 'requests',
    cause:
      'The credential of the target, or a setting that is sent in a header, contains a line break, another control character, or a character such as "…". Most likely something was copied along with it.',
    remedy: 'Copy the credential again. A variable that was filled from a file may end with a line break.',
  },
  'authorization-failed': {
    plane: 'requests',
    cause:
      'The credential of the target could not be converted into one that the provider accepts: a service account or an access key is malformed, or was rejected.',
    remedy: 'Correct the credential of the target. In the meantime, a fallback target can serve requests.',
  },
  'token-service-failed': {
    plane: 'requests',
    cause: 'The service that issues access tokens for this provider did not issue one.',
    remedy:
      'Send the request again. If the error persists, check the credential, and whether the gateway can reach that service.',
  },
  'loss-refused': {
    plane: 'requests',
    cause:
      'The request has parts that the provider\'s format cannot express, and the gateway file has `"on_loss": "refuse"`.',
    remedy:
      'Omit what the message lists, choose another provider, or allow losses. `gw explain --dialect` lists losses in advance.',
  },
  'operation-not-supported': {
    plane: 'both',
    cause:
      'The provider has no API for this operation, such as embeddings. Requests for images, audio, rankings, moderations and OCR are still forwarded to a provider that is not known to support them, and the provider itself responds whether it does.',
    remedy: 'Choose a provider that supports it: `gw providers kinds NAME` lists the operations of a provider.',
  },
  'no-capable-target': {
    plane: 'requests',
    cause:
      'The strategy has `"require": "capabilities"`, and every target is known to lack something that the request needs, such as images, tools or such a long prompt.',
    remedy:
      'Omit what the targets lack, or add a target that supports it. `gw models` lists what is known, and `model_facts` in the gateway file can add more.',
  },
  'no-such-jobs': {
    plane: 'control',
    cause: 'This provider has no API for fine-tuning, or the gateway does not support it.',
    remedy: 'Send `x-gw-virtual-key` with an account at one of the providers that the message lists.',
  },
  'no-such-file-operation': {
    plane: 'control',
    cause:
      'The API of this provider lacks this operation for its files: listing them, deleting them, or reading their bytes.',
    remedy:
      'The message says what to do instead. Files that the gateway itself keeps, with `x-gw-provider: gw`, support all operations.',
  },
  'unjudged-request': {
    plane: 'requests',
    cause: 'Guardrails apply to this target, but the request goes to a path whose body they cannot read.',
    remedy: 'Call an endpoint whose bodies the gateway reads. The operator can set `"pass_through": "allow"`.',
  },
  'account-change-refused': {
    plane: 'requests',
    cause:
      "The request would use the gateway's credential to change something that belongs to the whole account at the provider, such as a file or a fine-tuning job.",
    remedy: 'Use a service key with the scope that the message names, or send your own credential.',
  },
  'tls-required': {
    plane: 'both',
    cause: "The gateway's port expects TLS, but the client sent plain HTTP.",
    remedy: 'Use `https://` in the base URL of the client.',
  },
  'request-stalled': {
    plane: 'both',
    cause: 'The headers or the body of the request did not arrive within the time that the gateway allows.',
    remedy: 'Send the whole request again, and look for a proxy that delays request bodies.',
  },
  'request-timeout': {
    plane: 'requests',
    cause: "The provider did not begin to respond within `request_timeout`, or within the gateway's own limit.",
    remedy:
      'Raise `request_timeout`, retry, or add a fallback target: `"on_status_codes": [408]` makes a fallback go on.',
  },
  'stream-idle': {
    plane: 'requests',
    cause: 'The provider stopped sending in the middle of a stream without ending it.',
    remedy: 'Send the request again. A fallback with `continue` goes on with the stream at another target.',
  },
  'connection-failed': {
    plane: 'requests',
    cause:
      'The connection to the provider could not be established: its name does not resolve, the port is closed, or its certificate is not trusted.',
    remedy:
      'Check the host. `gw doctor` tries every host that the configs name. In the meantime, a fallback target can serve requests: `"on_status_codes": [502]` makes a fallback go on.',
  },
  'proxy-failed': {
    plane: 'requests',
    cause: 'The gateway calls the provider through a proxy, which refused the connection or could not be reached.',
    remedy: 'The operator should check `proxy` in the gateway file, or `HTTPS_PROXY`, with `gw doctor`.',
  },
  'connection-lost': {
    plane: 'requests',
    cause: 'The provider closed the connection before its response was complete.',
    remedy: 'Send the request again, or set `retry`.',
  },
  'stream-shut-down': {
    plane: 'requests',
    cause: 'The gateway was shut down, and this stream was not complete when the time for running requests was over.',
    remedy: 'Send the request again.',
  },
  'stream-cut': {
    plane: 'requests',
    cause: "The provider's stream ended without its closing event, so the answer may be incomplete.",
    remedy: 'Send the request again. A fallback with `continue` goes on with the stream at another target.',
  },
  'pool-full': {
    plane: 'requests',
    cause: 'The most requests that may wait for a connection to this host are already waiting.',
    remedy: 'Send the request again later, or add a fallback target.',
  },
  'answer-too-large': {
    plane: 'both',
    cause: "The gateway has to read the provider's response as a whole, but it is larger than the limit.",
    remedy: 'Request a stream, or ask for a smaller answer.',
  },
  'unreadable-answer': {
    plane: 'both',
    cause: 'The response does not have the form that the provider documents, so it cannot be translated.',
    remedy: 'Send the request again. If the error persists, report it with the trace id.',
  },
  'broken-answer': {
    plane: 'requests',
    cause: 'The provider reported in its response that it broke off because of an error on its side.',
    remedy: 'Send the request again, or add a fallback target.',
  },
  'cannot-continue': {
    plane: 'requests',
    cause:
      'A stream broke, and a target of its fallback cannot continue it, for instance because its output guardrails would have to judge all of it. Clients never get this error: the next target is called, and if none is left, the stream ends with the error that broke it.',
    remedy:
      'Nothing needs to be done. If no target could continue the stream, the trail in the log has `notContinued`.',
  },
  'no-output-left': {
    plane: 'requests',
    cause:
      'A stream broke when the response already had about as many tokens as the request allows, so there is nothing to continue. Clients never get this error: the stream ends as if it had reached its token limit, and the log has `notContinued` with the reason `length`.',
    remedy: 'Send the request again with a higher `max_tokens`.',
  },
  'stream-error': {
    plane: 'requests',
    cause: 'The provider sent an error as an event of its stream.',
    remedy: 'Send the request again. The message quotes the provider.',
  },
};
