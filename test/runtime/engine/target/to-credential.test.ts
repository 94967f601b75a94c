import { describe, expect, it } from 'vitest';
import { defineProvider, type Provider } from '../../../../plugins/sdk/provider/provider.ts';
import { isCallersOwn, isKnownAtLink, toCredential } from '../../../../runtime/engine/target/to-credential.ts';
import type { CredentialRef, SecretValue } from '../../../../schema/plan/plan.ts';

const slot = { kind: 'slot', slot: 0, origin: 'caller' } as const;
const sealed = { kind: 'slot', slot: 1, origin: 'saved' } as const;
const written = { kind: 'slot', slot: 2, origin: 'file' } as const;
const reference = { kind: 'reference', ref: '${env:KEY}' } as const;
const request: CredentialRef = { kind: 'request' };
const fields = (...values: readonly SecretValue[]): CredentialRef => ({
  kind: 'fields',
  fields: Object.fromEntries(values.map((value, nth) => [`field_${nth}`, value])),
});

describe('a credential', () => {
  it("is the caller's own where no part of it is anybody else's, in whichever form", () => {
    expect([null, request, fields(slot, slot)].map(isCallersOwn)).toEqual([true, true, true]);
    for (const other of [reference, sealed, written])
      expect([fields(other), fields(slot, other), fields(other, slot)].map(isCallersOwn)).toEqual([
        false,
        false,
        false,
      ]);
  });

  it('is known before any request where no part of it comes with one', () => {
    expect([null, fields(reference, reference)].map(isKnownAtLink)).toEqual([true, true]);
    expect([request, fields(slot), fields(reference, slot)].map(isKnownAtLink)).toEqual([false, false, false]);
  });

  it('is what its references and slots stand for, and lacks what these lack', () => {
    const provider = providerWith();
    const sources = { provider, overrides: {}, slots: ['literal'], secrets: () => 'secret' };
    expect(toCredential(fields(slot, reference), sources)).toEqual({ field_0: 'literal', field_1: 'secret' });
    expect(toCredential(fields(slot), { ...sources, slots: [] })).toEqual({ field_0: undefined });
    expect(toCredential(null, sources)).toBeNull();
  });
});

const providerWith = (more: Partial<Provider> = {}): Provider =>
  defineProvider({ id: 'own', documentation: 'here', credential: 'none', speaks: {}, headers: () => [], ...more });

describe('a credential that a request brings', () => {
  const brought = (overrides: Parameters<typeof toCredential>[1]['overrides'], more?: Partial<Provider>) =>
    toCredential(request, { provider: providerWith(more), overrides, slots: [], secrets: () => undefined });

  it("is its token, as the first of the provider's fields, and its settings of their names", () => {
    expect(brought({ credential: 'token' })).toEqual({ api_key: 'token' });
    const two = { credentialFields: ['id', 'secret'] };
    expect(brought({ credential: 'token', settings: { secret: 's', other: 'o' } }, two)).toEqual({
      id: 'token',
      secret: 's',
    });
  });

  it('is missing if the request brings nothing that the provider requires', () => {
    expect(brought({})).toBeNull();
    expect(brought({ settings: { other: 'o' } })).toBeNull();
    expect(brought({ credential: 'token' }, { credentialFields: [] })).toBeNull();
  });
});
