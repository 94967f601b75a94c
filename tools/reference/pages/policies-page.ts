import type { policyKeyNames } from '../../../plugins/control/kernel/limits/conditions.ts';
import { ownLimitMembers } from '../../../plugins/control/kernel/limits/limit-members.ts';
import { rateBodies, usageBodies } from '../../../plugins/control/metering/policies/policy-routes.ts';
import type { Json } from '../../../schema/json/json.ts';
import { code, fence, points, prose, type ReferencePage, table, toPage } from '../markdown.ts';
import { memberRows } from '../schema-members.ts';

/** What each key of a policy stands for in a request. */
const keys: Readonly<Record<(typeof policyKeyNames)[number], string>> = {
  api_key: 'The id of the service key. Keys that a limited key has created count together with it.',
  virtual_key: 'The slug of the saved provider or virtual key that the attempt uses.',
  provider: 'The provider of the attempt, by any of its names, such as `openai`, or a saved provider, such as `@main`.',
  config: 'The slug or the id of the saved config, or the name of a config of the gateway file.',
  prompt: 'The slug of the stored prompt.',
  model: 'The model that is sent: `gpt-5.4-mini`, or `@main/gpt-5.4-mini` for a model of a saved provider.',
  endpoint_type:
    '`chat`, `messages`, `responses`, `embeddings`, `images`, `audio` and so on; for requests that are passed through, the first segment of the path.',
  workspace_id:
    'The id of the workspace. A condition can also name it by its slug; a policy covers only its own workspace.',
  organisation_id: 'The id of the organisation.',
};

const memberTable = (schema: Json): string =>
  table(
    ['member', 'type', 'required', 'description'],
    memberRows(schema).map((cells) => cells.map(prose)),
  );

const toMembers = (schema: unknown): string => memberTable(JSON.parse(JSON.stringify(schema)));

const budget = `{
  "name": "Team shop",
  "conditions": [{ "key": "metadata.team", "value": "shop" }], "group_by": [{ "key": "api_key" }],
  "type": "cost", "credit_limit": 50, "alert_threshold": 40, "periodic_reset": "monthly"
}`;

const rate = `{
  "name": "Tokens of a user",
  "conditions": [{ "key": "model", "value": "gpt-5*", "excludes": "gpt-5.4-mini" }], "group_by": [{ "key": "metadata._user" }],
  "type": "tokens", "unit": "rpm", "value": 10000
}`;

