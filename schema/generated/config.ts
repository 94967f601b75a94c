// Made from schema/config.schema.json by schema/generate.ts (npm run generate); do not edit.
import type { JsonObject } from '../json/json.ts';

/**
 * A guardrail on what is sent to the model: the slug of one saved in the gateway file, or an object whose other members are checks with their parameters.
 */
export type InputGuardrail =
  | string
  | {
      /**
       * The name that `hook_results` shows or, if there are no checks, the slug of a guardrail saved in the gateway file.
       */
      id?: string;
      /**
       * Whether to refuse with status 446 if a check fails. Otherwise the response is marked with status 246.
       */
      deny?: boolean;
      /**
       * Whether to run in the background. The response then neither waits for the checks nor is changed by them.
       */
      async?: boolean;
      /**
       * What happens if the checks fail.
       */
      on_fail?: {
        feedback?: Feedback;
      };
      /**
       * What happens if the checks pass.
       */
      on_success?: {
        feedback?: Feedback;
      };
      /**
       * The parameters of a check. The name of the member is the check's id, such as `default.contains`; an id without a dot stands for one that begins with `default.`.
       */
      [k: string]:
        | JsonObject
        | string
        | boolean
        | {
            feedback?: Feedback;
          }
        | undefined;
    };
/**
 * A guardrail on what the model returns: the slug of one saved in the gateway file, or an object whose other members are checks with their parameters.
 */
export type OutputGuardrail =
  | string
  | {
      /**
       * The name that `hook_results` shows or, if there are no checks, the slug of a guardrail saved in the gateway file.
       */
      id?: string;
      /**
       * Whether to refuse with status 446 if a check fails. Otherwise the response is marked with status 246.
       */
      deny?: boolean;
      /**
       * Whether to run in the background. The response then neither waits for the checks nor is changed by them.
       */
      async?: boolean;
      /**
       * What happens if the checks fail.
       */
      on_fail?: {
        feedback?: Feedback;
        /**
         * Whether to refuse with status 446 if the checks fail.
         */
        deny?: boolean;
      };
      /**
       * What happens if the checks pass.
       */
      on_success?: {
        feedback?: Feedback;
        /**
         * Whether to refuse with status 446 if the checks pass.
         */
        deny?: boolean;
      };
      /**
       * The parameters of a check. The name of the member is the check's id, such as `default.contains`; an id without a dot stands for one that begins with `default.`.
       */
      [k: string]:
        | JsonObject
        | string
        | boolean
        | {
            feedback?: Feedback;
            /**
             * Whether to refuse with status 446 if the checks fail.
             */
            deny?: boolean;
          }
        | {
            feedback?: Feedback;
            /**
             * Whether to refuse with status 446 if the checks pass.
             */
            deny?: boolean;
          }
        | undefined;
    };

/**
 * How the gateway routes requests: to a single provider, or to targets that a strategy chooses from, with settings for each attempt such as retries, a cache and guardrails.
 */
