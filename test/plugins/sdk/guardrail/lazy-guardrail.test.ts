import { describe, expect, it } from 'vitest';
import { type Check, type CheckInput, type CheckServices, pass } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../../plugins/sdk/guardrail/lazy-guardrail.ts';

type Make = (parameters: { readonly limit: number }, services: CheckServices) => Check;

const services = {} as CheckServices;
const input = {} as CheckInput;

/** A lazy check. Each entry of `loading` provides the code for one load, in order. */
const lazy = (...loading: readonly (() => Promise<Make>)[]) => {
  let loads = 0;
  const guardrail = defineLazyGuardrail({
    id: 'test.lazy',
    phases: ['input'],
    parameters: { type: 'object', properties: { limit: { type: 'integer', default: 3 } } },
    faults: ({ limit }) => (limit > 9 ? ['"limit" is too high.'] : []),
    load: () => {
      loads += 1;
      const load = loading[Math.min(loads, loading.length) - 1];
      if (load === undefined) throw new Error('There is nothing to load.');
      return load();
    },
  });
  return { guardrail, loads: () => loads };
};

const code: Make =
  ({ limit }) =>
  () =>
    pass(`At most ${limit}.`);

describe('a lazy guardrail', () => {
  it('declares itself without loading its code', () => {
    const { guardrail, loads } = lazy(async () => code);
    expect(guardrail).toMatchObject({ id: 'test.lazy', phases: ['input'], parameters: { type: 'object' } });
    expect(guardrail.faults?.({ limit: 10 })).toEqual(['"limit" is too high.']);
    expect(loads()).toBe(0);
  });

  it('loads its code when a plan is linked, before the first input is checked', async () => {
    const { guardrail, loads } = lazy(async () => code);
    const check = guardrail.create({ limit: 3 }, services);
    expect(loads()).toBe(1);
    await Promise.resolve()
      .then(() => {})
      .then(() => {});
    // Once the code is loaded, the check answers synchronously.
    expect(check(input)).toEqual(pass('At most 3.'));
  });

  it('becomes a complete guardrail with the same declaration once it is loaded', async () => {
    const { guardrail } = lazy(async () => code);
    const whole = await guardrail.load?.();
    expect(whole).toMatchObject({ id: 'test.lazy', phases: ['input'], parameters: { type: 'object' } });
    expect(whole?.load).toBeUndefined();
    expect(whole?.faults?.({ limit: 10 })).toEqual(['"limit" is too high.']);
    expect(whole?.create({ limit: 4 }, services)(input)).toEqual(pass('At most 4.'));
  });

  it('loads its code only once for all inputs of a check', async () => {
    const { guardrail, loads } = lazy(async () => code);
    const check = guardrail.create({ limit: 3 }, services);
    const verdicts = await Promise.all([check(input), check(input)]);
    expect(verdicts).toEqual([pass('At most 3.'), pass('At most 3.')]);
    expect(await check(input)).toEqual(pass('At most 3.'));
    expect(loads()).toBe(1);
  });

  it('loads its code again after a failure, which is an error of the check', async () => {
    const { guardrail, loads } = lazy(
      () => Promise.reject(new Error('The file is gone.')),
      async () => code,
    );
    const check = guardrail.create({ limit: 3 }, services);
    await expect(check(input)).rejects.toThrow('The file is gone.');
    expect(await check(input)).toEqual(pass('At most 3.'));
    expect(loads()).toBe(2);
  });

  it.each([
    ['loads nothing', undefined, '"load" of the check "test.lazy" must resolve to "create", a function.'],
    ['creates nothing', () => undefined, '"create" of the check "test.lazy" must return a function'],
    ['creates its check later', async () => () => pass(), '"create" of the check "test.lazy" must return a function'],
  ])('that %s says so when it is asked', async (_, made, message) => {
    // A plugin that was not type-checked can load anything.
    const check = lazy(async () => made as unknown as Make).guardrail.create({ limit: 3 }, services);
    await expect(check(input)).rejects.toThrow(message);
  });
});
