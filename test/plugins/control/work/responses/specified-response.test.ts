import fc from 'fast-check';
import { expect, it } from 'vitest';
import { completeResponse } from '../../../../../plugins/control/work/responses/response-rewriter.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';

/** The types that the specification allows, by the members for which it specifies them. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  metadata: ['object'],
  ...{ temperature: ['number', 'null'], top_p: ['number', 'null'], instructions: ['string', 'null'] },
  ...{ tools: ['array'], tool_choice: ['string', 'object'], parallel_tool_calls: ['boolean'] },
  ...{ error: ['object', 'null'], incomplete_details: ['object', 'null'] },
};

const readKind = (value: Json | undefined): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

const error = fc.record({ code: fc.string(), message: fc.string(), param: fc.string() }, { requiredKeys: [] });
const details = fc.record({ reason: fc.string() }, { requiredKeys: [] });
const given = fc.record(
  {
    ...{ id: fc.constant('resp_1'), status: fc.constantFrom('completed', 'failed', 'incomplete') },
    ...{
      error: fc.option(error),
      incomplete_details: fc.option(details),
      metadata: fc.constantFrom(null, {}, { a: 'b' }),
    },
    ...{ temperature: fc.option(fc.double({ min: 0, max: 2, noNaN: true })), tools: fc.constant([]) },
  },
  { requiredKeys: ['id'] },
) as fc.Arbitrary<JsonObject>;

it('a response has every member that the specification requires, whatever its provider omits', () => {
  fc.assert(
    fc.property(given, (response) => {
      const shown = completeResponse(response);
      for (const [name, those] of Object.entries(kinds)) expect(those, name).toContain(readKind(shown[name]));
      const { error: failure, incomplete_details: reasons } = shown as Record<string, JsonObject | null>;
      // Null if there is none. The other reading, which always requires an object, is satisfied if there is one.
      expect([failure === null, reasons === null]).toEqual([!response.error, !response.incomplete_details]);
      for (const member of [failure?.code ?? '', failure?.message ?? '', reasons?.reason ?? ''])
        expect(member).toBeTypeOf('string');
      expect(completeResponse(shown)).toEqual(shown);
    }),
  );
});