export interface Config {
  /**
   * The name that the conditions of the enclosing config, metrics and the typed plan use for it.
   */
  name?: string;
  /**
   * Whether responses follow the client's dialect exactly. With `false`, they also contain content blocks, the provider's own finish reasons, and hook results in streams. Inherited.
   */
  strict_llmv_compliance?: boolean;
  /**
   * The provider to call: a saved one (`@slug` or `@slug/model`), or the id of a provider that a plugin offers.
   */
  provider?: string;
  /**
   * The provider's API key. In a file it must be a reference.
   */
  api_key?: string;
  /**
   * Several API keys instead of a single `api_key`. Each attempt is sent with one of them, drawn by weight. A key that the provider rejects or rate-limits is left out for a while.
   *
   * @minItems 1
   * @maxItems 100
   */
  keys?: [KeyOfAPool, ...KeyOfAPool[]];
  /**
   * Whether the `keys` belong to `one` account or to `several`. The keys of one account share files, batches and stored responses. If there are several accounts, a request for something that the provider stores is sent with the key that created it, or with the first key if that is unknown.
   */
  accounts?: 'one' | 'several';
  /**
   * The name of a credential saved under `virtual_keys` in the gateway file. `provider` with `@slug` is the newer way.
   */
  virtual_key?: string;
  /**
   * The id or slug of a stored prompt, optionally followed by @12, @latest, @published or @<label>. The prompt is sent in place of the request's messages.
   */
  prompt_id?: string;
  /**
   * The time-out of one attempt, in milliseconds. 0 has the same effect as leaving it out. Inherited.
   */
  request_timeout?: number;
  /**
   * The longest time for a whole request, in milliseconds, with all of its attempts and waits, counted from when it was received. Allowed only at the root of a config. The header `x-gw-deadline` can set an earlier deadline.
   */
  deadline_ms?: number;
  /**
   * The most that a whole request may cost, in US dollars, with all of its attempts. An attempt that could exceed it is not sent. Allowed only at the root of a config. The header `x-gw-max-cost` can set a lower limit.
   */
  max_cost_usd?: number;
  mirror?: Mirror;
  /**
   * The target's share of the traffic in a load balance. With 0 it gets none.
   */
  weight?: number;
  /**
   * The statuses that make a fallback try its next target, if its strategy lists none. A host that cannot be reached or a lost connection counts as 502, a time-out as 408.
   */
  on_status_codes?: number[];
  /**
   * The base URL that replaces the provider's own, including the version segment. For `azure-openai` it ends with `/openai`. Inherited.
   */
  custom_host?: string;
  /**
   * The names of client headers that are forwarded to the provider unchanged. Inherited.
   */
  forward_headers?: string[];
  /**
   * The alternatives from which the strategy chooses. Each is a config itself.
   */
  targets?: Config[];
  /**
   * Members to set in the request body. Each replaces the member that the client sent. Inherited and merged. Without a provider, `model` can name a saved provider and its model: `@slug/model`.
   */
  override_params?: JsonObject;
  strategy?: Strategy;
  cache?: Cache;
  retry?: Retry;
  cb_config?: CircuitBreaker;
  breaker?: Breaker;
  probe?: Probe;
  /**
   * Hooks that run before a target is called. Together with `input_guardrails` they replace the inherited ones.
   */
  before_request_hooks?: BeforeRequestHook[];
  /**
   * Hooks that run on a response. Together with `output_guardrails` they replace the inherited ones.
   */
  after_request_hooks?: AfterRequestHook[];
  /**
   * The guardrails that check requests.
   */
  input_guardrails?: InputGuardrail[];
  /**
   * The guardrails that check responses.
   */
  output_guardrails?: OutputGuardrail[];
  /**
   * The resource of an Azure OpenAI account, which is the first label of its host name.
   */
  resource_name?: string;
  /**
   * The deployment of the model.
   */
  deployment_id?: string;
  /**
   * The version of the provider's API.
   */
  api_version?: string;
  /**
   * Several deployments, one of which is selected by the model that a request names.
   */
  deployments?: {
    /**
     * The id of the deployment.
     */
    deployment_id: string;
    /**
     * The model name that selects this deployment.
     */
    alias: string;
    /**
     * The version of the provider's API.
     */
    api_version: string;
    /**
     * Whether this deployment is used if the model matches no alias.
     */
    is_default?: boolean;
  }[];
  /**
   * The organization at OpenAI, the vendor of the reference chat API.
   */
  llmv_organization?: string;
  /**
   * The project at OpenAI, the vendor of the reference chat API.
   */
  llmv_project?: string;
  /**
   * The AWS access key id. In a file it must be a reference.
   */
  cloudc_access_key_id?: string;
  /**
   * The AWS secret access key. In a file it must be a reference.
   */
  cloudc_secret_access_key?: string;
  /**
   * The AWS region.
   */
  cloudc_region?: string;
  /**
   * The AWS session token. In a file it must be a reference.
   */
  cloudc_session_token?: string;
  /**
   * The Google Cloud project. If the service account names a project, that one is used instead.
   */
  cloudb_project_id?: string;
  /**
   * The Google Cloud region.
   */
  cloudb_region?: string;
  /**
   * A service account with its key, for a config that is sent with a request. For other configs, save the provider in the gateway file with a reference to the service account.
   */
  cloudb_service_account_json?: JsonObject;
  /**
   * The Azure region.
   */
  clouda_region?: string;
  /**
   * The name of the deployment.
   */
  clouda_deployment_name?: string;
  /**
   * The type of the deployment.
   */
  clouda_deployment_type?: 'serverless' | 'managed';
  /**
   * The endpoint, followed by its region if `clouda_region` does not specify it.
   */
  clouda_endpoint_name?: string;
  /**
   * Another spelling of `api_version`.
   */
  clouda_api_version?: string;
  /**
   * Another spelling of `resource_name`.
   */
  clouda_resource_name?: string;
  /**
   * Another spelling of `deployment_id`.
   */
  clouda_deployment_id?: string;
  /**
   * The model of the deployment, for requests that name none.
   */
  clouda_model_name?: string;
  /**
   * Another spelling of `api_key`: the key, optionally preceded by `Bearer `. In a file the key must be a reference.
   */
  Authorization?: string;
}
/**
 * One of several API keys.
 */
