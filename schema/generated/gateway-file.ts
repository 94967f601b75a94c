// Made from schema/gateway.schema.json by schema/generate.ts (npm run generate); do not edit.
import type { JsonObject } from '../json/json.ts';

/**
 * The service file `gateway.json`: where the gateway listens, who may call it, and what it saves for configs to name.
 */
export interface GatewayFile {
  /**
   * Where an editor finds this schema.
   */
  $schema?: string;
  /**
   * Where the gateway listens.
   */
  listen?: {
    /**
     * Address or host name; only a loopback address where there are no service keys.
     */
    host?: string;
    /**
     * Port; 0 takes a free one.
     */
    port?: number;
    /**
     * HTTP/1.1 and HTTP/2 over TLS; plain HTTP/1.1 where absent. Its files are followed: new connections are served with what is in them, and those that are open stay.
     */
    tls?: {
      /**
       * The certificate, and those that lead from it to its authority, in PEM: a file, whose path is relative to the gateway file, or a reference.
       */
      cert: string;
      /**
       * The private key of the certificate, in PEM: a file or a reference.
       */
      key: string;
      /**
       * A reference to the passphrase that `key` is encrypted with, where it is.
       */
      passphrase?: string;
      /**
       * Further certificates, for other names: a client that asks for a name (SNI) which `cert` is not for gets the first of these that is for it, and else `cert`. They are followed too.
       *
       * @minItems 1
       * @maxItems 100
       */
      certificates?: [
        {
          /**
           * As `cert` beside the list.
           */
          cert: string;
          /**
           * As `key` beside the list.
           */
          key: string;
          /**
           * As `passphrase` beside the list.
           */
          passphrase?: string;
        },
        ...{
          /**
           * As `cert` beside the list.
           */
          cert: string;
          /**
           * As `key` beside the list.
           */
          key: string;
          /**
           * As `passphrase` beside the list.
           */
          passphrase?: string;
        }[],
      ];
      /**
       * The authorities whose certificates clients may present (mTLS), in PEM: a file or a reference. Clients present none where absent.
       */
      client_ca?: string;
      /**
       * With `client_ca`: `require` ends the handshake of a client without a certificate of these authorities; `request` serves clients without one too, and ends that of a client with another one.
       */
      client_certificates?: 'require' | 'request';
      /**
       * The oldest version of TLS that is spoken.
       */
      min_version?: 'TLSv1.2' | 'TLSv1.3';
    };
  };
  /**
   * How many processes serve, which share the port: a number, or `auto` for one for each processor; 1 where absent.
   */
  workers?:
    | number
    | string
    | {
        [k: string]: unknown;
      };
  /**
   * Service keys. Without any, the gateway answers only its own machine. Requests with these keys are in no log and no report of a store, and no policy of it counts them: keys of the store (`gw keys create`) are for that.
   */
  auth?: {
    /**
     * The keys that callers send in `x-gw-api-key`.
     */
    keys: {
      /**
       * What logs call the key.
       */
      id: string;
      /**
       * The key itself, as a reference.
       */
      key: string;
      /**
       * Whose state (circuits, caches) its requests share; its id where absent.
       */
      tenant?: string;
      /**
       * The highest priority of its requests, where `overload` has to choose between requests.
       */
      priority?: 'low' | 'normal' | 'high';
    }[];
  };
  /**
   * Folder of routing configs (*.json, *.jsonc, *.yaml, *.yml), relative to this file; callers name them without the ending.
   */
  configs?: string;
  /**
   * Name of the config for requests whose headers name no config and no provider. If its target names a provider, that one is called, also where the body of a request has a model `@slug/model`; with the slug of another provider, and no model in `override_params`, such a request is a 400.
   */
  default_config?: string;
  /**
   * Virtual models, by the name that clients write as their model: `config:NAME` stands for a config of this gateway, all of whose targets set a model, and `@slug/model` for one model of a saved provider, or of a provider that needs no credential. A config or a provider in a header counts more, and so does a service key that allows no other config.
   */
  models?: {
    /**
     * What it stands for.
     */
    [k: string]: string;
  };
  /**
   * The labels that callers send in `x-gw-metadata`, by name, each with what it may be. Conditions are checked against them; requests are where a label says `enforce`.
   */
  metadata?: {
    [k: string]: DeclaredLabel;
  };
  /**
   * Plugins beside the built-in ones.
   */
  plugins?: {
    /**
     * npm package name, or a path relative to this file.
     */
    package: string;
    /**
     * The plugin's options, as its own schema says.
     */
    options?: JsonObject;
    /**
     * Whether the plugin's checks run in a process of their own, which can neither stop nor slow the gateway. Only plugins that have nothing but checks can be isolated.
     */
    isolate?: boolean;
    /**
     * The most memory of each process of an isolated plugin, in MiB; 256 if absent. A process that uses more is ended and started again. There is one, and up to four while checks of single tenants occupy theirs.
     */
    memory_mb?: number;
  }[];
  /**
   * Providers that configs name as `@slug`.
   */
  providers?: {
    [k: string]: SavedProvider;
  };
  /**
   * Credentials that configs name as `virtual_key`, and requests in `x-gw-virtual-key`.
   */
  virtual_keys?: {
    [k: string]: SavedProvider;
  };
  /**
   * Guardrails that configs name by slug.
   */
  guardrails?: {
    [k: string]: SavedGuardrail;
  };
  /**
   * Hosts that may be called although they are private or local. Where nothing is listed, and there are no keys and no store, a gateway on loopback calls loopback too.
   */
  trusted_hosts?: string[];
  /**
   * A reference to the certificates of authorities, in PEM, that are trusted beside those that Node trusts, by all connections that the gateway makes to other machines and to the proxy.
   */
  trusted_authorities?: string;
  /**
   * The HTTP proxy that connections to other machines go by: its URL; a reference, which a URL with a password must be; or `environment`, for what HTTPS_PROXY, HTTP_PROXY and ALL_PROXY say. Hosts in NO_PROXY, and loopback addresses, are connected to directly. Callers can then name no hosts of their own but those in `trusted_hosts` and NO_PROXY.
   */
  proxy?: string;
  /**
   * Requests with a body on paths that the gateway does not model, where a guardrail of the target may deny: `judged` refuses them (403), since no guardrail can read them; `allow` passes them on unread.
   */
  pass_through?: 'judged' | 'allow';
  /**
   * The only headers of clients that requests take along which are passed through, in any case of letters, beside `accept`, `accept-encoding`, `content-type`, `content-encoding`, `content-length`, and those that a config or a provider forwards by name. Where absent, all pass but those of the connection, of the gateway, and credentials.
   */
  pass_through_headers?: string[];
  /**
   * Which turns of a request guardrails judge: `new` those since the last answer of the model, which the requests before have shown them; `all` the whole conversation, because a caller can invent an earlier answer. An organisation or a workspace may also ask for `all`.
   */
  judged_turns?: 'new' | 'all';
  /**
   * Members of requests and answers that a format does not document: guardrails `judge` all strings in them, and those that may deny refuse what cannot be read as text; `allow` lets them pass unread.
   */
  unjudged_members?: 'judge' | 'allow';
  /**
   * Requests with a header `x-gw-…` that the gateway does not know: `refuse` answers 400 and names the nearest one, since a misspelt header would silently do nothing; `ignore` serves them.
   */
  unknown_headers?: 'refuse' | 'ignore';
  /**
   * Requests that say themselves where they go: with a config as JSON in `x-gw-config`, a provider by its id in `x-gw-provider`, `x-gw-custom-host` or `x-gw-forward-headers`. `refuse` answers 400, so that configs and providers that are saved serve all requests; `allow` serves them.
   */
  unsaved_routing?: 'allow' | 'refuse';
  /**
   * Other gateways whose clients are served as they are: `portkey` reads headers `x-portkey-…` as the `x-gw-…` of the same meaning, and a config in `x-portkey-config` by the names that its members have there. What has no counterpart is a 400 that says what to do instead. Without it, such headers mean nothing.
   */
  accept?: 'portkey'[];
  /**
   * Requests that a provider's dialect cannot express in full: `tell` sends them without what is lost and names it in the answer header `x-gw-dropped-params`; `refuse` answers 400, so that another target may serve.
   */
  on_loss?: 'tell' | 'refuse';
  /**
   * Hints for providers that cache prompts only where a request says so: `auto` puts them at the end of the tools, of the system prompt and of the turns before the last, where the model keeps prefixes of that length and the request has no hint of its own. What a provider writes to its cache costs more, and what it reads from it less.
   */
  prompt_cache?: 'off' | 'auto';
  /**
   * Whether the request log says what each attempt used and cost, and as `cacheHitRate` the share of their input that providers read from their prompt caches.
   */
  usage?: boolean;
  /**
   * Prices of your own, by the id of the provider and the model; `*` stands for all other models of the provider. Models that are not listed have the public list prices.
   */
  prices?: {
    /**
     * Prices by model.
     */
    [k: string]: {
      [k: string]: ModelPrice;
    };
  };
  /**
   * Facts of models, which count before those that providers and public tables state. What is left out is as those say.
   *
   * @maxItems 10000
   *
   * Items: Facts of one model.
   */
  model_facts?: {
    /**
     * The id of a provider, or a saved one as `@slug`.
     */
    provider: string;
    /**
     * Its name at the provider.
     */
    model: string;
    /**
     * Other names of it at the provider.
     *
     * @maxItems 100
     */
    aliases?: string[];
    /**
     * The most tokens of input and output together, or of the input where the two are bounded apart.
     */
    context?: number;
    /**
     * The most tokens of an answer.
     */
    output?: number;
    /**
     * Everything that it can do: what is not listed it cannot.
     */
    capabilities?: (
      | 'chat'
      | 'streaming'
      | 'tools'
      | 'json-schema'
      | 'reasoning'
      | 'caching'
      | 'vision'
      | 'documents'
      | 'audio-input'
      | 'video-input'
      | 'audio-output'
      | 'embeddings'
      | 'rerank'
      | 'images'
      | 'speech'
      | 'transcription'
      | 'moderation'
    )[];
    /**
     * The day from which it may be refused; `gw check` warns of it 90 days before.
     */
    deprecated?: string;
    /**
     * The day as of which this holds; the day on which the file is read where absent.
     */
    as_of?: string;
  }[];
  /**
   * Where answers are kept for configs that have a `cache`.
   */
  cache?: {
    /**
     * A Redis that gateways share: `redis://host:port/database`, `rediss://` over TLS, or a reference, which a URL with a password must be. In memory where absent.
     */
    url?: string;
    /**
     * The most bytes that are kept in memory. Answers larger than a tenth of it are not kept, in a Redis either.
     */
    max_bytes?: number;
    /**
     * Seconds after its time in which an answer may still be used if the provider fails: no connection, a time-out, or a status of 500 or above.
     */
    stale_if_error_s?: number;
    /**
     * How configs with the cache mode `semantic` find the answers of questions in other words. Without it they find those of equal requests only.
     */
    semantic?: {
      /**
       * The saved provider that makes vectors of texts.
       */
      provider: string;
      /**
       * Its model.
       */
      model: string;
      /**
       * The least cosine of two questions with one answer. Numbers, names, negations and the order of words must be equal in any case.
       */
      threshold?: number;
      /**
       * The longest that a request waits for a vector and its comparison, in milliseconds. Then the provider is called.
       */
      timeout_ms?: number;
      /**
       * The most bytes of vectors in memory.
       */
      max_bytes?: number;
      /**
       * A PostgreSQL for the vectors of gateways that share their answers: `postgres://host:port/database`, or a reference, which a URL with a password must be. It needs the package `pg`. In memory where absent.
       */
      url?: string;
    };
  };
  /**
   * Whether `/metrics` has what the gateway counts, in the format of Prometheus: `true`, or an object that says how; off where absent. Without service keys it answers this machine alone; with them it wants a key of the organisation with the scope `metrics.read`, or a port of its own.
   */
  metrics?:
    | boolean
    | {
        /**
         * Whether tokens and costs are counted. Where absent, those of answers whose usage is read for something else: the ledger and limits of a store, `telemetry`, `usage`, or a caller who asks. `true`: those of all answers, each of which is read for it, and streams are requested to tell it. `false`: none.
         */
        tokens?: boolean;
        /**
         * A port for metrics alone, without keys; the gateway's own then has none.
         */
        port?: number;
        /**
         * Address that this port is of. Whoever can connect may read.
         */
        host?: string;
      };
  /**
   * Traces and metrics for OpenTelemetry, by its conventions for generative AI. They never contain texts of requests or answers. It needs packages of OpenTelemetry, which the gateway names where they are missing.
   */
  telemetry?: {
    /**
     * The receiver, which speaks OTLP over HTTP.
     */
    otlp: {
      /**
       * Its base URL: `/v1/traces` and `/v1/metrics` are appended. A reference where it contains a password.
       */
      url: string;
      /**
       * Headers that it wants, each value as a reference.
       */
      headers?: {
        [k: string]: string;
      };
    };
    /**
     * What the receiver calls this gateway. It counts more than `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`.
     */
    service_name?: string;
    /**
     * Whether there is a span for each request and each attempt, and providers are sent `traceparent`.
     */
    traces?: boolean;
    /**
     * Whether tokens and durations of attempts are sent as metrics.
     */
    metrics?: boolean;
    /**
     * The share of requests that are traced where their client does not say; what its `traceparent` says counts more.
     */
    sample_ratio?: number;
  };
  /**
   * Protection against more requests than the gateway or its targets can serve: a limit of the concurrency of each target, found by how long its first content takes, a queue before a target at its limit, and refusals by priority while the process is late or short of memory. An empty object switches it on with the defaults; without it there is none.
   */
  overload?: {
    /**
     * The limit of a target is never lower.
     */
    min_concurrency?: number;
    /**
     * The limit of a target is never higher.
     */
    max_concurrency?: number;
    /**
     * The limit of a target of which nothing is known yet; 20 if absent, or the nearest number that the other two allow.
     */
    initial_concurrency?: number;
    /**
     * How many requests wait for a target at its limit at most; with 0, none do.
     */
    queue_requests?: number;
    /**
     * The most bytes that the bodies of these have together.
     */
    queue_bytes?: number;
    /**
     * The longest that a request waits for a target, in milliseconds; never longer than its deadline or the target's time-out. One that would have to wait longer is refused at once.
     */
    queue_ms?: number;
    /**
     * The delay of the event loop, in milliseconds, from which on requests are refused, those of low priority first. It has to be so long for more than half a second.
     */
    event_loop_ms?: number;
    /**
     * The percentage from which on requests are refused for want of memory: of the heap, of what a container may have, or of `limits.bodies_bytes`, whichever is scarcest.
     */
    memory_percent?: number;
    /**
     * The member of `x-gw-metadata` by which a request may lower its priority: `low`, `normal` or `high`, of which no more counts than its service key allows. Any other value says nothing.
     */
    priority_from?: string;
  };
  /**
   * Messages that leave the gateway when something needs a person: limits that are reached, open circuits, errors, refused configs, lost records, a store that is unavailable. They never contain texts of requests or answers.
   */
  alerts?: {
    /**
     * The receivers. Each has one of `webhook`, `slack` and `pagerduty`.
     *
     * @maxItems 32
     */
    to: {
      /**
       * A URL that JSON is posted to, or a reference to one.
       */
      webhook?: string;
      /**
       * A reference to the secret of a webhook, by which each message is signed as Standard Webhooks says: `whsec_` and base64.
       */
      secret?: string;
      /**
       * A reference to the URL of an incoming webhook of Slack, which is a secret.
       */
      slack?: string;
      /**
       * A reference to the routing key of a service of PagerDuty, which has the Events API v2 as its integration.
       */
      pagerduty?: string;
      /**
       * Where PagerDuty takes events; `https://events.eu.pagerduty.com/v2/enqueue` for accounts in the European Union.
       */
      url?: string;
      /**
       * The kinds that it gets. All but `gateway.started` and `gateway.stopped` if absent.
       *
       * @maxItems 32
       */
      on?: (
        | 'limit.threshold'
        | 'limit.exhausted'
        | 'circuit.open'
        | 'credential.refused'
        | 'errors.high'
        | 'config.refused'
        | 'records.dropped'
        | 'store.unavailable'
        | 'gateway.started'
        | 'gateway.stopped'
      )[];
      /**
       * The least severity that it gets.
       */
      severity?: 'info' | 'warning' | 'error' | 'critical';
      /**
       * Ids or slugs of the workspaces that it gets messages about. It then gets none about the gateway itself. Those of all, and of the gateway, if absent.
       *
       * @maxItems 1000
       */
      workspaces?: string[];
    }[];
    /**
     * When a config or a target fails too often: `false` for never, or an object that says how often.
     */
    errors?:
      | boolean
      | {
          /**
           * The share of failed requests from which it fails too often. It is over when the share is at most half of that.
           */
          percent?: number;
          /**
           * The seconds of which requests are counted.
           */
          of_last_s?: number;
          /**
           * The fewest requests in that time of which a share says anything.
           */
          at_least?: number;
        };
    /**
     * The fewest seconds between two messages about the same thing to the same receiver. What happens meanwhile is counted, and the next message has the count.
     */
    every_s?: number;
    /**
     * For how many seconds the store, the counters of limits or the log must have been unavailable.
     */
    unavailable_s?: number;
    /**
     * What messages call this gateway; the name of its machine if absent.
     */
    name?: string;
  };
  /**
   * Where the control plane keeps keys, saved providers, configs and prompts. Without it there is no control plane.
   */
  store?: {
    /**
     * A file of SQLite, for one gateway, beside the gateway file where the path is relative; `postgres://host/database`, which several can share; or a reference, which a URL with a password must be. Required unless `gw serve --store` names the store.
     */
    url?: string;
    /**
     * The 32 bytes that credentials are sealed with, as a reference to base64 or hexadecimal text. GW_MASTER_KEY where absent; a file beside a SQLite file where that is not set either.
     */
    master_key?: string;
    /**
     * Milliseconds for which known keys are accepted while the store cannot be reached.
     */
    stale_auth_ms?: number;
    /**
     * Where the processes that share the store count what limits count. Without it each counts alone, in memory.
     */
    limits?: {
      /**
       * A Redis: `redis://host:port/database`, `rediss://` over TLS, or a reference, which a URL with a password must be.
       */
      url: string;
    };
    /**
     * Where files of workspaces are kept, sealed, and how large they may be: in a folder beside a SQLite file, or `gateway-files` in the working folder, where neither `folder` nor `url` says another place.
     */
    files?: {
      /**
       * A folder, beside the gateway file where the path is relative. Processes that share the store need one that they share too.
       */
      folder?: string;
      /**
       * A bucket of S3 or of a service that is compatible with it, and a prefix of the names in it. It needs `access_key_id` and `secret_access_key`.
       */
      url?: string;
      /**
       * The URL of the service, if it is not AWS.
       */
      endpoint?: string;
      /**
       * The region of the bucket.
       */
      region?: string;
      /**
       * A reference to the access key of the bucket.
       */
      access_key_id?: string;
      /**
       * A reference to the secret of the access key.
       */
      secret_access_key?: string;
      /**
       * Whether the bucket is named in the path, and not in the host name. `true` where `endpoint` is given.
       */
      path_style?: boolean;
      /**
       * The most bytes of one file.
       */
      max_bytes?: number;
      /**
       * The most bytes of all files of a workspace. Uploads beyond it are refused.
       */
      quota_bytes?: number;
    };
    /**
     * What was changed, and by whom.
     */
    audit?: {
      /**
       * For how many days each record of the audit log is kept.
       */
      keep_days?: number;
    };
    /**
     * What each attempt used and cost. `false`: only attempts that a limit covers are counted and written, and reports of usage tell of them alone.
     */
    ledger?:
      | boolean
      | {
          /**
           * For how many days each attempt is kept. Its sums by hour, key, model and label are kept for 400 days.
           */
          keep_days?: number;
          /**
           * Megabytes that attempts may take, about; beyond it the oldest go. A hundred attempts a second are some 1,300 MB a day.
           */
          keep_mb?: number;
        };
  };
  /**
   * What a gateway with a store keeps of requests, for `GET /v1/logs` and analytics: `false` for nothing, or an object that says how.
   */
  log?:
    | boolean
    | {
        /**
         * Whether bodies of requests and answers are kept, sealed like credentials. What a provider said of an error is kept in any case, without credentials, and may quote the request.
         */
        bodies?: boolean;
        /**
         * The most bytes that are kept of one body.
         */
        body_bytes?: number;
        /**
         * JSON Pointers of what is taken out of bodies before they are kept; `*` stands for any member or item.
         *
         * @maxItems 64
         */
        redact?: string[];
        /**
         * Names of the request headers that are kept; none of them with credentials ever is.
         *
         * @maxItems 64
         */
        headers?: string[];
        /**
         * Days for which records are kept.
         */
        keep_days?: number;
        /**
         * Megabytes that records may take; beyond it the oldest go.
         */
        keep_mb?: number;
        /**
         * Where else the record of each finished request is sent: `webhook`, `s3`, `langfuse`, `datadog`, or a sink of a plugin. Further members of an item are the options of its sink.
         *
         * @maxItems 24
         */
        sinks?: {
          /**
           * The id of a sink.
           */
          sink: string;
          /**
           * What metrics and messages call it; the id of its sink if absent, with a number where another item is called so.
           */
          name?: string;
          /**
           * Ids or slugs of the workspaces whose records are sent; those of all if absent.
           *
           * @minItems 1
           * @maxItems 1000
           */
          workspaces?: [string, ...string[]];
          /**
           * The share of traces whose records are sent, by their ids, so that every gateway chooses the same ones.
           */
          sample?: number;
          [k: string]: unknown;
        }[];
      };
  /**
   * A folder for forms with files, such as transcriptions, that are larger than `limits.body_bytes`; beside the gateway file where the path is relative. Without it they get 413. The files in it have no names, and nobody else can read them.
   */
  spool_dir?: string;
  /**
   * Bounds, in bytes and milliseconds.
   */
  limits?: {
    /**
     * Header section of one request.
     */
    header_bytes?: number;
    /**
     * Config in a header.
     */
    config_bytes?: number;
    /**
     * One body held in memory.
     */
    body_bytes?: number;
    /**
     * All bodies and all whole answers in memory together; beyond it requests get 503.
     */
    bodies_bytes?: number;
    /**
     * One form that is kept in `spool_dir`.
     */
    form_bytes?: number;
    /**
     * All forms in `spool_dir` together; beyond it requests get 503.
     */
    forms_bytes?: number;
    /**
     * One answer held in memory.
     */
    answer_bytes?: number;
    /**
     * Silence in the middle of a stream, or of an answer that is passed through.
     */
    idle_ms?: number;
    /**
     * Time for running requests when the gateway shuts down.
     */
    drain_ms?: number;
    /**
     * The first part of `drain_ms`: the gateway still answers new connections, while `/readyz` says that it is draining, so that load balancers can see it first. 5000 by default, and 0 on a terminal.
     */
    drain_delay_ms?: number;
  };
}
/**
 * What a label may be: the part of JSON Schema that is for single values.
 */
