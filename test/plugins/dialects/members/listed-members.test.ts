import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../../plugins/dialects/builtin-dialects.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { conversations } from '../support/arbitraries.ts';
import { here } from '../support/codecs.ts';
import { unlistedMembers } from '../support/unlisted-members.ts';

const conversing = builtinDialects.flatMap(({ id, conversation, members }) =>
  conversation === undefined || members === undefined ? [] : [{ id, conversation, members }],
);

/** The type of a part that the client's service may add one day. */
const fromElsewhere = 'yet_to_come';

const overTheWire = (body: JsonObject): JsonObject => JSON.parse(JSON.stringify(body)) as JsonObject;

describe.each(conversing)('the request table of $id', ({ conversation, members }) => {
  it('lists every member that its encoder writes', () => {
    const target = { provider: 'test', strict: true, drop: new Set<string>(), scope: here.scope };
    const unlisted = new Set<string>();
    for (const sample of fc.sample(conversations, { numRuns: 1500, seed: 1 })) {
      const { body } = conversation.encodeRequest(sample, target);
      for (const path of unlistedMembers(members.request, overTheWire(body)))
        if (!path.includes(fromElsewhere)) unlisted.add(path);
    }
    expect([...unlisted], 'A member needs its row in checked-texts/request.ts.').toEqual([]);
  });
});