/** Creates the page of the limits for requests: policies, and the limits of keys and others. */
export const policiesPage = (): ReferencePage =>
  toPage('policies.md', {
    title: 'Limits and budgets',
    from: 'the schemas of policies in plugins/control',
    parts: [
      'A gateway with a store can limit what requests use: cost and tokens per month or week (usage limits), and requests and tokens per minute, hour or day (rate limits). A **policy** covers the requests that its conditions describe. Keys, workspaces, saved providers, virtual keys and integrations can also have limits **of their own**. Recipes: [what a user spends](../recipes/limit-what-a-user-spends.md), [the requests of a key](../recipes/limit-the-requests-of-a-key.md).',
      '## Usage limits',
      'A budget, created with [`gw policies usage create`](commands/policies.md#gw-policies-usage-create) or [over HTTP](api/policies.md):',
      fence('json', budget),
      toMembers(usageBodies.created),
      '## Rate limits',
      'Created with [`gw policies rate create`](commands/policies.md#gw-policies-rate-create) or [over HTTP](api/policies.md):',
      fence('json', rate),
      toMembers(rateBodies.created),
      '## Conditions and groups',
      prose(
        'A policy covers the requests that meet all of its `conditions`. It counts each combination of the values of `group_by` separately; a request that lacks one of these values is not counted. `value` and `excludes` are a text or a list of texts, with `*` at an end for any text. Whether something of that name exists is not checked.',
      ),
      table(
        ['key', 'value in a request'],
        [
          ...Object.entries(keys).map(([name, meaning]) => [code(name), prose(meaning)]),
          [code('metadata.NAME'), 'The label with that name. `metadata._user` is the user.'],
        ],
      ),
      '## Periods',
      points([
        prose(
          'Periods are calendar periods in UTC: a minute begins at second 0, a month on its first day, and a week on Monday. For the limits that keys and others have of their own, weeks begin on Sunday.',
        ),
        prose(
          '`periodic_reset_days` counts days from when the limit was created. If it is changed, they are counted from then on, and the usage starts again at 0. Without a period, a usage limit is never reset.',
        ),
        prose(
          '`gw policies usage entities ID` lists what each combination has used, and `gw policies usage reset ID ENTITY` resets one of them to 0. Gateways that share a PostgreSQL without a Redis count separately, and a reset removes only what the gateway that answers it has counted.',
        ),
      ]),
      '## What follows',
      table(
        ['case', 'what happens'],
        [
          ['a rate is used up', '429 [`rate-limited`](errors/limits.md#rate-limited), with `retry-after`'],
          [
            'a budget is used up',
            '412 [`usage-exhausted`](errors/limits.md#usage-exhausted): the libraries of OpenAI and Anthropic do not retry it',
          ],
          [
            'requests in flight have reserved the rest of a limit of tokens or cost',
            '429 [`limit-reserved`](errors/limits.md#limit-reserved); the request can be sent again after a second',
          ],
          [
            'the last request below a limit of tokens or cost',
            'It is let through, whatever it uses, so its usage may exceed the limit. A limit that counts requests is never exceeded.',
          ],
          [
            'the request lacks a label that the policy groups by',
            'The policy neither counts nor refuses it. `gw apply` and `gw policies` warn if the gateway file does not [require the label](../recipes/limit-what-a-user-spends.md).',
          ],
          [
            'the model has no price',
            'It adds nothing to a cost. With `"if_unknown": "refuse"`: 412 [`unpriced-model`](errors/limits.md#unpriced-model)',
          ],
          [
            'a request that is passed through cannot be measured',
            'It is let through. With `"if_unknown": "refuse"`: 412 [`unmeasured-request`](errors/limits.md#unmeasured-request)',
          ],
          [
            'counters cannot be reached',
            'It is let through, and counted afterwards. With `"if_unknown": "refuse"`: 503 [`limits-unavailable`](errors/limits.md#limits-unavailable)',
          ],
          [
            '`alert_threshold` is reached',
            'The operator and [receivers of alerts](gateway-file/alerts.md) are notified, once per period.',
          ],
        ],
      ),
      prose(
        'If its conditions or groups name `provider`, `virtual_key`, `model` or `prompt`, a limit concerns the target: a fallback goes on to the next one. Any other limit concerns the caller, and no fallback avoids it. A response from a cache is not counted. [How it counts](../how-it-works/limits-and-ledger.md).',
      ),
      '## Changes',
      points([
        prose(
          'A change keeps the members that it does not name. What is counted (`type`), how it is grouped (`group_by`), and the `conditions` of a rate limit are fixed: create another policy instead. The `conditions` of a usage limit can be changed; the limit keeps its id and its counts.',
        ),
        prose(
          'A deleted policy is archived and no longer limits anything. `gw policies usage list --status archived` shows it.',
        ),
        prose('A key of a workspace that has limits cannot change a policy that covers its own requests.'),
      ]),
      '## Limits of their own',
      prose(
        'Keys, workspaces, saved providers, virtual keys and, for each workspace, integrations have `rate_limits`, a list, and `usage_limits`. They cover all that is sent with the key, in the workspace or to the provider. They let through what has no price, and all requests while counters cannot be reached.',
      ),
      '### `rate_limits`',
      toMembers(ownLimitMembers.rate_limits.anyOf[0].items),
      '### `usage_limits`',
      toMembers(ownLimitMembers.usage_limits),
    ],
  });