export interface KeyOfAPool {
  /**
   * The key. In a file it must be a reference.
   */
  api_key: string;
  /**
   * The key's share of the attempts. With 0 no attempt draws it. If there are several accounts, it still serves requests for what it created.
   */
  weight?: number;
}
/**
 * Sends a copy of some requests to another target, in the background. The client receives nothing of its response. Not inherited.
 */
export interface Mirror {
  target: Config1;
  /**
   * The percentage of the requests reaching this node that is copied.
   */
  percent: number;
  /**
   * What judges the response to the copy, for `gw usage arms`: ids of checks, slugs of saved guardrails, or guardrails. `similar` compares it with the response to the client.
   */
  checks?: OutputGuardrail[];
}
/**
 * The target that receives the copies: a config with a single provider.
 */
export interface Config1 {
  /**
   * The name that the conditions of the enclosing config, metrics and the typed plan use for it.
   */
  name?: string;
  /**
   * Whether responses follow the client's dialect exactly. With `false`, they also contain content blocks, the provider's own finish reasons, and hook results in streams. Inherited.
   */
  strict_llmv_compliance?: boolean;
  /**
   * The provider to call: a saved one (`@slug` or `@slug/model`), or the id of a provider that a plugin offers.
   */
  provider?: string;
  /**
   * The provider's API key. In a file it must be a reference.
   */
  api_key?: string;
  /**
   * Several API keys instead of a single `api_key`. Each attempt is sent with one of them, drawn by weight. A key that the provider rejects or rate-limits is left out for a while.
   *
   * @minItems 1
   * @maxItems 100
   */
  keys?: [KeyOfAPool, ...KeyOfAPool[]];
  /**
   * Whether the `keys` belong to `one` account or to `several`. The keys of one account share files, batches and stored responses. If there are several accounts, a request for something that the provider stores is sent with the key that created it, or with the first key if that is unknown.
   */
  accounts?: 'one' | 'several';
  /**
   * The name of a credential saved under `virtual_keys` in the gateway file. `provider` with `@slug` is the newer way.
   */
  virtual_key?: string;
  /**
   * The id or slug of a stored prompt, optionally followed by @12, @latest, @published or @<label>. The prompt is sent in place of the request's messages.
   */
  prompt_id?: string;
  /**
   * The time-out of one attempt, in milliseconds. 0 has the same effect as leaving it out. Inherited.
   */
  request_timeout?: number;
  /**
   * The longest time for a whole request, in milliseconds, with all of its attempts and waits, counted from when it was received. Allowed only at the root of a config. The header `x-gw-deadline` can set an earlier deadline.
   */
  deadline_ms?: number;
  /**
   * The most that a whole request may cost, in US dollars, with all of its attempts. An attempt that could exceed it is not sent. Allowed only at the root of a config. The header `x-gw-max-cost` can set a lower limit.
   */
  max_cost_usd?: number;
  mirror?: Mirror;
  /**
   * The target's share of the traffic in a load balance. With 0 it gets none.
   */
  weight?: number;
  /**
   * The statuses that make a fallback try its next target, if its strategy lists none. A host that cannot be reached or a lost connection counts as 502, a time-out as 408.
   */
  on_status_codes?: number[];
  /**
   * The base URL that replaces the provider's own, including the version segment. For `azure-openai` it ends with `/openai`. Inherited.
   */
  custom_host?: string;
  /**
   * The names of client headers that are forwarded to the provider unchanged. Inherited.
   */
  forward_headers?: string[];
  /**
   * The alternatives from which the strategy chooses. Each is a config itself.
   */
  targets?: Config[];
  /**
   * Members to set in the request body. Each replaces the member that the client sent. Inherited and merged. Without a provider, `model` can name a saved provider and its model: `@slug/model`.
   */
  override_params?: JsonObject;
  strategy?: Strategy;
  cache?: Cache;
  retry?: Retry;
  cb_config?: CircuitBreaker;
  breaker?: Breaker;
  probe?: Probe;
  /**
   * Hooks that run before a target is called. Together with `input_guardrails` they replace the inherited ones.
   */
  before_request_hooks?: BeforeRequestHook[];
  /**
   * Hooks that run on a response. Together with `output_guardrails` they replace the inherited ones.
   */
  after_request_hooks?: AfterRequestHook[];
  /**
   * The guardrails that check requests.
   */
  input_guardrails?: InputGuardrail[];
  /**
   * The guardrails that check responses.
   */
  output_guardrails?: OutputGuardrail[];
  /**
   * The resource of an Azure OpenAI account, which is the first label of its host name.
   */
  resource_name?: string;
  /**
   * The deployment of the model.
   */
  deployment_id?: string;
  /**
   * The version of the provider's API.
   */
  api_version?: string;
  /**
   * Several deployments, one of which is selected by the model that a request names.
   */
  deployments?: {
    /**
     * The id of the deployment.
     */
    deployment_id: string;
    /**
     * The model name that selects this deployment.
     */
    alias: string;
    /**
     * The version of the provider's API.
     */
    api_version: string;
    /**
     * Whether this deployment is used if the model matches no alias.
     */
    is_default?: boolean;
  }[];
  /**
   * The organization at OpenAI, the vendor of the reference chat API.
   */
  llmv_organization?: string;
  /**
   * The project at OpenAI, the vendor of the reference chat API.
   */
  llmv_project?: string;
  /**
   * The AWS access key id. In a file it must be a reference.
   */
  cloudc_access_key_id?: string;
  /**
   * The AWS secret access key. In a file it must be a reference.
   */
  cloudc_secret_access_key?: string;
  /**
   * The AWS region.
   */
  cloudc_region?: string;
  /**
   * The AWS session token. In a file it must be a reference.
   */
  cloudc_session_token?: string;
  /**
   * The Google Cloud project. If the service account names a project, that one is used instead.
   */
  cloudb_project_id?: string;
  /**
   * The Google Cloud region.
   */
  cloudb_region?: string;
  /**
   * A service account with its key, for a config that is sent with a request. For other configs, save the provider in the gateway file with a reference to the service account.
   */
  cloudb_service_account_json?: JsonObject;
  /**
   * The Azure region.
   */
  clouda_region?: string;
  /**
   * The name of the deployment.
   */
  clouda_deployment_name?: string;
  /**
   * The type of the deployment.
   */
  clouda_deployment_type?: 'serverless' | 'managed';
  /**
   * The endpoint, followed by its region if `clouda_region` does not specify it.
   */
  clouda_endpoint_name?: string;
  /**
   * Another spelling of `api_version`.
   */
  clouda_api_version?: string;
  /**
   * Another spelling of `resource_name`.
   */
  clouda_resource_name?: string;
  /**
   * Another spelling of `deployment_id`.
   */
  clouda_deployment_id?: string;
  /**
   * The model of the deployment, for requests that name none.
   */
  clouda_model_name?: string;
  /**
   * Another spelling of `api_key`: the key, optionally preceded by `Bearer `. In a file the key must be a reference.
   */
  Authorization?: string;
}
/**
 * How a target is chosen.
 */
