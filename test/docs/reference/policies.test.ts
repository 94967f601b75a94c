import { expect, it } from 'vitest';
import { conditionErrors, policyKeyNames } from '../../../plugins/control/kernel/limits/conditions.ts';
import { ownLimitMembers } from '../../../plugins/control/kernel/limits/limit-members.ts';
import { rateBodies, usageBodies } from '../../../plugins/control/metering/policies/policy-routes.ts';
import { pages } from './support.ts';

const page = pages.get('policies.md') ?? '';

/** Returns the names in the first column of the tables between a heading and the next one. */
const rowsBelow = (heading: string): readonly string[] => {
  const [, after = ''] = page.split(`\n${heading}\n`);
  const [section = ''] = after.split(/^#+ /m);
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
};

it.each([
  ['## Usage limits', usageBodies.created.properties],
  ['## Rate limits', rateBodies.created.properties],
  ['### `rate_limits`', ownLimitMembers.rate_limits.anyOf[0].items.properties],
  ['### `usage_limits`', ownLimitMembers.usage_limits.anyOf[0].properties],
])('the reference of policies has each member below %s', (heading, properties) => {
  expect(rowsBelow(heading)).toEqual(Object.keys(properties ?? {}));
});

it('the reference of policies describes each member', () => {
  expect(page.match(/^\| `\w+` \|.*\| {2}\|$/gm)).toBeNull();
});

it('the reference of policies names exactly the keys of conditions', () => {
  const named = rowsBelow('## Conditions and groups');
  expect(named).toEqual([...policyKeyNames, 'metadata.NAME']);
  expect(conditionErrors(named.map((key) => ({ key, value: '*' })))).toEqual([]);
});
