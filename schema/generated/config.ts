// Made from schema/config.schema.json by schema/generate.ts (npm run generate); do not edit.
import type { JsonObject } from '../json/json.ts';

/**
 * A guardrail on what goes to the model: the slug of one saved in the gateway file, or an object whose further members are checks with their parameters.
 */
export type InputGuardrail =
  | string
  | {
      /**
       * The name that `hook_results` shows, or, without checks, a guardrail saved in the gateway file.
       */
      id?: string;
      /**
       * Refuse (status 446) when a check fails; otherwise the answer is marked with status 246.
       */
      deny?: boolean;
      /**
       * Run in the background: the answer neither waits for it nor changes.
       */
      async?: boolean;
      /**
       * What follows when the checks fail.
       */
      on_fail?: {
        feedback?: Feedback;
      };
      /**
       * What follows when the checks pass.
       */
      on_success?: {
        feedback?: Feedback;
      };
      /**
       * A check by its id (`default.contains`; without a dot it is one of `default.`) with its parameters.
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
 * A guardrail on what comes from the model: the slug of one saved in the gateway file, or an object whose further members are checks with their parameters.
 */
export type OutputGuardrail =
  | string
  | {
      /**
       * The name that `hook_results` shows, or, without checks, a guardrail saved in the gateway file.
       */
      id?: string;
      /**
       * Refuse (status 446) when a check fails; otherwise the answer is marked with status 246.
       */
      deny?: boolean;
      /**
       * Run in the background: the answer neither waits for it nor changes.
       */
      async?: boolean;
      /**
       * What follows when the checks fail.
       */
      on_fail?: {
        feedback?: Feedback;
        /**
         * Refuse (status 446) when the checks fail.
         */
        deny?: boolean;
      };
      /**
       * What follows when the checks pass.
       */
      on_success?: {
        feedback?: Feedback;
        /**
         * Refuse (status 446) when the checks pass.
         */
        deny?: boolean;
      };
      /**
       * A check by its id (`default.contains`; without a dot it is one of `default.`) with its parameters.
       */
      [k: string]:
        | JsonObject
        | string
        | boolean
        | {
            feedback?: Feedback;
            /**
             * Refuse (status 446) when the checks fail.
             */
            deny?: boolean;
          }
        | {
            feedback?: Feedback;
            /**
             * Refuse (status 446) when the checks pass.
             */
            deny?: boolean;
          }
        | undefined;
    };

/**
 * How the gateway routes requests: one provider, or targets under a strategy, and what surrounds each attempt.
 */
export interface Config {
  /**
   * What conditions of the enclosing config, metrics and the typed plan call it.
   */
  name?: string;
  /**
   * Answer exactly in the client's dialect. With `false`, answers also carry content blocks, the provider's own finish reasons, and hook results in streams. Inherited.
   */
  strict_llmv_compliance?: boolean;
  /**
   * The provider: a saved one (`@slug`, or `@slug/model`), or the id of one that a plugin offers.
   */
  provider?: string;
  /**
   * The provider's API key. In a file it must be a reference.
   */
  api_key?: string;
  /**
   * Several API keys in place of `api_key`. Each attempt is sent with one of them, drawn by weight; a key that the provider refuses or limits is left out for a while.
   *
   * @minItems 1
   * @maxItems 100
   */
  keys?: [KeyOfAPool, ...KeyOfAPool[]];
  /**
   * Whose `keys` are: those of `one` account, which have files, batches and stored responses in common; or of `several`, where what a provider keeps is asked for with the key that made it; with the first key where that is not known.
   */
  accounts?: 'one' | 'several';
  /**
   * A credential saved under `virtual_keys` of the gateway file. `provider` with `@slug` is the newer way.
   */
  virtual_key?: string;
  /**
   * The id or slug of a stored prompt, alone or with @12, @latest, @published or @<label>: it is sent in place of the messages of the request.
   */
  prompt_id?: string;
  /**
   * Milliseconds for one attempt; 0 is as if it were absent. Inherited.
   */
  request_timeout?: number;
  /**
   * Milliseconds for a whole request, with all attempts and waits, from when it was received. At the root of a config alone. The header `x-gw-deadline` may set a nearer one.
   */
  deadline_ms?: number;
  /**
   * US dollars that a whole request may cost, with all attempts: an attempt that may bring it above that is not sent. At the root of a config alone. The header `x-gw-max-cost` may set a lower one.
   */
  max_cost_usd?: number;
  mirror?: Mirror;
  /**
   * Its share of the traffic among the targets of a load balance; 0 gets none.
   */
  weight?: number;
  /**
   * Statuses that make a fallback try its next target, where its strategy lists none: 502 if a host cannot be reached or a connection is lost, 408 after a time-out.
   */
  on_status_codes?: number[];
  /**
   * Base URL that replaces the provider's own, its version segment included; that of `azure-openai` ends with `/openai`. Inherited.
   */
  custom_host?: string;
  /**
   * Names of the client's headers that go to the provider as they are. Inherited.
   */
  forward_headers?: string[];
  /**
   * The alternatives that the strategy chooses among; each is a config of its own.
   */
  targets?: Config[];
  /**
   * Members laid over the request's body, one by one. Inherited and merged. Without a provider, `model` may name a saved one and its model: `@slug/model`.
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
   * Hooks that run on an answer. Together with `output_guardrails` they replace the inherited ones.
   */
  after_request_hooks?: AfterRequestHook[];
  /**
   * Guardrails on requests.
   */
  input_guardrails?: InputGuardrail[];
  /**
   * Guardrails on answers.
   */
  output_guardrails?: OutputGuardrail[];
  /**
   * The resource of an Azure OpenAI account: the first label of its host.
   */
  resource_name?: string;
  /**
   * The deployment of a model.
   */
  deployment_id?: string;
  /**
   * Version of the provider's API.
   */
  api_version?: string;
  /**
   * Several deployments, chosen by the model that a request names.
   */
  deployments?: {
    /**
     * The deployment.
     */
    deployment_id: string;
    /**
     * The model name that chooses it.
     */
    alias: string;
    /**
     * Version of the provider's API.
     */
    api_version: string;
    /**
     * Chosen where no alias is the model.
     */
    is_default?: boolean;
  }[];
  /**
   * Organization of the reference chat API.
   */
  llmv_organization?: string;
  /**
   * Project of the reference chat API.
   */
  llmv_project?: string;
  /**
   * Access key id. In a file it must be a reference.
   */
  cloudc_access_key_id?: string;
  /**
   * Secret access key. In a file it must be a reference.
   */
  cloudc_secret_access_key?: string;
  /**
   * Region.
   */
  cloudc_region?: string;
  /**
   * Session token. In a file it must be a reference.
   */
  cloudc_session_token?: string;
  /**
   * Project; that of the service account where it has one.
   */
  cloudb_project_id?: string;
  /**
   * Region.
   */
  cloudb_region?: string;
  /**
   * A service account with its key, for a config that comes with a request. For other configs save the provider in the gateway file, with a reference to it.
   */
  cloudb_service_account_json?: JsonObject;
  /**
   * Region.
   */
  clouda_region?: string;
  /**
   * Deployment.
   */
  clouda_deployment_name?: string;
  /**
   * How the deployment runs.
   */
  clouda_deployment_type?: 'serverless' | 'managed';
  /**
   * Endpoint, with its region where `clouda_region` does not say it.
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
   * The deployment's model, for requests that name none.
   */
  clouda_model_name?: string;
  /**
   * Another spelling of `api_key`: the key, or `Bearer ` and the key. In a file the key must be a reference.
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
   * Its share of the attempts; with 0 it is not used.
   */
  weight?: number;
}
/**
 * Send a copy of some requests to another target, in the background: the client gets nothing of its answer. Not inherited.
 */
export interface Mirror {
  target: Config1;
  /**
   * How many of a hundred requests that come here are copied.
   */
  percent: number;
  /**
   * What judges the answer to the copy, for `gw usage arms`: ids of checks, slugs of saved guardrails, or guardrails. `similar` compares it with the client's answer.
   */
  checks?: OutputGuardrail[];
}
/**
 * The target that gets the copies: a config of one provider.
 */
export interface Config1 {
  /**
   * What conditions of the enclosing config, metrics and the typed plan call it.
   */
  name?: string;
  /**
   * Answer exactly in the client's dialect. With `false`, answers also carry content blocks, the provider's own finish reasons, and hook results in streams. Inherited.
   */
  strict_llmv_compliance?: boolean;
  /**
   * The provider: a saved one (`@slug`, or `@slug/model`), or the id of one that a plugin offers.
   */
  provider?: string;
  /**
   * The provider's API key. In a file it must be a reference.
   */
  api_key?: string;
  /**
   * Several API keys in place of `api_key`. Each attempt is sent with one of them, drawn by weight; a key that the provider refuses or limits is left out for a while.
   *
   * @minItems 1
   * @maxItems 100
   */
  keys?: [KeyOfAPool, ...KeyOfAPool[]];
  /**
   * Whose `keys` are: those of `one` account, which have files, batches and stored responses in common; or of `several`, where what a provider keeps is asked for with the key that made it; with the first key where that is not known.
   */
  accounts?: 'one' | 'several';
  /**
   * A credential saved under `virtual_keys` of the gateway file. `provider` with `@slug` is the newer way.
   */
  virtual_key?: string;
  /**
   * The id or slug of a stored prompt, alone or with @12, @latest, @published or @<label>: it is sent in place of the messages of the request.
   */
  prompt_id?: string;
  /**
   * Milliseconds for one attempt; 0 is as if it were absent. Inherited.
   */
  request_timeout?: number;
  /**
   * Milliseconds for a whole request, with all attempts and waits, from when it was received. At the root of a config alone. The header `x-gw-deadline` may set a nearer one.
   */
  deadline_ms?: number;
  /**
   * US dollars that a whole request may cost, with all attempts: an attempt that may bring it above that is not sent. At the root of a config alone. The header `x-gw-max-cost` may set a lower one.
   */
  max_cost_usd?: number;
  mirror?: Mirror;
  /**
   * Its share of the traffic among the targets of a load balance; 0 gets none.
   */
  weight?: number;
  /**
   * Statuses that make a fallback try its next target, where its strategy lists none: 502 if a host cannot be reached or a connection is lost, 408 after a time-out.
   */
  on_status_codes?: number[];
  /**
   * Base URL that replaces the provider's own, its version segment included; that of `azure-openai` ends with `/openai`. Inherited.
   */
  custom_host?: string;
  /**
   * Names of the client's headers that go to the provider as they are. Inherited.
   */
  forward_headers?: string[];
  /**
   * The alternatives that the strategy chooses among; each is a config of its own.
   */
  targets?: Config[];
  /**
   * Members laid over the request's body, one by one. Inherited and merged. Without a provider, `model` may name a saved one and its model: `@slug/model`.
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
   * Hooks that run on an answer. Together with `output_guardrails` they replace the inherited ones.
   */
  after_request_hooks?: AfterRequestHook[];
  /**
   * Guardrails on requests.
   */
  input_guardrails?: InputGuardrail[];
  /**
   * Guardrails on answers.
   */
  output_guardrails?: OutputGuardrail[];
  /**
   * The resource of an Azure OpenAI account: the first label of its host.
   */
  resource_name?: string;
  /**
   * The deployment of a model.
   */
  deployment_id?: string;
  /**
   * Version of the provider's API.
   */
  api_version?: string;
  /**
   * Several deployments, chosen by the model that a request names.
   */
  deployments?: {
    /**
     * The deployment.
     */
    deployment_id: string;
    /**
     * The model name that chooses it.
     */
    alias: string;
    /**
     * Version of the provider's API.
     */
    api_version: string;
    /**
     * Chosen where no alias is the model.
     */
    is_default?: boolean;
  }[];
  /**
   * Organization of the reference chat API.
   */
  llmv_organization?: string;
  /**
   * Project of the reference chat API.
   */
  llmv_project?: string;
  /**
   * Access key id. In a file it must be a reference.
   */
  cloudc_access_key_id?: string;
  /**
   * Secret access key. In a file it must be a reference.
   */
  cloudc_secret_access_key?: string;
  /**
   * Region.
   */
  cloudc_region?: string;
  /**
   * Session token. In a file it must be a reference.
   */
  cloudc_session_token?: string;
  /**
   * Project; that of the service account where it has one.
   */
  cloudb_project_id?: string;
  /**
   * Region.
   */
  cloudb_region?: string;
  /**
   * A service account with its key, for a config that comes with a request. For other configs save the provider in the gateway file, with a reference to it.
   */
  cloudb_service_account_json?: JsonObject;
  /**
   * Region.
   */
  clouda_region?: string;
  /**
   * Deployment.
   */
  clouda_deployment_name?: string;
  /**
   * How the deployment runs.
   */
  clouda_deployment_type?: 'serverless' | 'managed';
  /**
   * Endpoint, with its region where `clouda_region` does not say it.
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
   * The deployment's model, for requests that name none.
   */
  clouda_model_name?: string;
  /**
   * Another spelling of `api_key`: the key, or `Bearer ` and the key. In a file the key must be a reference.
   */
  Authorization?: string;
}
/**
 * How a target is chosen.
 */
export interface Strategy {
  /**
   * `single`: the first target. `loadbalance`: one by weight. `fallback`: in order until one answers well. `conditional`: the first whose condition holds.
   */
  mode: 'single' | 'loadbalance' | 'fallback' | 'conditional';
  /**
   * What chooses among the targets of a `loadbalance`: `weight` (the default), `latency`, `least-busy`, `headroom` (what is left of rate limits), `price`, or a chooser of a plugin. Targets that may not be called are left out before.
   */
  balance?: string;
  sticky?: Sticky;
  /**
   * `capabilities`: a `fallback` or `loadbalance` asks only targets that are not known to be unable to serve the request, by the images, tools, schema, length and so on that it has. Where each is unable, the answer is an error that says what they lack.
   */
  require?: 'capabilities';
  hedge?: Hedge;
  /**
   * Tried in order; the first that holds chooses its target. For `conditional`.
   */
  conditions?: Condition[];
  /**
   * Name of the target where no condition holds. For `conditional`.
   */
  default?: string;
  /**
   * Statuses that make a fallback try its next target; any but 2xx where absent. A host that cannot be reached and a lost connection count as 502, and a time-out as 408, so that a list without them ends there.
   */
  on_status_codes?: number[];
  /**
   * Whether a stream that breaks after its first content goes on at the next target of a `fallback`, if its statuses hold 502 (it was cut) or 408 (nothing came for too long).
   */
  continue?: boolean;
}
/**
 * Requests with the same key go to the same target of a `loadbalance`, as long as it may be called: its provider has their prompts in its cache.
 */
export interface Sticky {
  /**
   * The key: `metadata.<name>`, `user` (the user that the request names), or `prompt-prefix` (the conversation up to the end of the first turn of its user).
   */
  by: string;
  /**
   * How long a key stays with a target that is not its own by weight, in seconds since its last request.
   */
  ttl_s?: number;
}
/**
 * While the first target of a `fallback` has not answered after a time, the next one is asked too. The first answer wins, and the other call is cancelled.
 */
export interface Hedge {
  /**
   * How long the first target may take before the next one is asked beside it, in milliseconds: about what 95 of 100 answers of it take.
   */
  after_ms: number;
  /**
   * How many of 100 requests may be asked of two targets: each request earns that part of a second call.
   */
  budget_percent?: number;
}
/**
 * Chooses a target when its query holds.
 */
export interface Condition {
  /**
   * Members `metadata.…`, `params.…`, `plan.model` or `url.pathname`, each with a value or operators ($eq $ne $gt $gte $lt $lte $in $nin $regex $exists $all $size $elemMatch $not), all of which must hold; `$and` and `$or` take lists of queries. `params` are the members of the body, with the model and the stream of a path that says them; `plan.model` is the name of the config that a virtual model stands for, where the request names one.
   */
  query: JsonObject;
  /**
   * Name of the target it chooses.
   */
  then: string;
}
/**
 * Answer from earlier answers. Inherited.
 */
export interface Cache {
  /**
   * `simple`: the same request. `semantic`: a request that means the same.
   */
  mode: 'simple' | 'semantic';
  /**
   * Seconds that an answer is kept; seven days where absent. An organisation of a store may have another age for that, and a longest one.
   */
  max_age?: number;
}
/**
 * Send a failed request to the same target again. Inherited.
 */
export interface Retry {
  /**
   * Sends after the first: half a second to one after it, one to two seconds after the second, and twice as long for each further one.
   */
  attempts: number;
  /**
   * Statuses that are retried; 429, 500, 502, 503, 504 and 529 where absent. Failures of the network (502 in answers) always are.
   */
  on_status_codes?: number[];
  /**
   * Wait as long as the provider asks, up to a minute in all.
   */
  use_retry_after_headers?: boolean;
}
/**
 * Prefer other targets while this one fails. Inherited.
 */
export interface CircuitBreaker {
  /**
   * Failures within one cooldown that open the circuit.
   */
  failure_threshold: number;
  /**
   * Milliseconds that an open circuit stays open.
   */
  cooldown_interval: number;
  /**
   * Statuses that count as failures; every status above 500 where absent.
   */
  failure_status_codes?: number[];
}
/**
 * Divide the circuits of `cb_config`, so that what fails closes nothing else. Inherited.
 */
export interface Breaker {
  /**
   * `model`: each model that is asked of a target has its circuits. `error`: 401 and 403 count for the credential, 404 for the model, 429 opens at once for as long as the provider asks, and all else counts for the target.
   *
   * @minItems 1
   */
  by: ['model' | 'error', ...('model' | 'error')[]];
}
/**
 * Ask a target whose circuit is open whether it works again, in place of trying requests at it. In files of operators alone. Inherited.
 */
export interface Probe {
  /**
   * What is asked for with GET, below the address of the provider; a status of 2xx closes the circuit.
   */
  path: string;
  /**
   * Milliseconds from one probe to the next, a tenth more or less.
   */
  every_ms?: number;
}
/**
 * Checks on a request.
 */
export interface BeforeRequestHook {
  /**
   * The name that `hook_results` shows, or a saved guardrail.
   */
  id: string;
  /**
   * `guardrail` judges, `mutator` changes.
   */
  type?: 'guardrail' | 'mutator';
  /**
   * What follows when the checks fail.
   */
  on_fail?: {
    feedback?: Feedback;
    /**
     * Refuse (status 446) when the checks fail.
     */
    deny?: boolean;
  };
  /**
   * What follows when the checks pass.
   */
  on_success?: {
    feedback?: Feedback;
    /**
     * Refuse (status 446) when the checks pass.
     */
    deny?: boolean;
  };
  /**
   * The checks that run, side by side. Without any, `id` names a guardrail saved in the gateway file.
   */
  checks?: Check[];
}
/**
 * A judgement that is kept with the request: in `hook_results`, and where there is a store, as feedback on its trace in the log, also where the checks run in the background.
 */
export interface Feedback {
  /**
   * The worth of the answer. The log keeps the nearest whole number from -10 to 10, and nothing where it is absent.
   */
  value?: number;
  /**
   * How much it counts. The log keeps the nearest number from 0 to 1; 1 where absent.
   */
  weight?: number;
  /**
   * Anything to keep with it.
   */
  metadata?: JsonObject;
}
/**
 * One check with its parameters.
 */
export interface Check {
  /**
   * The check, as its plugin names it.
   */
  id: string;
  /**
   * The check's own, and `failOnError`, `timeout` (milliseconds) and `id`.
   */
  parameters: JsonObject;
}
/**
 * Checks on an answer; they never refuse it.
 */
export interface AfterRequestHook {
  /**
   * The name that `hook_results` shows, or a saved guardrail.
   */
  id: string;
  /**
   * `guardrail` judges, `mutator` changes.
   */
  type?: 'guardrail' | 'mutator';
  /**
   * Run in the background: the answer neither waits for it nor changes.
   */
  async?: boolean;
  /**
   * What follows when the checks fail.
   */
  on_fail?: {
    feedback?: Feedback;
  };
  /**
   * What follows when the checks pass.
   */
  on_success?: {
    feedback?: Feedback;
  };
  /**
   * The checks that run, side by side. Without any, `id` names a guardrail saved in the gateway file.
   */
  checks?: Check[];
}