export interface Strategy {
  /**
   * `single`: the first target. `loadbalance`: one of the targets, by weight. `fallback`: the targets in order, until one succeeds. `conditional`: the target of the first condition that matches.
   */
  mode: 'single' | 'loadbalance' | 'fallback' | 'conditional';
  /**
   * How a `loadbalance` chooses among its targets: `weight` (the default), `latency`, `least-busy`, `headroom` (what is left of rate limits), `price`, or a chooser of a plugin. Targets that may not be called are excluded first.
   */
  balance?: string;
  sticky?: Sticky;
  /**
   * `capabilities`: a `fallback` or `loadbalance` skips targets that are known to be unable to serve the request because of its images, tools, schema, length and so on. If no target is left, the response is an error that says what they lack.
   */
  require?: 'capabilities';
  hedge?: Hedge;
  /**
   * The conditions of a `conditional`, tried in order. The first one that matches selects its target.
   */
  conditions?: Condition[];
  /**
   * The name of the target that a `conditional` calls if no condition matches.
   */
  default?: string;
  /**
   * The statuses that make a fallback try its next target. If absent, any status except 2xx does. A host that cannot be reached and a lost connection count as 502, and a time-out as 408, so a fallback whose list lacks these ends there.
   */
  on_status_codes?: number[];
  /**
   * Whether a stream that breaks after its first content continues at the next target of a `fallback`. The statuses of the fallback must include 502 (the stream was cut) or 408 (nothing arrived for too long).
   */
  continue?: boolean;
}
/**
 * Sends requests with the same key to the same target of a `loadbalance`, as long as that target may be called, because its provider has their prompts in its cache.
 */
