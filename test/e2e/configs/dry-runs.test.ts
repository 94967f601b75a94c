import { expect, it } from 'vitest';
import { adminKey, control, sharedStore } from '../../support/gateways/stored-gateway.ts';
import { sharedByTests } from '../../support/run/shared-by-tests.ts';
import { ask } from '../tenants/support/asking.ts';

const gateway = sharedStore();

const contains = { id: 'contains', parameters: { words: ['w'], operator: 'none' } };

/** Records whose changes the requests of the table refuse. */
sharedByTests('records', async () => {
  const save = (path: string, body: object) => control(gateway(), `POST ${path}`, { body: { name: 'n', ...body } });
  await save('/workspaces', { slug: 'team' });
  await save('/integrations', { provider: 'echo', slug: 'shared' });
  await save('/guardrails', { checks: [contains], slug: 'for-requests' });
  await save('/configs', { config: { provider: 'echo', input_guardrails: ['for-requests'] }, slug: 'judged' });
  return {};
});

/** Requests that are refused because of what the store has, or of rules that no schema expresses. */
const refused: readonly (readonly [request: string, body: object])[] = [
  ...(
    [
      { settings: { config: 'nothing' } },
      { settings: { input_guardrails: ['nothing'] } },
      { settings: { metadata: { ['x'.repeat(200)]: 'x' } } },
      { name: ' ', settings: { output_guardrails: ['nothing'] } },
      { usage_limits: { type: 'cost', credit_limit: 1, alert_threshold: 2 } },
    ] as const
  ).flatMap((body) => [
    ['POST /v1/workspaces', { name: 'other', slug: 'other', ...body }] as const,
    ['PUT /v1/workspaces/team', body] as const,
  ]),
  ['PUT /v1/guardrails/for-requests', { checks: [{ id: 'jsonKeys', parameters: { keys: ['a'], operator: 'all' } }] }],
  ['PUT /v1/integrations/shared', { workspaces: ['nothing'] }],
  ['POST /v1/virtual-models', { name: 'm', target: 'config:nothing' }],
];

it.each(refused)('a dry run of %s reports the same errors as the request itself: %j', async (request, body) => {
  const tried = await ask(gateway().origin, `${request}?dry_run=true`, { key: adminKey, body });
  const sent = await ask(gateway().origin, request, { key: adminKey, body });
  expect(sent.status).toBe(400);
  expect([tried.status, JSON.parse(tried.text)]).toEqual([sent.status, JSON.parse(sent.text)]);
});