export interface DeclaredLabel {
  /**
   * Its type.
   */
  type?: 'string' | 'number' | 'integer' | 'boolean';
  /**
   * All values that it may have.
   */
  enum?: (
    | string
    | number
    | boolean
    | {
        [k: string]: unknown;
      }
  )[];
  /**
   * The one value that it may have.
   */
  const?:
    | string
    | number
    | boolean
    | {
        [k: string]: unknown;
      };
  /**
   * A pattern (RE2) that is found in it; anchored by `^` and `$`.
   */
  pattern?: string;
  /**
   * The fewest characters of a string.
   */
  minLength?: number;
  /**
   * The most characters of a string.
   */
  maxLength?: number;
  /**
   * The least number.
   */
  minimum?: number;
  /**
   * The greatest number.
   */
  maximum?: number;
  /**
   * What it is for, for those who read the file.
   */
  description?: string;
  /**
   * With `enforce`: requests that call a model without it are refused.
   */
  required?: boolean;
  /**
   * Requests in which it has another value are refused with 400.
   */
  enforce?: boolean;
}
/**
 * A provider with its credential and settings.
 */
export interface SavedProvider {
  /**
   * The id of a provider that a plugin offers.
   */
  provider: string;
  /**
   * Secrets by config field name, as references.
   */
  credential?: {
    /**
     * A reference.
     */
    [k: string]: string;
  };
  /**
   * Several API keys in place of `credential`. Each attempt is sent with one of them, drawn by weight; a key that the provider refuses or limits is left out for a while.
   *
   * @minItems 1
   * @maxItems 100
   */
  keys?: [SavedKey, ...SavedKey[]];
  /**
   * Whose `keys` are: those of `one` account, which have files, batches and stored responses in common; or of `several`, where what a provider keeps is asked for with the key that made it; with the first key where that is not known.
   */
  accounts?: 'one' | 'several';
  /**
   * The provider's settings by config field name, those that its own schema adds, `custom_host`, and `unknown_ids` (`allow` or `refuse`), which decides whether files, batches and jobs that were not made through the gateway can be asked for.
   */
  settings?: JsonObject;
  tls?: SavedTls;
}
/**
 * One of several API keys.
 */
