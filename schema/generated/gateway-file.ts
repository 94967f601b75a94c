// Made from schema/gateway.schema.json by schema/generate.ts (npm run generate); do not edit.
import type { JsonObject } from '../json/json.ts';

/**
 * The gateway file, `gateway.json`: where the gateway listens, who may call it, and which providers, credentials and guardrails configs can refer to by name.
 */
export interface GatewayFile {
  /**
   * The address of this schema, for editors.
   */
  $schema?: string;
  /**
   * Where the gateway listens.
   */
  listen?: {
    /**
     * The address or host name to listen on. Without service keys it must be a loopback address.
     */
    host?: string;
    /**
     * The port. 0 picks a free one.
     */
    port?: number;
    /**
     * Serves HTTP/1.1 and HTTP/2 over TLS; plain HTTP/1.1 if absent. The gateway watches the files: new connections use their current content, and open connections stay open.
     */
    tls?: {
      /**
       * The certificate, followed by the intermediate certificates up to its authority, in PEM: a file, whose path is relative to the gateway file, or a reference.
       */
      cert: string;
      /**
       * The private key of the certificate, in PEM: a file or a reference.
       */
      key: string;
      /**
       * A reference to the passphrase of `key`, if it is encrypted.
       */
      passphrase?: string;
      /**
       * Further certificates, for other host names. If a client requests a name (SNI) that `cert` does not cover, it gets the first of these that does, or else `cert`. Their files are watched too.
       *
       * @minItems 1
       * @maxItems 100
       */
      certificates?: [
        {
          /**
           * Like `cert` beside the list.
           */
          cert: string;
          /**
           * Like `key` beside the list.
           */
          key: string;
          /**
           * Like `passphrase` beside the list.
           */
          passphrase?: string;
        },
        ...{
          /**
           * Like `cert` beside the list.
           */
          cert: string;
          /**
           * Like `key` beside the list.
           */
          key: string;
          /**
           * Like `passphrase` beside the list.
           */
          passphrase?: string;
        }[],
      ];
      /**
       * The authorities whose certificates clients may present (mTLS), in PEM: a file or a reference. If absent, clients are not asked for a certificate.
       */
      client_ca?: string;
      /**
       * With `client_ca`: `require` rejects the handshake of a client without a certificate from these authorities. `request` also serves clients without a certificate, but rejects those with one from another authority.
       */
      client_certificates?: 'require' | 'request';
      /**
       * The oldest version of TLS that is accepted.
       */
      min_version?: 'TLSv1.2' | 'TLSv1.3';
    };
  };
  /**
   * How many processes serve requests on the same port: a number, or `auto` for one per processor; 1 if absent.
   */
  workers?:
    | number
    | string
    | {
        [k: string]: unknown;
      };
  /**
   * Lets pages of other sites call models from a browser (CORS). Without it, browsers let no page read an answer. It does not apply to the control API and to the console.
   */
  cors?: {
    /**
     * The origins of the pages, as browsers send them: scheme, host, and the port unless it is the default. `*` allows all pages, but a gateway without keys still answers only the pages of this machine and those that are listed by name.
     *
     * @minItems 1
     */
    origins: [string, ...string[]];
    /**
     * How many seconds a browser may remember that a request is allowed, before it asks again; 600 if absent.
     */
    max_age_s?: number;
  };
  /**
   * Service keys. Without any, the gateway answers only its own machine. Requests with these keys appear in no log or report of a store, and its policies do not count them. For that, use keys of the store (`gw keys create`).
   */
  auth?: {
    /**
     * The keys that callers send in `x-gw-api-key`.
     */
    keys: {
      /**
       * The name of the key in logs.
       */
      id: string;
      /**
       * The key itself, as a reference.
       */
      key: string;
      /**
       * The tenant whose state (circuits, caches) the key's requests share; the key's id if absent.
       */
      tenant?: string;
      /**
       * The highest priority of the key's requests, for when `overload` has to choose between requests.
       */
      priority?: 'low' | 'normal' | 'high';
    }[];
  };
  /**
   * The folder of routing configs (*.json, *.jsonc, *.yaml, *.yml), relative to this file. Callers name a config without its file extension.
   */
  configs?: string;
  /**
   * The name of the config for requests whose headers name no config and no provider. If its target names a provider, that provider is called even if the body of a request has a model `@slug/model`. If the slug is that of another provider, and `override_params` has no model, such a request gets a 400.
   */
  default_config?: string;
  /**
   * Virtual models, by the name that clients send as their model. `config:NAME` stands for a config of this gateway whose targets all set a model, and `@slug/model` for one model of a saved provider, or of a provider that needs no credential. A config or a provider in a header takes precedence, and so does the config of a service key that allows no other.
   */
  models?: {
    /**
     * The config or the model that the name stands for.
     */
    [k: string]: string;
  };
  /**
   * The labels that callers send in `x-gw-metadata`, by name, each with the values that it may have. The conditions of configs are checked against them. Requests are checked only for labels with `enforce`.
   */
  metadata?: {
    [k: string]: DeclaredLabel;
  };
  /**
   * Plugins in addition to the built-in ones.
   */
  plugins?: {
    /**
     * The name of an npm package, or a path relative to this file.
     */
    package: string;
    /**
     * The plugin's options, as its own schema defines them.
     */
    options?: JsonObject;
    /**
     * Whether the plugin's checks run in a process of their own, so that they can neither stop nor slow down the gateway. Only plugins that contribute nothing but checks can be isolated.
     */
    isolate?: boolean;
    /**
     * The most memory that each process of an isolated plugin may use, in MiB; 256 if absent. A process that uses more is stopped and started again. A plugin has one process, or up to four while the checks of single tenants keep theirs busy.
     */
    memory_mb?: number;
  }[];
  /**
   * Providers that configs refer to as `@slug`.
   */
  providers?: {
    [k: string]: SavedProvider;
  };
  /**
   * Credentials that configs refer to with `virtual_key`, and requests with `x-gw-virtual-key`.
   */
  virtual_keys?: {
    [k: string]: SavedProvider;
  };
  /**
   * Guardrails that configs refer to by slug.
   */
  guardrails?: {
    [k: string]: SavedGuardrail;
  };
  /**
   * Hosts that may be called although they are private or local. If none is listed, a gateway that listens on loopback and has no keys and no store may call loopback addresses too.
   */
  trusted_hosts?: string[];
  /**
   * A reference to the certificates of further authorities, in PEM. All connections from the gateway to other machines and to the proxy trust them in addition to those that Node trusts.
   */
  trusted_authorities?: string;
  /**
   * The HTTP proxy for connections to other machines: its URL, a reference (required if the URL has a password), or `environment` to use HTTPS_PROXY, HTTP_PROXY and ALL_PROXY. Connections to hosts in NO_PROXY and to loopback addresses are direct. With a proxy, callers can choose only hosts in `trusted_hosts` and NO_PROXY.
   */
  proxy?: string;
  /**
   * What happens to a request with a body on a path that the gateway does not model, if a guardrail of the target may deny. `judged` refuses it (403), because no guardrail can read it. `allow` forwards it unread.
   */
  pass_through?: 'judged' | 'allow';
  /**
   * The only client headers that are forwarded with requests that are passed through, in addition to `accept`, `accept-encoding`, `content-type`, `content-encoding`, `content-length` and those that a config or a provider forwards by name. Upper and lower case do not matter. If absent, all headers are forwarded except those of the connection, those of the gateway, and credentials.
   */
  pass_through_headers?: string[];
  /**
   * Which turns of a request guardrails judge. `new`: those since the model's last answer; guardrails saw the earlier ones in earlier requests. `all`: the whole conversation, because a caller can invent an earlier answer. An organisation or a workspace can also set `all`.
   */
  judged_turns?: 'new' | 'all';
  /**
   * What happens to members of requests and responses that a format does not document. With `judge`, guardrails check all strings in them, and those that may deny refuse whatever cannot be read as text. `allow` lets them pass unread.
   */
  unjudged_members?: 'judge' | 'allow';
  /**
   * What happens to a request with a header `x-gw-…` that the gateway does not know. `refuse` responds with 400 and suggests the nearest name, because a misspelt header would silently do nothing. `ignore` serves the request.
   */
  unknown_headers?: 'refuse' | 'ignore';
  /**
   * What happens to a request that brings its own routing: a config as JSON in `x-gw-config`, a provider by its id in `x-gw-provider`, `x-gw-custom-host` or `x-gw-forward-headers`. `refuse` responds with 400, so that only saved configs and providers serve requests. `allow` serves it.
   */
  unsaved_routing?: 'allow' | 'refuse';
  /**
   * Other gateways whose clients can call this one unchanged. `portkey` reads each header `x-portkey-…` as the `x-gw-…` header with the same meaning, and a config in `x-portkey-config` with Portkey's names of its members. Anything without a counterpart gets a 400 that says what to do instead. Without this setting, such headers have no meaning.
   */
  accept?: 'portkey'[];
  /**
   * What happens to a request that a provider's dialect cannot express in full. `tell` sends it without the parts that are lost and lists them in the response header `x-gw-dropped-params`. `refuse` responds with 400, so that another target can serve the request.
   */
  on_loss?: 'tell' | 'refuse';
  /**
   * Whether to add cache hints for providers that cache a prompt only if the request asks for it. `auto` adds them at the end of the tools, of the system prompt and of the turns before the last one, if the model caches prefixes of that length and the request has no hint of its own. Tokens that a provider writes to its cache cost more, and tokens that it reads from it cost less.
   */
  prompt_cache?: 'off' | 'auto';
  /**
   * Whether the request log contains what each attempt used and cost, and as `cacheHitRate` the share of the input that providers read from their prompt caches.
   */
  usage?: boolean;
  /**
   * Your own prices, by the id of the provider and the model. `*` stands for all other models of the provider. Models that are not listed have the public list prices.
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
   * Facts about models, which take precedence over those from providers and public tables. Anything left out is taken from these.
   *
   * @maxItems 10000
   *
   * Items: Facts about one model.
   */
  model_facts?: {
    /**
     * The id of a provider, or a saved one as `@slug`.
     */
    provider: string;
    /**
     * The provider's name for the model.
     */
    model: string;
    /**
     * Other names that the provider has for the model.
     *
     * @maxItems 100
     */
    aliases?: string[];
    /**
     * The most tokens of input and output together, or of the input if the two have separate limits.
     */
    context?: number;
    /**
     * The most tokens of a response.
     */
    output?: number;
    /**
     * Everything that the model can do. It cannot do anything that is not listed.
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
     * The day from which the provider may refuse the model. `gw check` warns 90 days before.
     */
    deprecated?: string;
    /**
     * The day as of which these facts are correct; the day on which the file is read if absent.
     */
    as_of?: string;
  }[];
  /**
   * Where responses are kept for configs that have a `cache`.
   */
  cache?: {
    /**
     * A Redis that several gateways share: `redis://host:port/database`, `rediss://` over TLS, or a reference (required if the URL has a password). If absent, responses are kept in memory.
     */
    url?: string;
    /**
     * The most bytes that are kept in memory. Responses larger than a tenth of it are not kept, not even in Redis.
     */
    max_bytes?: number;
    /**
     * For how many seconds after it has expired a response may still be used if the provider fails: no connection, a time-out, or a status of 500 or above.
     */
    stale_if_error_s?: number;
    /**
     * How configs with the cache mode `semantic` find responses to the same question in other words. Without it they find only responses to equal requests.
     */
    semantic?: {
      /**
       * The saved provider that computes the vectors (embeddings) of texts.
       */
      provider: string;
      /**
       * The provider's embedding model.
       */
      model: string;
      /**
       * The lowest cosine similarity at which two questions share a response. Numbers, names, negations and the order of words must be equal in any case.
       */
      threshold?: number;
      /**
       * How long a request waits for its vector and the comparison, in milliseconds, before the provider is called.
       */
      timeout_ms?: number;
      /**
       * The most bytes of vectors that are kept in memory.
       */
      max_bytes?: number;
      /**
       * A PostgreSQL database for the vectors of gateways that share their responses: `postgres://host:port/database`, or a reference (required if the URL has a password). It needs the package `pg`. If absent, vectors are kept in memory.
       */
      url?: string;
    };
  };
  /**
   * Whether `/metrics` serves metrics in the Prometheus format: `true`, or an object with options; off if absent. Without service keys, only this machine can read it. With service keys, it requires a key of the organisation with the scope `metrics.read`, or a separate port.
   */
  metrics?:
    | boolean
    | {
        /**
         * Whether tokens and costs are counted. `true`: those of all responses; the gateway then reads each response for them, and requests that streams report them. `false`: none. If absent, those of responses whose usage is read for another reason: the ledger and limits of a store, `telemetry`, `usage`, or a caller who asks for it.
         */
        tokens?: boolean;
        /**
         * A separate port for metrics, without keys. The gateway's own port then serves none.
         */
        port?: number;
        /**
         * The address that the separate port listens on. Anyone who can connect can read the metrics.
         */
        host?: string;
      };
  /**
   * Traces and metrics for OpenTelemetry, following its conventions for generative AI. They never contain the text of requests or responses. They need packages of OpenTelemetry; the gateway lists any that are missing.
   */
  telemetry?: {
    /**
     * The receiver, over OTLP/HTTP.
     */
    otlp: {
      /**
       * The base URL of the receiver; `/v1/traces` and `/v1/metrics` are appended. It must be a reference if it contains a password.
       */
      url: string;
      /**
       * Headers that the receiver requires. Each value is a reference.
       */
      headers?: {
        [k: string]: string;
      };
    };
    /**
     * The name of this gateway at the receiver. It takes precedence over `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`.
     */
    service_name?: string;
    /**
     * Whether each request and each attempt gets a span, and providers are sent `traceparent`.
     */
    traces?: boolean;
    /**
     * Whether tokens and durations of attempts are sent as metrics.
     */
    metrics?: boolean;
    /**
     * The share of requests that are traced. If a client sends `traceparent`, that decides instead.
     */
    sample_ratio?: number;
  };
  /**
   * Protection against more requests than the gateway or its targets can serve: a concurrency limit for each target, which follows from how long its first content takes; a queue for a target at its limit; and refusals by priority while the event loop is delayed or memory is short. An empty object enables it with the defaults. If absent, there is no such protection.
   */
  overload?: {
    /**
     * The lowest value of a target's limit.
     */
    min_concurrency?: number;
    /**
     * The highest value of a target's limit.
     */
    max_concurrency?: number;
    /**
     * The limit of a target about which nothing is known yet; 20 if absent, or the nearest number that the other two allow.
     */
    initial_concurrency?: number;
    /**
     * The most requests that wait for a target at its limit. With 0, none wait.
     */
    queue_requests?: number;
    /**
     * The most bytes that the bodies of the waiting requests may have together.
     */
    queue_bytes?: number;
    /**
     * The longest time that a request waits for a target, in milliseconds, but never longer than its deadline or the target's time-out. A request that would have to wait longer is refused at once.
     */
    queue_ms?: number;
    /**
     * The delay of the event loop, in milliseconds, at which requests are refused, those of low priority first. The delay must last for more than half a second.
     */
    event_loop_ms?: number;
    /**
     * The memory usage, in percent, at which requests are refused: of the heap, of the container's limit, or of `limits.bodies_bytes`, whichever is fullest.
     */
    memory_percent?: number;
    /**
     * The member of `x-gw-metadata` with which a request can lower its priority: `low`, `normal` or `high`, but never higher than its service key allows. Any other value is ignored.
     */
    priority_from?: string;
  };
  /**
   * Messages that the gateway sends when something needs a person's attention: limits that are reached, open circuits, errors, refused configs, lost records, a store that is unavailable. They never contain the text of requests or responses.
   */
  alerts?: {
    /**
     * The receivers. Each has one of `webhook`, `slack` and `pagerduty`.
     *
     * @maxItems 32
     */
    to: {
      /**
       * The URL to which JSON is posted, or a reference to it.
       */
      webhook?: string;
      /**
       * A reference to the secret with which messages to a webhook are signed, as Standard Webhooks specifies: `whsec_` and base64.
       */
      secret?: string;
      /**
       * A reference to the URL of a Slack incoming webhook, which is a secret.
       */
      slack?: string;
      /**
       * A reference to the routing key of a PagerDuty service with the Events API v2 integration.
       */
      pagerduty?: string;
      /**
       * The address of PagerDuty's Events API; `https://events.eu.pagerduty.com/v2/enqueue` for accounts in the European Union.
       */
      url?: string;
      /**
       * The kinds of messages that the receiver gets; all except `gateway.started` and `gateway.stopped` if absent.
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
       * The lowest severity that the receiver gets.
       */
      severity?: 'info' | 'warning' | 'error' | 'critical';
      /**
       * Ids or slugs of the workspaces that the receiver gets messages about. It then gets none about the gateway itself. If absent, it gets messages about all workspaces and the gateway.
       *
       * @maxItems 1000
       */
      workspaces?: string[];
    }[];
    /**
     * When to report that a config or a target fails too often: `false` for never, or an object with the thresholds.
     */
    errors?:
      | boolean
      | {
          /**
           * The percentage of failed requests at which to report it. It is over when the percentage drops to half of that.
           */
          percent?: number;
          /**
           * The length of the window in which requests are counted, in seconds.
           */
          of_last_s?: number;
          /**
           * The fewest requests in the window. With fewer, nothing is reported.
           */
          at_least?: number;
        };
    /**
     * The fewest seconds between two messages about the same thing to the same receiver. Whatever happens in between is counted, and the next message contains the count.
     */
    every_s?: number;
    /**
     * For how many seconds the store, the ledger, the counters of limits or the log must be unavailable before it is reported.
     */
    unavailable_s?: number;
    /**
     * The name of this gateway in messages; the host name of its machine if absent.
     */
    name?: string;
  };
  /**
   * Where the control plane keeps keys, saved providers, configs and prompts. Without it there is no control plane.
   */
  store?: {
    /**
     * A SQLite file, for a single gateway; `postgres://host/database`, which several gateways can share; or a reference (required if the URL has a password). A path is relative to the gateway file. Required unless `gw serve --store` names the store.
     */
    url?: string;
    /**
     * A reference to the 32 bytes with which credentials are sealed, as base64 or hexadecimal text. If absent, GW_MASTER_KEY is used, or a file beside the SQLite file if that is not set either.
     */
    master_key?: string;
    /**
     * How long known keys are accepted while the store cannot be reached, in milliseconds.
     */
    stale_auth_ms?: number;
    /**
     * Where processes that share the store keep the counters of limits. Without it, each process counts on its own, in memory.
     */
    limits?: {
      /**
       * A Redis: `redis://host:port/database`, `rediss://` over TLS, or a reference (required if the URL has a password).
       */
      url: string;
    };
    /**
     * Where the files of workspaces are kept, sealed, and how large they may be. If neither `folder` nor `url` is set, they are kept in a folder beside the SQLite file, or in `gateway-files` in the working folder.
     */
    files?: {
      /**
       * A folder. The path is relative to the gateway file. Processes that share the store must also share this folder.
       */
      folder?: string;
      /**
       * A bucket in S3 or a compatible service, and a prefix for the names in it. It needs `access_key_id` and `secret_access_key`.
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
       * A reference to the secret access key.
       */
      secret_access_key?: string;
      /**
       * Whether the bucket is named in the path instead of the host name; `true` by default if `endpoint` is set.
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
     * The log of what was changed, and by whom.
     */
    audit?: {
      /**
       * For how many days each record of the audit log is kept.
       */
      keep_days?: number;
    };
    /**
     * The record of what each attempt used and cost. With `false`, only attempts that a limit covers are counted and written, and reports of usage cover only these.
     */
    ledger?:
      | boolean
      | {
          /**
           * For how many days each attempt is kept. The sums by hour, key, model and label are kept for 400 days.
           */
          keep_days?: number;
          /**
           * About how many megabytes the attempts may take. Beyond that, the oldest are deleted. A hundred attempts a second take about 1,300 MB a day.
           */
          keep_mb?: number;
        };
  };
  /**
   * What a gateway with a store keeps of requests, for `GET /v1/logs` and analytics: `false` for nothing, or an object with options.
   */
  log?:
    | boolean
    | {
        /**
         * Whether the bodies of requests and responses are kept, sealed like credentials. A provider's error message is kept in any case, without credentials, and may quote the request.
         */
        bodies?: boolean;
        /**
         * The most bytes that are kept of one body.
         */
        body_bytes?: number;
        /**
         * JSON Pointers to what is removed from bodies before they are kept. `*` stands for any member or item.
         *
         * @maxItems 64
         */
        redact?: string[];
        /**
         * The names of the request headers that are kept. Headers with credentials never are.
         *
         * @maxItems 64
         */
        headers?: string[];
        /**
         * For how many days records are kept.
         */
        keep_days?: number;
        /**
         * How many megabytes the records may take. Beyond that, the oldest are deleted.
         */
        keep_mb?: number;
        /**
         * Where else the record of each finished request is sent: `webhook`, `s3`, `langfuse`, `datadog`, or a sink of a plugin. Other members of an item are the options of its sink.
         *
         * @maxItems 24
         */
        sinks?: {
          /**
           * The id of a sink.
           */
          sink: string;
          /**
           * The name of this item in metrics and messages. If absent, the id of its sink, with a number if another item has that name.
           */
          name?: string;
          /**
           * Ids or slugs of the workspaces whose records are sent; those of all workspaces if absent.
           *
           * @minItems 1
           * @maxItems 1000
           */
          workspaces?: [string, ...string[]];
          /**
           * The share of traces whose records are sent. They are chosen by their ids, so that every gateway chooses the same ones.
           */
          sample?: number;
          [k: string]: unknown;
        }[];
      };
  /**
   * A folder for forms with files, such as transcriptions, that are larger than `limits.body_bytes`. Without it they get a 413. The path is relative to the gateway file. The files in it have no names, and nobody else can read them.
   */
  spool_dir?: string;
  /**
   * Limits, in bytes and milliseconds.
   */
  limits?: {
    /**
     * The most bytes of all headers of a request together.
     */
    header_bytes?: number;
    /**
     * The most bytes of a config in a header.
     */
    config_bytes?: number;
    /**
     * The most bytes of one request body that is held in memory.
     */
    body_bytes?: number;
    /**
     * The most bytes of all bodies and all whole responses in memory together. Beyond that, requests get a 503.
     */
    bodies_bytes?: number;
    /**
     * The most bytes of one form that is kept in `spool_dir`.
     */
    form_bytes?: number;
    /**
     * The most bytes of all forms in `spool_dir` together. Beyond that, requests get a 503.
     */
    forms_bytes?: number;
    /**
     * The most bytes of one response that is held in memory.
     */
    answer_bytes?: number;
    /**
     * The longest silence in the middle of a stream, or of a response that is passed through, in milliseconds.
     */
    idle_ms?: number;
    /**
     * How long running requests may take to finish when the gateway shuts down, in milliseconds.
     */
    drain_ms?: number;
    /**
     * The first part of `drain_ms`, in which the gateway still accepts new connections while `/readyz` reports that it is draining, so that load balancers notice it first. 5000 by default, and 0 on a terminal.
     */
    drain_delay_ms?: number;
  };
}
/**
 * The values that a label may have: the part of JSON Schema that describes single values.
 */
export interface DeclaredLabel {
  /**
   * The type of the label.
   */
  type?: 'string' | 'number' | 'integer' | 'boolean';
  /**
   * All values that the label may have.
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
   * The only value that the label may have.
   */
  const?:
    | string
    | number
    | boolean
    | {
        [k: string]: unknown;
      };
  /**
   * A pattern (RE2) that must match somewhere in the value. `^` and `$` anchor it.
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
   * The smallest number.
   */
  minimum?: number;
  /**
   * The largest number.
   */
  maximum?: number;
  /**
   * The purpose of the label, for readers of the file.
   */
  description?: string;
  /**
   * With `enforce`: whether requests that call a model without the label are refused.
   */
  required?: boolean;
  /**
   * Whether requests in which the label has another value are refused with 400.
   */
  enforce?: boolean;
}
/**
 * A provider with its credential and its settings.
 */
export interface SavedProvider {
  /**
   * The id of a provider that a plugin offers.
   */
  provider: string;
  /**
   * The secrets, as references, by the names of their config fields.
   */
  credential?: {
    /**
     * A reference.
     */
    [k: string]: string;
  };
  /**
   * Several API keys instead of `credential`. Each attempt is sent with one of them, drawn by weight. A key that the provider rejects or rate-limits is left out for a while.
   *
   * @minItems 1
   * @maxItems 100
   */
  keys?: [SavedKey, ...SavedKey[]];
  /**
   * Whether the `keys` belong to `one` account or to `several`. The keys of one account share files, batches and stored responses. If there are several accounts, a request for something that the provider stores is sent with the key that created it, or with the first key if that is unknown.
   */
  accounts?: 'one' | 'several';
  /**
   * The provider's settings by the names of their config fields, the settings that its own schema adds, `custom_host`, and `unknown_ids` (`allow` or `refuse`), which controls whether requests may name files, batches and jobs that were not created through the gateway.
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
   * The key's share of the attempts. With 0 no attempt draws it. If there are several accounts, it still serves requests for what it created.
   */
  weight?: number;
}
/**
 * How the gateway verifies the provider's host, and how it identifies itself to it. These settings are never used for another target or for a host that a request names. The files are watched: new connections use their current content.
 */
export interface SavedTls {
  /**
   * A reference to the certificates, in PEM, of the authorities that may have issued that of the host, instead of those that are trusted by default.
   */
  ca?: string;
  /**
   * A reference to the gateway's certificate, in PEM, followed by the intermediate certificates between it and the root.
   */
  cert?: string;
  /**
   * A reference to the private key of `cert`, in PEM.
   */
  key?: string;
  /**
   * A reference to the passphrase of `key`, if it is encrypted.
   */
  passphrase?: string;
  /**
   * The name that is requested (SNI) and that the certificate must be valid for, if it is not the host of the address.
   */
  server_name?: string;
}
/**
 * A guardrail: an object whose other members are checks with their parameters.
 */
export interface SavedGuardrail {
  /**
   * The name that `hook_results` shows; the guardrail's slug if absent.
   */
  id?: string;
  /**
   * Whether to refuse with status 446 if a check fails.
   */
  deny?: boolean;
  /**
   * Whether to run in the background. The response then neither waits for the checks nor is changed by them.
   */
  async?: boolean;
  /**
   * Whether to run the checks one after another, in the order in which they are listed, and to stop at the first that fails.
   */
  sequential?: boolean;
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
  [k: string]: unknown;
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
 * Prices of a model in US dollars per million tokens.
 */
export interface ModelPrice {
  /**
   * The price of input tokens.
   */
  input: number;
  /**
   * The price of output tokens.
   */
  output: number;
  /**
   * The price of input tokens that the provider reads from its cache; that of `input` if absent.
   */
  cache_read?: number;
  /**
   * The price of input tokens that the provider writes to its cache; that of `input` if absent.
   */
  cache_write?: number;
  /**
   * The price of input tokens that the provider caches for an hour; that of `cache_write` if absent.
   */
  cache_write_1h?: number;
  /**
   * The price of audio tokens in the request; that of `input` if absent.
   */
  input_audio?: number;
  /**
   * The price of audio tokens in the response; that of `output` if absent.
   */
  output_audio?: number;
  /**
   * The price of image tokens in the request; that of `input` if absent.
   */
  input_image?: number;
  /**
   * The price of image tokens in the response; that of `output` if absent.
   */
  output_image?: number;
  /**
   * The price of reasoning tokens; that of `output` if absent.
   */
  reasoning?: number;
  /**
   * The price of each request, in US dollars.
   */
  request?: number;
  /**
   * The price of each search with the provider's own search tool, in US dollars.
   */
  web_search?: number;
  /**
   * The price of each search unit of a reranking, in US dollars.
   */
  search?: number;
  /**
   * The price of each page of a document that is read, in US dollars.
   */
  page?: number;
  /**
   * The price of each page that is read with annotations, in US dollars; that of `page` if absent.
   */
  annotated_page?: number;
  /**
   * The price of each generated image, in US dollars.
   */
  image?: number;
  /**
   * Prices of requests that the provider serves at another service tier, such as `batch`, `flex` or `priority`. Without them, batches cost half, and so does `flex` at OpenAI and Azure.
   */
  tiers?: {
    [k: string]: TokenPrices;
  };
}
/**
 * Prices of a model at a service tier, in US dollars per million tokens.
 */
export interface TokenPrices {
  /**
   * The price of input tokens.
   */
  input: number;
  /**
   * The price of output tokens.
   */
  output: number;
  /**
   * The price of input tokens that the provider reads from its cache; that of `input` if absent.
   */
  cache_read?: number;
  /**
   * The price of input tokens that the provider writes to its cache; that of `input` if absent.
   */
  cache_write?: number;
  /**
   * The price of input tokens that the provider caches for an hour; that of `cache_write` if absent.
   */
  cache_write_1h?: number;
  /**
   * The price of audio tokens in the request; that of `input` if absent.
   */
  input_audio?: number;
  /**
   * The price of audio tokens in the response; that of `output` if absent.
   */
  output_audio?: number;
  /**
   * The price of image tokens in the request; that of `input` if absent.
   */
  input_image?: number;
  /**
   * The price of image tokens in the response; that of `output` if absent.
   */
  output_image?: number;
  /**
   * The price of reasoning tokens; that of `output` if absent.
   */
  reasoning?: number;
  /**
   * The price of each request, in US dollars.
   */
  request?: number;
  /**
   * The price of each search with the provider's own search tool, in US dollars.
   */
  web_search?: number;
  /**
   * The price of each search unit of a reranking, in US dollars.
   */
  search?: number;
  /**
   * The price of each page of a document that is read, in US dollars.
   */
  page?: number;
  /**
   * The price of each page that is read with annotations, in US dollars; that of `page` if absent.
   */
  annotated_page?: number;
  /**
   * The price of each generated image, in US dollars.
   */
  image?: number;
}