export interface Sticky {
  /**
   * The key: `metadata.<name>`, `user` (the user that the request names), or `prompt-prefix` (the conversation up to the end of the user's first turn).
   */
  by: string;
  /**
   * How long a key stays with a target other than the one that the weights assign to it, in seconds since its last request.
   */
  ttl_s?: number;
}
/**
 * Calls the next target of a `fallback` as well if the first one has not answered after a certain time. The first response wins, and the other call is cancelled.
 */
export interface Hedge {
  /**
   * How long to wait for the first target before the next one is called as well, in milliseconds. A good value is the time within which it answers 95 of 100 requests.
   */
  after_ms: number;
  /**
   * How many of 100 requests may be sent to two targets. Each request earns this part of a second call.
   */
  budget_percent?: number;
}
/**
 * Selects a target if its query matches.
 */
export interface Condition {
  /**
   * Members `metadata.…`, `params.…`, `plan.model` or `url.pathname`, each with a value or operators ($eq $ne $gt $gte $lt $lte $in $nin $regex $exists $all $size $elemMatch $not), all of which must match. `$and` and `$or` take lists of queries. `params` are the members of the request body, including `model` and `stream` if the path specifies them. `plan.model` is the name of the config that a virtual model stands for, if the request names one.
   */
  query: JsonObject;
  /**
   * The name of the target that it selects.
   */
  then: string;
}
/**
 * Reuses earlier responses. Inherited.
 */
export interface Cache {
  /**
   * `simple`: reuses the response to the same request. `semantic`: also reuses the response to a request that means the same.
   */
  mode: 'simple' | 'semantic';
  /**
   * How long a response is kept, in seconds; seven days if absent. In a store, an organisation can set another default and a maximum.
   */
  max_age?: number;
}
/**
 * Sends a failed request to the same target again. Inherited.
 */