export interface SavedKey {
  /**
   * The key, as a reference.
   */
  api_key: string;
  /**
   * Its share of the attempts; with 0 it is not used.
   */
  weight?: number;
}
/**
 * How the host of a provider is recognised, and how the gateway identifies itself to it. No other target, and no host that a request names, is called with it. Files that change are followed: new connections use them.
 */
export interface SavedTls {
  /**
   * A reference to the certificates, in PEM, of the authorities that may have issued that of the host, instead of those that are trusted by default.
   */
  ca?: string;
  /**
   * A reference to the certificate of the gateway, in PEM, followed by those of the authorities between it and the root.
   */
  cert?: string;
  /**
   * A reference to the private key of `cert`, in PEM.
   */
  key?: string;
  /**
   * A reference to the passphrase that `key` is encrypted with, where it is.
   */
  passphrase?: string;
  /**
   * The name that is asked for (SNI) and that the certificate must be for, where that is not the host of the address.
   */
  server_name?: string;
}
/**
 * An object whose further members are checks with their parameters.
 */
export interface SavedGuardrail {
  /**
   * The name that `hook_results` shows; its slug where absent.
   */
  id?: string;
  /**
   * Refuse (status 446) when a check fails.
   */
  deny?: boolean;
  /**
   * Run in the background: the answer neither waits for it nor changes.
   */
  async?: boolean;
  /**
   * Run the checks one after another, in the order in which they stand here, and no more once one fails.
   */
  sequential?: boolean;
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
  [k: string]: unknown;
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
 * Prices of a model in US dollars for a million tokens.
 */
export interface ModelPrice {
  /**
   * Tokens of the request.
   */
  input: number;
  /**
   * Tokens of the answer.
   */
  output: number;
  /**
   * Tokens of the request that the provider had cached; as `input` where absent.
   */
  cache_read?: number;
  /**
   * Tokens of the request that the provider caches; as `input` where absent.
   */
  cache_write?: number;
  /**
   * Those that it caches for an hour; as `cache_write` where absent.
   */
  cache_write_1h?: number;
  /**
   * Tokens of audio in the request; as `input` where absent.
   */
  input_audio?: number;
  /**
   * Tokens of audio in the answer; as `output` where absent.
   */
  output_audio?: number;
  /**
   * Tokens of images in the request; as `input` where absent.
   */
  input_image?: number;
  /**
   * Tokens of images in the answer; as `output` where absent.
   */
  output_image?: number;
  /**
   * Tokens of reasoning; as `output` where absent.
   */
  reasoning?: number;
  /**
   * Each request, in US dollars.
   */
  request?: number;
  /**
   * Each search of the provider's own search tool, in US dollars.
   */
  web_search?: number;
  /**
   * Each search unit of a reranking, in US dollars.
   */
  search?: number;
  /**
   * Each page of a document that is read, in US dollars.
   */
  page?: number;
  /**
   * Each page that is read with annotations, in US dollars; as `page` where absent.
   */
  annotated_page?: number;
  /**
   * Each picture that is made, in US dollars.
   */
  image?: number;
  /**
   * Prices of what the provider serves at another service tier, such as `batch`, `flex` or `priority`. Without them, batches cost half, as does `flex` at OpenAI and Azure.
   */
  tiers?: {
    [k: string]: TokenPrices;
  };
}
/**
 * Prices of a model at a service tier, in US dollars for a million tokens.
 */
export interface TokenPrices {
  /**
   * Tokens of the request.
   */
  input: number;
  /**
   * Tokens of the answer.
   */
  output: number;
  /**
   * Tokens of the request that the provider had cached; as `input` where absent.
   */
  cache_read?: number;
  /**
   * Tokens of the request that the provider caches; as `input` where absent.
   */
  cache_write?: number;
  /**
   * Those that it caches for an hour; as `cache_write` where absent.
   */
  cache_write_1h?: number;
  /**
   * Tokens of audio in the request; as `input` where absent.
   */
  input_audio?: number;
  /**
   * Tokens of audio in the answer; as `output` where absent.
   */
  output_audio?: number;
  /**
   * Tokens of images in the request; as `input` where absent.
   */
  input_image?: number;
  /**
   * Tokens of images in the answer; as `output` where absent.
   */
  output_image?: number;
  /**
   * Tokens of reasoning; as `output` where absent.
   */
  reasoning?: number;
  /**
   * Each request, in US dollars.
   */
  request?: number;
  /**
   * Each search of the provider's own search tool, in US dollars.
   */
  web_search?: number;
  /**
   * Each search unit of a reranking, in US dollars.
   */
  search?: number;
  /**
   * Each page of a document that is read, in US dollars.
   */
  page?: number;
  /**
   * Each page that is read with annotations, in US dollars; as `page` where absent.
   */
  annotated_page?: number;
  /**
   * Each picture that is made, in US dollars.
   */
  image?: number;
}
