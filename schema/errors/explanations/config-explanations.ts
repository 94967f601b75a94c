import type { configErrors } from '../table/config-errors.ts';
import type { ErrorExplanation } from './error-explanation.ts';

/** Configs and prompts of requests, and the targets and hosts that they name. */
export const configExplanations: { readonly [Code in keyof typeof configErrors]: ErrorExplanation } = {
  'unknown-config': {
    plane: 'requests',
    cause:
      '`x-gw-config`, or the model of the request, names a config that this gateway does not have, or that belongs to another workspace.',
    remedy:
      'Correct the name; the message suggests the nearest one. Or save the config with `gw configs create`, or as a file in the folder of configs.',
  },
  'unknown-model': {
    plane: 'requests',
    cause:
      '`GET /v1/models/NAME` names a model that `GET /v1/models` with the same headers does not list, and the request names no provider that could know it.',
    remedy:
      'Correct the name; the message suggests the nearest one. For a model of a provider, also send `x-gw-provider` or `x-gw-config`.',
  },
  'missing-default-config': {
    plane: 'requests',
    cause:
      'The request names no config, so the default config should serve it. But that config was deleted, has errors, or is not loaded yet.',
    remedy:
      'Send `x-gw-config`, or correct the default config. `/readyz` says what is wrong with it, and `gw check` shows where.',
  },
  'missing-key-config': {
    plane: 'requests',
    cause: 'The service key has its own config, which has since been deleted or has errors.',
    remedy: 'Restore the config, or assign another one to the key with `gw keys update`.',
  },
  'missing-model-config': {
    plane: 'requests',
    cause:
      'The virtual model that the request names stands for a config or a provider that has since been deleted, expired or has errors.',
    remedy: 'Name another model, or restore what the virtual model stands for.',
  },
  'config-override-refused': {
    plane: 'requests',
    cause: 'The service key has a config and `allow_config_override: false`, but the request specifies another config.',
    remedy: 'Omit `x-gw-config`, or use a key that allows it.',
  },
  'unsaved-refused': {
    plane: 'both',
    cause:
      'The gateway file has `"unsaved_routing": "refuse"`, but the request contains a config as JSON, a provider by its id, a host, or names of headers to forward.',
    remedy: 'Name a saved config in `x-gw-config`, or a saved provider as `@slug`, and omit the other headers.',
  },
  'invalid-config': {
    plane: 'requests',
    cause:
      'The JSON in `x-gw-config` is a config with errors. The member `diagnostics` of the response lists each error with its place.',
    remedy:
      'Correct what `diagnostics` lists. `gw check` finds the same errors in a file, and `gw explain --code CODE` explains a code.',
  },
  'invalid-header': {
    plane: 'both',
    cause: 'A header of the gateway has an invalid value, or a name that the gateway does not know.',
    remedy: 'Correct the header that the message names. The headers page of the reference describes each header.',
  },
  'saved-not-usable': {
    plane: 'requests',
    cause:
      'A saved provider or guardrail for this request refers to a secret, an environment variable or a plugin that does not exist.',
    remedy:
      'The operator can find the cause in the log under the trace id of this response, and restore what is missing.',
  },
  'default-guardrail-not-usable': {
    plane: 'requests',
    cause:
      'The workspace or its organisation has a default guardrail that must check every request, but it cannot be loaded. No request is served without it.',
    remedy: 'Correct the guardrail, or remove it from the settings of the workspace or organisation.',
  },
  'missing-provider': {
    plane: 'both',
    cause: 'Neither a config, nor `x-gw-provider`, nor the model of the request says which provider to call.',
    remedy:
      'Send `x-gw-config` or `x-gw-provider`, write the model as `@provider/model`, or set a `default_config` in the gateway file.',
  },
  'unknown-provider': {
    plane: 'both',
    cause: 'The name of the provider is neither a built-in one, nor one from a plugin, nor the `@slug` of a saved one.',
    remedy:
      'Correct the name. `gw providers kinds` lists the built-in providers, and `gw providers list` the saved ones.',
  },
  'service-key-not-forwarded': {
    plane: 'requests',
    cause:
      "The request has the gateway's service key in a header that would be sent to the provider. The gateway never forwards its own keys.",
    remedy: "Send the service key in `x-gw-api-key`, and the provider's credential in the header that is forwarded.",
  },
  'header-not-forwarded': {
    plane: 'requests',
    cause:
      'A header that is listed for forwarding signs the request, or authenticates the client, for this gateway only.',
    remedy:
      "Remove the header from `forward_headers` or `x-gw-forward-headers`, and send the provider's credential as `Authorization: Bearer …`.",
  },
  'service-key-in-config': {
    plane: 'requests',
    cause: "The config in `x-gw-config` has a service key of this gateway where a provider's credential belongs.",
    remedy: "Write the provider's credential into the config, and send the service key in `x-gw-api-key`.",
  },
  'service-key-in-path': {
    plane: 'both',
    cause:
      "A segment of the path, or of the base URL in `x-gw-custom-host`, looks like a service key or is the caller's own. It would be sent to the provider unchanged.",
    remedy:
      'Send the service key in `x-gw-api-key`. If others can read logs that contain the path, rotate the key with `gw keys rotate`.',
  },
  'invalid-model': {
    plane: 'requests',
    cause: 'The model is written as `@provider/model`, but no provider of that name is saved, or it cannot be used.',
    remedy: 'Save the provider, or name one that is saved: `gw providers list`.',
  },
  'other-provider-model': {
    plane: 'requests',
    cause:
      'The model begins with a saved provider, but the target of the config that serves the request calls another provider.',
    remedy: 'Write the model without `@slug/`, or name the provider of the target.',
  },
  'model-not-allowed': {
    plane: 'both',
    cause: 'The integration of the saved provider lists the models that may be called, and this one is not among them.',
    remedy: 'Name an allowed model: `GET /v1/models` lists them. Whoever manages the integration can allow more.',
  },
  'unclear-model': {
    plane: 'both',
    cause:
      'A list of allowed models or a limit applies to this request, but the gateway cannot determine which model it would call: the request names none, or two.',
    remedy: 'Name one model, once: in the path if that has a place for it, otherwise as `model` in a JSON object.',
  },
  'credential-origin-mismatch': {
    plane: 'both',
    cause:
      'A saved credential would be sent to a host, or together with headers, that the request chose. It is sent only to hosts and with headers that the operator or its owner configured.',
    remedy:
      'Send your own credential with that host, or omit the host. To forward headers with a saved credential, list them in `forward_headers` in a config of the gateway.',
  },
  'host-not-allowed': {
    plane: 'both',
    cause:
      'The request chose a host that this gateway may not call: an address in its own network, plain HTTP to another machine, or a host that is not in the list.',
    remedy:
      'Name another host. The operator can allow this one under `trusted_hosts` in the gateway file or in `GW_TRUSTED_HOSTS`.',
  },
  'address-not-allowed': {
    plane: 'requests',
    cause:
      "The host name resolves to an address in the gateway's own network, and requests may not choose such an address.",
    remedy:
      'If the host may be called, the operator can list it under `trusted_hosts` in the gateway file or in `GW_TRUSTED_HOSTS`.',
  },
  'host-behind-proxy': {
    plane: 'requests',
    cause:
      'The gateway calls this host through a proxy, which resolves the name itself, so the gateway cannot check the address of a host that a request chose.',
    remedy:
      'The operator can list the host under `trusted_hosts` or in `GW_TRUSTED_HOSTS`, or in `NO_PROXY` if it can be reached directly.',
  },
  'unusable-tls': {
    plane: 'requests',
    cause:
      "The gateway's certificates or client key for this host cannot be read, do not belong together, or are not accepted by OpenSSL, for instance because the key is too short.",
    remedy: 'The operator can run `gw doctor`, which names the file and what is wrong with it.',
  },
  'unknown-prompt': {
    plane: 'requests',
    cause: 'The config names a stored prompt, a version or a label of one that was deleted after the config was saved.',
    remedy: 'Name another prompt in `prompt_id`, or create the prompt, the version or the label again.',
  },
  'prompt-of-another-kind': {
    plane: 'requests',
    cause: 'The stored prompt was written for one kind of request, such as chats, and this request is of another kind.',
    remedy: 'Call the path that the message names, or use a config without `prompt_id`.',
  },
  'unrendered-prompt': {
    plane: 'both',
    cause:
      'The variables of the request do not fit the stored prompt: one is missing, or has another type than the prompt expects.',
    remedy: 'Correct the variable that the message names. `gw prompts get` shows the variables of a prompt.',
  },
};
