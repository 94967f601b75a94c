import type { providerErrors } from '../table/provider-errors.ts';
import type { ErrorExplanation } from './error-explanation.ts';

/** Providers that do not answer, and answers that break. */
export const providerExplanations: { readonly [Code in keyof typeof providerErrors]: ErrorExplanation } = {
  'missing-credential': {
    plane: 'requests',
    cause: 'The provider needs a credential, and neither the config nor the request has one.',
    remedy:
      "Send the provider's key as `Authorization: Bearer …`, or give the target an `api_key` or a saved provider.",
  },
  'missing-base-url': {
    plane: 'both',
    cause: 'The address of this provider depends on settings, such as the resource of Azure, and they are missing.',
    remedy: 'Give the target the settings that the message names, or a `custom_host`.',
  },
  'invalid-settings': {
    plane: 'both',
    cause:
      'The provider, which a plugin adds, requires settings of its own that only a saved provider can have, and the request or its config names the provider itself.',
    remedy: 'Save the provider with its settings, and name it as `@slug`.',
  },
  'missing-model': {
    plane: 'requests',
    cause: "The provider's API has the model in its path, and the request names none.",
    remedy: 'Name a `model` in the request, or in `override_params` of the target.',
  },
  'unsendable-credential': {
    plane: 'requests',
    cause:
      'The credential of the target, or a setting of it that is sent in a header, has a line break, another control character, or one such as "…". It was most likely copied with something that is not of it.',
    remedy: 'Copy the credential again. A variable that was read from a file may end with a line break.',
  },
  'authorization-failed': {
    plane: 'requests',
    cause:
      'The credential of the target could not be turned into what the provider accepts: a service account or an access key is malformed, or was refused.',
    remedy: 'Correct the credential of the target. A fallback target serves requests meanwhile.',
  },
  'token-service-failed': {
    plane: 'requests',
    cause: 'The service that gives access tokens for this provider did not give one.',
    remedy:
      'Send the request again. If it lasts, check the credential, and whether the gateway can reach that service.',
  },
  'loss-refused': {
    plane: 'requests',
    cause:
      'The request has parts that the provider\'s format cannot express, and the gateway file says `"on_loss": "refuse"`.',
    remedy:
      'Leave out what the message lists, choose another provider, or allow losses. `gw explain --dialect` lists them beforehand.',
  },
  'operation-not-supported': {
    plane: 'both',
    cause:
      'The provider has no API for this operation, such as embeddings. Images, audio, rankings, moderations and OCR are passed on to a provider that is not known to have them, which says itself whether it has.',
    remedy: 'Choose a provider that has it: `gw providers kinds NAME` lists the operations of one.',
  },
  'no-capable-target': {
    plane: 'requests',
    cause:
      'The strategy says `"require": "capabilities"`, and of no target is it known that it can serve what the request needs: images, tools or so long a prompt.',
    remedy:
      'Leave out what the targets lack, or add a target that has it. `gw models` lists what is known, and `model_facts` of the gateway file states more.',
  },
  'no-such-jobs': {
    plane: 'control',
    cause: 'Fine-tuning is not an API of this provider, or the gateway does not speak it.',
    remedy: 'Name in `x-gw-virtual-key` an account at one of the providers that the message lists.',
  },
  'no-such-file-operation': {
    plane: 'control',
    cause:
      'The API of this provider has no such operation for its files: a list of them, their deletion, or their bytes.',
    remedy:
      'The message says what to do in its place. Files that are kept at the gateway, with `x-gw-provider: gw`, have all operations.',
  },
  'unjudged-request': {
    plane: 'requests',
    cause: 'Guardrails hold for this target, and the request goes to a path whose body they cannot read.',
    remedy: 'Call an endpoint whose bodies the gateway reads. The operator can set `"pass_through": "allow"`.',
  },
  'account-change-refused': {
    plane: 'requests',
    cause:
      "The request would change what belongs to the whole account at the provider, such as a file or a fine-tuning job, with a credential that is the gateway's.",
    remedy: 'Use a service key with the scope that the message names, or send a credential of your own.',
  },
  'tls-required': {
    plane: 'both',
    cause: 'The port of the gateway speaks TLS, and the client sent plain HTTP.',
    remedy: 'Write `https://` in the base URL of the client.',
  },
  'request-stalled': {
    plane: 'both',
    cause: 'The head or the body of the request did not arrive within the time that the gateway gives it.',
    remedy: 'Send the whole request again, and look for a proxy that holds bodies back.',
  },
  'request-timeout': {
    plane: 'requests',
    cause: "The provider did not begin to answer within `request_timeout`, or within the gateway's own bound.",
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
      'No connection to the provider came about: its name does not resolve, the port is closed, or its certificate is not trusted.',
    remedy:
      'Check the host. `gw doctor` tries every host that the configs name. A fallback target serves requests meanwhile: `"on_status_codes": [502]` makes a fallback go on.',
  },
  'proxy-failed': {
    plane: 'requests',
    cause: 'The gateway calls the provider by a proxy, which refused the connection or could not be reached.',
    remedy: 'The operator checks `proxy` of the gateway file, or `HTTPS_PROXY`, with `gw doctor`.',
  },
  'connection-lost': {
    plane: 'requests',
    cause: 'The provider closed the connection before its answer was complete.',
    remedy: 'Send the request again, or set `retry`.',
  },
  'stream-shut-down': {
    plane: 'requests',
    cause: 'The gateway was stopped, and this stream was not complete when its time to finish had passed.',
    remedy: 'Send the request again.',
  },
  'stream-cut': {
    plane: 'requests',
    cause: 'The stream of the provider ended without its closing event, so that the answer may be incomplete.',
    remedy: 'Send the request again. A fallback with `continue` goes on with the stream at another target.',
  },
  'pool-full': {
    plane: 'requests',
    cause: 'As many requests as may wait for a connection to this host are waiting already.',
    remedy: 'Send the request again later, or add a fallback target.',
  },
  'answer-too-large': {
    plane: 'both',
    cause: "The provider's answer, which the gateway has to read as a whole, is larger than its bound.",
    remedy: 'Request a stream, or ask for a smaller answer.',
  },
  'unreadable-answer': {
    plane: 'both',
    cause: 'The answer does not have the form that the provider documents, so that it cannot be translated.',
    remedy: 'Send the request again. If it lasts, report it with the trace id.',
  },
  'broken-answer': {
    plane: 'requests',
    cause: 'The provider itself said in its answer that it broke off because of an error of its own.',
    remedy: 'Send the request again, or add a fallback target.',
  },
  'cannot-continue': {
    plane: 'requests',
    cause:
      'A stream broke, and a target of its fallback cannot go on with it, for instance since its output guardrails would have to judge all of it. Clients never get this error: the next target is asked, and where none is left, the stream ends with the error by which it broke.',
    remedy: 'Nothing. The trail of the log says `notContinued` where no target could go on.',
  },
  'no-output-left': {
    plane: 'requests',
    cause:
      'A stream broke when the request had already got about as many tokens as it allows, so that there is nothing to continue. Clients never get this error: the stream ends as one that has reached its limit of tokens, and the log says `notContinued` with the reason `length`.',
    remedy: 'Send the request again with a higher `max_tokens`.',
  },
  'stream-error': {
    plane: 'requests',
    cause: 'The provider sent an error as an event of its stream.',
    remedy: "Send the request again. The message has the provider's own words.",
  },
};
