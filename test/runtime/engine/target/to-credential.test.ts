import { describe, expect, it } from 'vitest';
import { defineProvider, type Provider } from '../../../../plugins/sdk/provider/provider.ts';
import { isCallersTarget } from '../../../../runtime/engine/target/is-callers-target.ts';
import { secretOwner } from '../../../../runtime/engine/target/secret-owner.ts';
import { isCallersOwn, isKnownAtLink, toCredential } from '../../../../runtime/engine/target/to-credential.ts';
import type { CredentialRef, SecretValue, Target } from '../../../../schema/plan/plan.ts';

const slot = { kind: 'slot', slot: 0, origin: 'caller' } as const;
const sealed = { kind: 'slot', slot: 1, origin: 'saved' } as const;
const written = { kind: 'slot', slot: 2, origin: 'file' } as const;
const reference = { kind: 'reference', ref: '${env:KEY}' } as const;
const stored = { kind: 'reference', ref: '${saved:providers/a/api_key}' } as const;
const request: CredentialRef = { kind: 'request' };
const fields = (...values: readonly SecretValue[]): CredentialRef => ({
  kind: 'fields',
  fields: Object.fromEntries(values.map((value, nth) => [`field_${nth}`, value])),
});

describe('a credential', () => {
  it("is the caller's own if no part of it belongs to anybody else, in any form", () => {
    expect([null, request, fields(slot, slot)].map(isCallersOwn)).toEqual([true, true, true]);
    for (const other of [reference, sealed, written])
      expect([fields(other), fields(slot, other), fields(other, slot)].map(isCallersOwn)).toEqual([
        false,
        false,
        false,
      ]);
  });

  it('belongs, part by part, to the caller, to a saved entry or to a file', () => {
    expect([slot, sealed, written, reference, stored].map(secretOwner)).toEqual([
      'caller',
      'saved',
      'file',
      'file',
      'saved',
    ]);
  });

  it('is known before any request if no part of it comes with one', () => {
    expect([null, fields(reference, reference)].map(isKnownAtLink)).toEqual([true, true]);
    expect([request, fields(slot), fields(reference, slot)].map(isKnownAtLink)).toEqual([false, false, false]);
  });

  it('consists of what its references and slots stand for, and lacks what these lack', () => {
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

  it("consists of its token, as the provider's first field, and its settings named like other fields", () => {
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

  it('contains a field that is an object, such as a key file, as JSON', () => {
    const file = { credentialFields: ['key_file', 'region'] };
    expect(brought({ settings: { key_file: { client: 'c', nested: [1] }, region: ['eu'] } }, file)).toEqual({
      key_file: '{"client":"c","nested":[1]}',
    });
  });
});

describe("a target that is the caller's own", () => {
  const target = (from: object, credential: CredentialRef | null, settings = {}): Target =>
    ({ from, credential, settings }) as Target;
  const inline = { kind: 'inline', provider: 'own' };
  const withMachine = (usesMachineIdentity?: Provider['usesMachineIdentity']) => ({
    provider: () => providerWith(usesMachineIdentity === undefined ? {} : { usesMachineIdentity }),
  });

  it('has a credential of the caller and does not use the identity of the machine', () => {
    const isOwn = (credential: CredentialRef | null, names = withMachine()) =>
      isCallersTarget(target(inline, credential), names);
    expect([isOwn(null), isOwn(request), isOwn(fields(slot)), isOwn(fields(reference))]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(
      isOwn(
        fields(slot),
        withMachine(() => true),
      ),
    ).toBe(false);
    expect(
      isOwn(
        fields(slot),
        withMachine(() => false),
      ),
    ).toBe(true);
    expect(
      isOwn(
        fields(reference),
        withMachine(() => true),
      ),
    ).toBe(false);
  });

  it("uses the machine's identity depending on its settings, and only if it names a known provider", () => {
    const asking = withMachine(({ auth }) => auth === 'machine');
    expect(isCallersTarget(target(inline, request, { auth: 'machine' }), asking)).toBe(false);
    expect(isCallersTarget(target(inline, request, { auth: 'key' }), asking)).toBe(true);
    expect(isCallersTarget(target({ kind: 'request' }, request, { auth: 'machine' }), asking)).toBe(true);
    expect(isCallersTarget(target(inline, request), { provider: () => undefined })).toBe(true);
  });
});
