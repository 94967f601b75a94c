import type { configErrors } from '../table/config-errors.ts';
import type { ErrorExplanation } from './error-explanation.ts';

/** Configs and prompts of requests, and the targets and hosts that they name. */
export const configExplanations: { readonly [Code in keyof typeof configErrors]: ErrorExplanation } = {
  'unknown-config': {
    plane: 'requests',
    cause:
      '`x-gw-config`, or the model of the request, names a config that this gateway does not have, or that another workspace has.',
    remedy:
      'Correct the name, or save the config: `gw configs create`, or a file in the folder of configs. The message suggests the nearest name.',
  },
  'unknown-model': {
    plane: 'requests',
    cause:
      '`GET /v1/models/NAME` names a model that `GET /v1/models` with the same headers does not list, and no provider is named that could know it.',
    remedy:
      'Correct the name: the message suggests the nearest. For a model of a provider, send `x-gw-provider` or `x-gw-config` too.',
  },
  'missing-default-config': {
    plane: 'requests',
    cause:
      'The request names no config, so that the default config would serve it; it was deleted, has errors, or is not loaded yet.',
    remedy:
      'Send `x-gw-config`, or correct the default config. `/readyz` says what is wrong with it, and `gw check` where.',
  },
  'missing-key-config': {
    plane: 'requests',
    cause: 'The service key has a config of its own, which was deleted or has errors since.',
    remedy: 'Restore the config, or give the key another one with `gw keys update`.',
  },
  'missing-model-config': {
    plane: 'requests',
    cause:
      'The virtual model that the request names stands for a config or a provider that was deleted or has errors since.',
    remedy: 'Name another model, or restore what the virtual model stands for.',
  },
  'config-override-refused': {
    plane: 'requests',
    cause: 'The service key has a config and `allow_config_override: false`, and the request brings another config.',
    remedy: 'Leave `x-gw-config` out, or use a key that allows it.',
  },
  'unsaved-refused': {
    plane: 'both',
    cause:
      'The gateway file says `"unsaved_routing": "refuse"`, and the request brings a config as JSON, a provider by its id, a host, or names of headers to forward.',
    remedy: 'Name a saved config in `x-gw-config`, or a saved provider as `@slug`, and leave the other headers out.',
  },
  'invalid-config': {
    plane: 'requests',
    cause:
      'The JSON in `x-gw-config` is a config with errors. The member `diagnostics` of the answer lists each of them with its place.',
    remedy:
      'Correct what `diagnostics` lists. `gw check` finds the same in a file, and `gw explain --code CODE` explains a code.',
  },
  'invalid-header': {
    plane: 'both',
    cause: 'A header of the gateway has a value that it cannot have, or its name is none that the gateway knows.',
    remedy: 'Correct the header that the message names. The page on headers in the reference describes each of them.',
  },
  'saved-not-usable': {
    plane: 'requests',
    cause:
      'A saved provider or guardrail that serves this request refers to a secret, an environment variable or a plugin that is not there.',
    remedy: 'The operator finds the cause in the log under the trace id of this answer, and puts back what is missing.',
  },
  'default-guardrail-not-usable': {
    plane: 'requests',
    cause:
      'The workspace or its organisation has a default guardrail, which has to check every request, and it cannot be loaded. No request is served without it.',
    remedy: 'Correct the guardrail, or take it out of the settings of the workspace or organisation.',
  },
  'missing-provider': {
    plane: 'both',
    cause: 'Neither a config, nor `x-gw-provider`, nor the model of the request says which provider to call.',
    remedy:
      'Send `x-gw-config` or `x-gw-provider`, write the model as `@provider/model`, or give the gateway a `default_config`.',
  },
  'unknown-provider': {
    plane: 'both',
    cause:
      'The name of the provider is neither one that comes with the gateway, nor one of a plugin, nor `@slug` of a saved one.',
    remedy:
      'Correct the name. `gw providers kinds` lists the providers that come with the gateway, and `gw providers list` those that are saved.',
  },
  'service-key-not-forwarded': {
    plane: 'requests',
    cause:
      'The request has the service key of the gateway in a header that would be sent to the provider. The gateway never sends its own keys on.',
    remedy: "Send the service key in `x-gw-api-key`, and the provider's credential in the header that is forwarded.",
  },
  'header-not-forwarded': {
    plane: 'requests',
    cause: 'A header that was to be forwarded signs the request, or authenticates the client, for this gateway alone.',
    remedy:
      "Take the header out of `forward_headers` or `x-gw-forward-headers`, and send the provider's credential as `Authorization: Bearer …`.",
  },
  'service-key-in-config': {
    plane: 'requests',
    cause: "The config in `x-gw-config` has a service key of this gateway where a provider's credential belongs.",
    remedy: "Write the provider's credential into the config, and send the service key in `x-gw-api-key`.",
  },
  'service-key-in-path': {
    plane: 'both',
    cause:
      'A segment of the path, or of the base URL in `x-gw-custom-host`, has the form of a service key, or is that of the caller. It would be sent to the provider as it is.',
    remedy:
      'Send the service key in `x-gw-api-key`. Rotate it with `gw keys rotate` if others can read logs that contain the path.',
  },
  'invalid-model': {
    plane: 'requests',
    cause: 'The model is written as `@provider/model`, and no provider of that name is saved, or it cannot be used.',
    remedy: 'Save the provider, or name one that is saved: `gw providers list`.',
  },
  'other-provider-model': {
    plane: 'requests',
    cause:
      'The model begins with a saved provider, but the target of the config that serves the request calls another one.',
    remedy: 'Write the model without `@slug/`, or name the provider of the target.',
  },
  'model-not-allowed': {
    plane: 'both',
    cause: 'The integration of the saved provider lists the models that may be called, and this one is not among them.',
    remedy: 'Name a model that is allowed: `GET /v1/models` lists them. Who manages the integration can allow more.',
  },
  'unclear-model': {
    plane: 'both',
    cause:
      'A list of allowed models or a limit holds for this request, and the gateway cannot say which model it would call: the request names none, or two.',
    remedy: 'Name one model, once: in the path where that has a place for it, otherwise as `model` in a JSON object.',
  },
  'credential-origin-mismatch': {
    plane: 'both',
    cause:
      'A saved credential would go to a host, or together with headers, that the request chose. It goes only where, and with what, the operator or its owner said.',
    remedy:
      'Send a credential of your own with that host, or leave the host out. Headers to forward beside a saved credential are named by `forward_headers` in a config of the gateway.',
  },
  'host-not-allowed': {
    plane: 'both',
    cause:
      'The request chose a host that this gateway may not call: an address of its own network, plain HTTP to another machine, or a host that is not in the list.',
    remedy:
      'Name another host. The operator can allow it under `trusted_hosts` of the gateway file or in `GW_TRUSTED_HOSTS`.',
  },
  'address-not-allowed': {
    plane: 'requests',
    cause: 'The name of the host resolves to an address in the network of the gateway, which requests cannot choose.',
    remedy:
      'The operator lists the host under `trusted_hosts` of the gateway file or in `GW_TRUSTED_HOSTS` if it may be called.',
  },
  'host-behind-proxy': {
    plane: 'requests',
    cause:
      'The gateway calls this host by a proxy, which resolves the name itself, so that the gateway cannot check the address of a host that a request chose.',
    remedy:
      'The operator lists the host under `trusted_hosts` or in `GW_TRUSTED_HOSTS`, or in `NO_PROXY` if it can be reached directly.',
  },
  'unusable-tls': {
    plane: 'requests',
    cause:
      'The certificates or the client key of the gateway for this host cannot be read, do not belong together, or are not accepted by OpenSSL, for instance since the key is too short.',
    remedy: 'The operator runs `gw doctor`, which names the file and what is wrong with it.',
  },
  'unknown-prompt': {
    plane: 'requests',
    cause: 'The config names a stored prompt, a version or a label of one that was deleted after the config was saved.',
    remedy: 'Name another prompt in `prompt_id`, or make the prompt, the version or the label again.',
  },
  'prompt-of-another-kind': {
    plane: 'requests',
    cause: 'The stored prompt was written for one kind of request, such as chats, and this request is of another.',
    remedy: 'Call the path that the message names, or use a config without `prompt_id`.',
  },
  'unrendered-prompt': {
    plane: 'both',
    cause:
      'The variables of the request do not fit the stored prompt: one is missing, or has another type than the prompt expects.',
    remedy: 'Correct the variable that the message names. `gw prompts get` shows the variables of a prompt.',
  },
};
