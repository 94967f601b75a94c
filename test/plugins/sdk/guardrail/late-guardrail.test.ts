import { describe, expect, it } from 'vitest';
import {
  type CheckServices,
  defineGuardrail,
  guardrailNames,
  pass,
} from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { lateGuardrail } from '../../../../plugins/sdk/guardrail/late-guardrail.ts';
import { CodeNotLoaded, whenLoaded } from '../../../../plugins/sdk/loading/when-loaded.ts';

const whole = defineGuardrail({
  id: 'test.late',
  aliases: ['test.tardy'],
  parameters: { type: 'object', properties: { limit: { type: 'integer' } } },
  faults: ({ limit = 0 }) => (limit > 9 ? ['"limit" is too high.'] : []),
  create: () => () => pass(),
});

/** A late check whose load succeeds at the given attempt, and the number of attempts so far. */
const late = (succeeds = 1) => {
  let attempts = 0;
  const guardrail = lateGuardrail({
    id: 'test.late',
    aliases: ['test.tardy'],
    load: async () => {
      attempts += 1;
      if (attempts < succeeds) throw new Error('Cannot find module late.js');
      return whole;
    },
  });
  return { guardrail, attempts: () => attempts };
};

describe('a late guardrail', () => {
  it('has only its names before it is loaded', () => {
    const { guardrail, attempts } = late();
    expect(guardrailNames(guardrail)).toEqual(['test.late', 'test.tardy']);
    expect(() => guardrail.parameters).toThrow(CodeNotLoaded);
    expect(() => guardrail.create({}, {} as CheckServices)).toThrow('The code of the check "test.late" is not loaded.');
    expect(attempts()).toBe(0);
  });

  it('is loaded once when work needs more than its names, and that work is then run again', async () => {
    const { guardrail, attempts } = late();
    let begun = 0;
    const work = () => {
      begun += 1;
      return guardrail.faults?.({ limit: 10 });
    };
    const made = whenLoaded(work);
    expect(made).toBeInstanceOf(Promise);
    expect(await made).toEqual(['"limit" is too high.']);
    expect(begun).toBe(2);
    expect(whenLoaded(work)).toEqual(['"limit" is too high.']);
    expect(attempts()).toBe(1);
    expect(guardrail.phases).toBeUndefined();
    expect(guardrail.parameters).toBe(whole.parameters);
  });

  it('is also loaded when an async function rejects because it is missing', async () => {
    const { guardrail } = late();
    expect(await whenLoaded(async () => guardrail.parameters)).toBe(whole.parameters);
  });

  it('is named in the error if it cannot be loaded, and is loaded again on the next use', async () => {
    const { guardrail, attempts } = late(2);
    await expect(whenLoaded(() => guardrail.parameters)).rejects.toThrow(
      'The check "test.late" cannot be loaded: Cannot find module late.js',
    );
    expect(await whenLoaded(() => guardrail.parameters)).toBe(whole.parameters);
    expect(attempts()).toBe(2);
  });

  it('lets other errors pass through', async () => {
    await expect(
      whenLoaded(() => {
        throw new TypeError('Other');
      }),
    ).rejects.toThrow(TypeError);
  });
});
