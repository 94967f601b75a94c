import { isJsonObject } from '../../../../schema/json/json.ts';
import type { Draft } from '../draft/draft.ts';
import type { SourceObject } from '../draft/read-source.ts';
import { loseGuardrail, loseLogMask } from './litellm-guardrails.ts';
import { alerts, counters } from './litellm-losses.ts';
import type { Why } from './litellm-policies.ts';
import { budgets, limits } from './litellm-policies.ts';

const receivers: Why = [
  'Receivers of logs are in the gateway file',
  'Write them under "log", with a store, and create keys of the store for clients (gw keys create): docs/recipes/send-the-log-elsewhere.md.',
];
const telemetry: Why = [
  'Traces and metrics are sent by OpenTelemetry, as the gateway file specifies',
  'Write "telemetry": { "otlp": { "url": … } }: docs/recipes/metrics-and-traces.md.',
];
const metrics: Why = [
  'Metrics for Prometheus are turned on in the gateway file',
  'Write "metrics": {}, and let Prometheus read /metrics: docs/recipes/metrics-and-traces.md.',
];
const personalData: Why = [
  'Personal data is not masked now: the check default.pii does this, without Presidio',
  'Write { "default.pii": { "categories": ["email", "phone", "card", "iban"], "action": "redact" }, "deny": true } under "input_guardrails" of the configs: docs/recipes/redact-personal-data.md.',
];
const prompts: Why = ['Prompts are in a store', 'Create them with gw prompts create, and name them by prompt_id.'];

const each = (names: string, why: Why): readonly (readonly [name: string, why: Why])[] =>
  names.split(' ').map((name) => [name, why]);

/**
 * The services that LiteLLM calls back, by their names there, with their counterparts
 * (https://github.com/BerriAI/litellm/blob/main/litellm/__init__.py, and litellm/litellm_core_utils/litellm_logging.py).
 */
const services: ReadonlyMap<string, Why> = new Map([
  ...each(
    'agentops aispend argilla arize arize_phoenix athina aws_sqs azure_sentinel azure_storage berrispend braintrust datadog ' +
      'datadog_llm_observability db deepeval dynamodb galileo gcs_bucket gcs_pubsub generic_api greenscale helicone ' +
      'langfuse langfuse_otel langsmith langtrace levo lite_debugger literalai llmonitor logfire lunary mlflow newrelic opik ' +
      'posthog promptlayer rubrik s3 s3_v2 sentry slack sumologic supabase traceloop wandb weave_otel webhook',
    receivers,
  ),
  ...each('otel opentelemetry', telemetry),
  ...each('prometheus prometheus_system datadog_metrics', metrics),
  ...each('pagerduty resend_email sendgrid_email smtp_email', alerts),
  ...each('cloudzero datadog_cost_management focus lago mavvrik openmeter vantage', budgets),
  ...each('dynamic_rate_limiter dynamic_rate_limiter_v3', limits),
  ...each('batch_redis_requests', counters),
  ...each('bitbucket dotprompt gitlab humanloop', prompts),
  ...each('presidio', personalData),
]);

/** Checks that LiteLLM calls back, by their names there. */
const checks: ReadonlySet<string> = new Set(
  (
    'aporia_prompt_injection azure_content_safety banned_keywords blocked_user_check detect_prompt_injection ' +
    'google_text_moderation hide_secrets lakera_prompt_injection llamaguard_moderations llmguard_moderations openai_moderations'
  ).split(' '),
);

/** Parts of LiteLLM that are called back but are neither receivers nor code of its operator. */
const parts: ReadonlySet<string> = new Set(
  (
    'anthropic_cache_control_hook bedrock_vector_store compression_interception litellm_agent vector_store_pre_call_hook ' +
    'websearch_interception'
  ).split(' '),
);

const noCounterpart = (name: string): Why => [
  `"${name}" has no counterpart`,
  'Remove it; docs/reference/README.md lists the settings of a gateway file and of a config.',
];

const ownCode = (name: string): Why => [
  `Code of the other gateway does not run here (${name})`,
  'If it checks or changes requests, nothing does so now: write a plugin, which can receive the log as well: docs/how-it-works/plugins.md.',
];

const toWhy = (name: string): Why => services.get(name) ?? (parts.has(name) ? noCounterpart(name) : ownCode(name));

/** Notes what a member calls back, each counterpart once, because several services are receivers of the log. */
const loseMember = (draft: Draft, source: SourceObject, member: string): void => {
  const at = source.at(member);
  const isForLog = source.get('presidio_logging_only') === true;
  const listed = new Set<Why>();
  for (const name of source.oneOrMore(member)) {
    const found = toWhy(name);
    if (listed.has(found)) continue;
    listed.add(found);
    const [why, instead] = found;
    if (checks.has(name)) loseGuardrail(draft, name, at);
    else if (found !== personalData) draft.lose(at, `${why}.`, instead);
    else if (isForLog) loseLogMask(draft, name, at);
    else draft.loseCheck(at, `${why}.`, instead);
  }
};

/** Notes the services and the operator's code that are called back, and the guardrails of an older form of the file. */
export const loseCallbacks = (draft: Draft, source: SourceObject): void => {
  for (const member of ['callbacks', 'success_callback', 'failure_callback', 'input_callback', 'service_callback'])
    loseMember(draft, source, member);
  for (const member of ['pre_call_rules', 'post_call_rules'])
    for (const name of source.oneOrMore(member)) {
      const [why, instead] = ownCode(name);
      draft.loseCheck(source.at(member), `${why}.`, instead);
    }
  for (const { value, pointer } of source.list('guardrails'))
    for (const name of Object.keys(isJsonObject(value) ? value : {})) loseGuardrail(draft, name, pointer);
};