export interface Retry {
  /**
   * How many times to send the request again. The first retry waits half a second to one second, the second one to two seconds, and each further retry twice as long.
   */
  attempts: number;
  /**
   * The statuses that are retried; 429, 500, 502, 503, 504 and 529 if absent. Network failures (502 in responses) are always retried.
   */
  on_status_codes?: number[];
  /**
   * Whether to wait as long as the provider asks, up to a minute in total.
   */
  use_retry_after_headers?: boolean;
}
/**
 * Prefers other targets while this one is failing. Inherited.
 */
export interface CircuitBreaker {
  /**
   * How many failures within one cooldown open the circuit.
   */
  failure_threshold: number;
  /**
   * How long an open circuit stays open, in milliseconds.
   */
  cooldown_interval: number;
  /**
   * The statuses that count as failures; every status above 500 if absent.
   */
  failure_status_codes?: number[];
}
/**
 * Divides the circuits of `cb_config`, so that a failure blocks only the requests that it concerns. Inherited.
 */
export interface Breaker {
  /**
   * `model`: each model of a target has its own circuits. `error`: 401 and 403 count against the credential, 404 against the model, 429 opens the circuit at once for as long as the provider asks, and everything else counts against the target.
   *
   * @minItems 1
   */
  by: ['model' | 'error', ...('model' | 'error')[]];
}
/**
 * Checks whether a target with an open circuit works again, instead of trying client requests on it. Allowed only in operators' files. Inherited.
 */
export interface Probe {
  /**
   * The path to request with GET, below the provider's address. A 2xx status closes the circuit.
   */
  path: string;
  /**
   * The time from one probe to the next in milliseconds, give or take a tenth.
   */
  every_ms?: number;
}
/**
 * Checks on a request.
 */
export interface BeforeRequestHook {
  /**
   * The name that `hook_results` shows, or the slug of a saved guardrail.
   */
  id: string;
  /**
   * `guardrail` judges the text, `mutator` changes it.
   */
  type?: 'guardrail' | 'mutator';
  /**
   * What happens if the checks fail.
   */
  on_fail?: {
    feedback?: Feedback;
    /**
     * Whether to refuse with status 446 if the checks fail.
     */
    deny?: boolean;
  };
  /**
   * What happens if the checks pass.
   */
  on_success?: {
    feedback?: Feedback;
    /**
     * Whether to refuse with status 446 if the checks pass.
     */
    deny?: boolean;
  };
  /**
   * The checks, which run in parallel. If there are none, `id` names a guardrail saved in the gateway file.
   */
  checks?: Check[];
}
/**
 * A rating that is kept with the request: in `hook_results`, and if there is a store, as feedback on its trace in the log. Checks that run in the background can give one too.
 */
export interface Feedback {
  /**
   * The rating of the response. The log keeps the nearest whole number from -10 to 10, or nothing if it is absent.
   */
  value?: number;
  /**
   * How much the rating counts. The log keeps the nearest number from 0 to 1; 1 if absent.
   */
  weight?: number;
  /**
   * Any data to keep with it.
   */
  metadata?: JsonObject;
}
/**
 * One check with its parameters.
 */
export interface Check {
  /**
   * The id of the check, as its plugin defines it.
   */
  id: string;
  /**
   * The check's own parameters, and `failOnError`, `timeout` (milliseconds) and `id`.
   */
  parameters: JsonObject;
}
/**
 * Checks on a response. They never refuse it.
 */
export interface AfterRequestHook {
  /**
   * The name that `hook_results` shows, or the slug of a saved guardrail.
   */
  id: string;
  /**
   * `guardrail` judges the text, `mutator` changes it.
   */
  type?: 'guardrail' | 'mutator';
  /**
   * Whether to run in the background. The response then neither waits for the checks nor is changed by them.
   */
  async?: boolean;
  /**
   * What happens if the checks fail.
   */
  on_fail?: {
    feedback?: Feedback;
  };
  /**
   * What happens if the checks pass.
   */
  on_success?: {
    feedback?: Feedback;
  };
  /**
   * The checks, which run in parallel. If there are none, `id` names a guardrail saved in the gateway file.
   */
  checks?: Check[];
}
