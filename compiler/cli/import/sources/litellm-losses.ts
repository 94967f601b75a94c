import { isJsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import type { Draft } from '../draft/draft.ts';
import { type Section, suggestMember } from '../draft/litellm-members.ts';
import { findProviderName } from '../draft/provider-names.ts';
import type { SourceObject } from '../draft/read-source.ts';
import {
  budgetPolicy,
  budgets,
  type Limited,
  limits,
  ratePolicy,
  type SameTarget,
  type Why,
} from './litellm-policies.ts';

export const alerts: Why = ['Alerts are in the gateway file', 'Write them under "alerts": docs/recipes/be-alerted.md.'];
export const counters: Why = [
  'Counters that several gateways share are in the gateway file',
  'Write "store": { "limits": { "url": "redis://…" } }.',
];
const ableTargets: Why = [
  'A target that cannot serve a prompt is skipped if a strategy requires it',
  'Set "require": "capabilities" of the strategy: docs/recipes/ask-only-able-models.md.',
];
const droppedParams: Why = [
  '"drop_params" is always on here: parameters that a provider does not know are omitted in translation',
  'There is nothing to do; write "on_loss": "refuse" in the gateway file to refuse such requests instead.',
];
const fixedHeaders: Why = [
  'A target sends no headers of its own, only those from clients that it names',
  'Let clients send them, and write "forward_headers": ["NAME"] in the config; or let a proxy at its "custom_host" add them.',
];
const streamTime: Why = [
  'A stream has the time-out of its target',
  'Set request_timeout of the target, or deadline_ms of the config.',
];
const lines: Why = [
  'What is printed is set when the gateway starts',
  'Set GW_LOG=requests for a line of JSON for each request.',
];
const retries: Why = [
  'Retries depend on one number, "attempts" of "retry", and not on the kind of error',
  'Write the statuses that are tried again as "on_status_codes" of "retry" in the configs.',
];
const pricesInstead =
  'Write "prices": { PROVIDER: { MODEL: { "input": …, "output": … } } } there, in US dollars for a million tokens: docs/reference/gateway-file/models.md.';
const prices: Why = ['Prices are in the gateway file', pricesInstead];

/** Why a setting is left out, and what to do. */
const lostSettings: Readonly<Record<string, Why>> = {
  allowed_ips: [
    'Addresses of clients are not limited by the gateway',
    'Limit them in front of it: in a load balancer or a firewall.',
  ],
  alerting: alerts,
  budget_duration: budgets,
  cache_responses: ['A cache is in a config', 'Write "cache": { "mode": "simple" } in the configs that may use it.'],
  content_policy_fallbacks: [
    'A fallback does not depend on the reason of a refusal',
    'Use on_status_codes of a strategy, or a guardrail.',
  ],
  context_window_fallbacks: [
    'A fallback for prompts that are too long is chosen before the request',
    'Set "require": "capabilities" of a strategy: docs/recipes/ask-only-able-models.md.',
  ],
  custom_auth: [
    'Code of the other gateway does not run here',
    'Keys are in "auth" of the gateway file, or in a store: gw keys create.',
  ],
  custom_provider_map: [
    'Code of the other gateway does not run here',
    'Write a provider as a plugin: docs/how-it-works/plugins.md.',
  ],
  database_url: [
    'Records of the other gateway are not read',
    'Name a database of its own, and not that of LiteLLM: "store": { "url": "${env:GW_DATABASE_URL}" }.',
  ],
  default_team_settings: [
    'Settings of teams are those of workspaces in a store',
    'Create a workspace for each: gw workspaces create.',
  ],
  drop_params: droppedParams,
  enable_pre_call_checks: ableTargets,
  environment_variables: [
    'Variables are set in the environment of the gateway, not in its files',
    'Set those that .env.example lists; addresses, regions and versions of API were taken from here.',
  ],
  include: ['Other files are not read', 'Name each of them after this one: gw import litellm FILE FILE.'],
  json_logs: lines,
  max_budget: budgets,
  model_group_retry_policy: retries,
  pass_through_endpoints: [
    'Paths of providers are passed through without being listed',
    'Request the path with the provider in x-gw-provider: docs/how-it-works/clients-and-dialects.md.',
  ],
  redis_host: counters,
  redis_password: counters,
  redis_port: counters,
  redis_url: counters,
  retry_after: [
    'The wait before a further attempt grows by itself',
    'Remove it; "use_retry_after_headers" of "retry" waits as long as the provider requests.',
  ],
  retry_policy: retries,
  set_verbose: lines,
  store_model_in_db: [
    'Configs can be in a store',
    'Name a database of its own: "store": { "url": "${env:GW_DATABASE_URL}" }.',
  ],
  stream_timeout: streamTime,
  telemetry: ['The gateway sends its vendor nothing', 'Leave it out.'],
};

/** The same for a member of `litellm_params`. */
const lostParams: Readonly<Record<string, Why>> = {
  budget_duration: budgets,
  drop_params: droppedParams,
  extra_headers: fixedHeaders,
  input_cost_per_second: prices,
  input_cost_per_token: prices,
  max_budget: budgets,
  output_cost_per_token: prices,
  rpm: limits,
  stream_timeout: streamTime,
  tags: [
    'A target is not chosen by tags of the request',
    'Use a strategy with the mode "conditional", which tests metadata: docs/recipes/route-by-content.md.',
  ],
  tpm: limits,
};

/** Notes the limits of sections with the commands that create them here, each at the place that states it first. */
const loseLimits = (draft: Draft, same: SameTarget, limited: Limited | undefined): void => {
  const policies = {
    max_budget: () => budgetPolicy(same, limited),
    rpm: () => ratePolicy(same, 'rpm', limited),
    tpm: () => ratePolicy(same, 'tpm', limited),
  };
  for (const [name, policy] of Object.entries(policies)) {
    const stating = same.find((source) => source.unread().includes(name));
    const [why, instead] = stating === undefined ? [] : (policy() ?? []);
    if (stating === undefined || why === undefined || instead === undefined) continue;
    for (const source of same) source.get(name);
    draft.lose(stating.at(name), `${why}.`, instead);
  }
};

/** Notes the budgets that the router has for providers, with the commands that create them here. */
export const loseProviderBudgets = (
  draft: Draft,
  router: SourceObject,
  providers: ReadonlyMap<string, unknown>,
): void => {
  if (!isJsonObject(router.peek('provider_budget_config'))) return;
  const all = router.object('provider_budget_config');
  for (const name of all.names()) {
    const provider = findProviderName(name, providers) ?? name;
    draft.lose(all.at(name), `${budgets[0]}.`, (budgetPolicy([all.object(name)], { provider }) ?? budgets)[1]);
  }
};

/** The parameters of requests that a deployment sets. */
interface SetParameters {
  readonly params: SourceObject;
  readonly names: readonly string[];
}

interface LossesOptions {
  readonly section: Section;
  readonly whys: Readonly<Record<string, Why>>;
  /** The reason for any other member. */
  readonly other: Why;
}

/** Returns the remedy for a member: if it may be misspelt, to correct it rather than leave it out. */
const otherwise = (section: Section, name: string, instead: string): string => {
  const asked = suggestMember(section, name);
  if (asked === '') return instead;
  const rest = `${instead.charAt(0).toLowerCase()}${instead.slice(1)}`;
  return `${asked} Then correct it, and import the file again into another folder. If not, ${rest}`;
};

const loseEach = (draft: Draft, source: SourceObject, { section, whys, other }: LossesOptions): void => {
  const [otherWhy, otherInstead] = other;
  for (const name of source.unread()) {
    const wanted = source.wantedKind(name);
    const [why, instead] =
      lookUp(whys, name) ??
      (wanted === undefined
        ? [`"${name}" ${otherWhy}`, otherwise(section, name, otherInstead)]
        : [`"${name}" must be ${wanted}`, 'Correct it, and import the file again.']);
    draft.lose(source.at(name), `${why}.`, instead);
  }
};

/** Notes the members of a section that were not read. */
export const noteUnread = (
  draft: Draft,
  source: SourceObject,
  section: Exclude<Section, 'entry' | 'litellm_params'>,
): void => {
  loseLimits(draft, [source], undefined);
  loseEach(draft, source, {
    section,
    whys: lostSettings,
    other: [
      section === '' ? 'has no counterpart' : `of ${section} has no counterpart`,
      'Remove it; docs/reference/README.md lists the settings of a gateway file and of a config.',
    ],
  });
};

/** Notes the guardrails that a deployment names: here they belong to its config. */
const loseNamedGuardrails = (draft: Draft, source: SourceObject): void => {
  const names = source.oneOrMore('guardrails');
  if (names.length > 0)
    draft.loseCheck(
      source.at('guardrails'),
      `The guardrails of this deployment (${names.join(', ')}) check nothing now: a config names its guardrails.`,
      'Write them under "input_guardrails" or "output_guardrails" of the config: docs/reference/guardrails/README.md.',
    );
};

/**
 * Notes the unread members of a deployment that is not a target yet. Limits are omitted, because it may share them with others
 * once it is a target.
 */
export const loseParamsOfRefused = (draft: Draft, source: SourceObject): void => {
  loseNamedGuardrails(draft, source);
  loseEach(draft, source, {
    section: 'litellm_params',
    whys: lostParams,
    other: ['has no counterpart in a target', 'Remove it, or set it in override_params if it is a parameter.'],
  });
};

/** Notes the unread members of an entry of `model_list`. */
export const loseUnreadEntry = (draft: Draft, entry: SourceObject): void =>
  loseEach(draft, entry, {
    section: 'entry',
    whys: {},
    other: [
      'has no counterpart in a model',
      'Remove it, or write it under "litellm_params" if it belongs to the provider.',
    ],
  });

/** Notes the parameters that a model has as defaults for requests: here they override those of a request. */
export const noteDefaults = (draft: Draft, model: string, all: readonly SetParameters[]): void => {
  const names = [...new Set(all.flatMap((each) => each.names))];
  const first = all.find((each) => each.names.length > 0);
  const [name] = first?.names ?? [];
  if (first === undefined || name === undefined) return;
  const [are, them] = names.length === 1 ? ['is a default', 'it'] : ['are defaults', 'them'];
  draft.lose(
    first.params.at(name),
    `${names.map((each) => `"${each}"`).join(' and ')} of "${model}" ${are} in LiteLLM, where the request takes precedence. Here "override_params" takes precedence.`,
    `If clients set ${them}, remove ${them} from "override_params" in the config.`,
  );
};

/** Notes the unread members of deployments that are one target. */
export const loseUnreadParams = (draft: Draft, same: SameTarget, limited: Limited): void => {
  loseLimits(draft, same, limited);
  for (const source of same) loseParamsOfRefused(draft, source);
};

/** Notes the unread members of deployments that are one saved provider. */
export const loseUnreadSaved = (draft: Draft, same: SameTarget, limited: Limited): void => {
  loseLimits(draft, same, limited);
  for (const source of same) {
    loseNamedGuardrails(draft, source);
    loseEach(draft, source, {
      section: 'litellm_params',
      whys: lostParams,
      other: [
        'has no counterpart in a saved provider',
        'Write it in a config with this provider, and save that under "models" in gateway.json.',
      ],
    });
  }
};

/** Members of `model_info` that have no meaning for requests here. */
const ownFacts = [
  'id',
  'db_model',
  'mode',
  'description',
  'created_at',
  'updated_at',
  'created_by',
  'updated_by',
] as const;

/** Notes what `model_info` states about a model besides its prices. */
export const noteModelInfo = (draft: Draft, info: SourceObject): void => {
  if (info.get('base_model') !== undefined)
    draft.lose(
      info.at('base_model'),
      'Costs are found by the model that answers report, whatever the name of the deployment.',
      'Remove it; if a request has no cost in the log, write its model under "prices" in gateway.json.',
    );
  for (const name of ownFacts) info.get(name);
  const isPrice = (name: string): boolean => /cost|pricing/.test(name);
  const costs = info.unread().filter(isPrice);
  if (costs.length > 0)
    draft.lose(
      info.pointer,
      `${prices[0]}, and these cannot be written there as they are: ${costs.join(', ')}.`,
      pricesInstead,
    );
  const facts = info.unread().filter((name) => !isPrice(name));
  if (facts.length > 0)
    draft.lose(
      info.pointer,
      `Facts of models are in the gateway file (${facts.join(', ')}).`,
      'Write them under "model_facts" if they differ from what is known (gw models): docs/reference/gateway-file/models.md.',
    );
};
