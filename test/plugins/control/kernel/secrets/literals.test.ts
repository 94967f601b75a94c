import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { keepSealed, openLiterals, sealLiterals } from '../../../../../plugins/control/kernel/secrets/literals.ts';
import { newMasterKey } from '../../../../../plugins/control/kernel/secrets/master-key.ts';
import { type SealedAt, SecretError } from '../../../../../plugins/control/kernel/secrets/seal.ts';
import { createSealer, type Sealer } from '../../../../../plugins/control/kernel/secrets/sealer.ts';
import { isJsonObject, type Json } from '../../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer, toPointer } from '../../../../../schema/json/pointer.ts';
import { newSqliteStore } from './each-store.ts';

const at: SealedAt = { tenant: 'a', table: 'config_versions', id: '1', field: 'text' };

const config = (first: Json, second: Json): Json => ({
  targets: [
    { provider: 'openai', api_key: first },
    { provider: 'anthropic', api_key: second },
  ],
});
const keys = [toPointer(['targets', 0, 'api_key']), toPointer(['targets', 1, 'api_key'])];

/** Returns all places in a value, nested ones included. */
const allPlaces = (value: Json, pointer: JsonPointer = rootPointer): readonly JsonPointer[] => [
  pointer,
  ...(isJsonObject(value) || Array.isArray(value)
    ? Object.entries(value).flatMap(([name, member]) => allPlaces(member, childPointer(pointer, name)))
    : []),
];

const anyJson = fc
  .letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<Json>(null, true, 1.5, 'text', ''),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b/c', '~', '', '__proto__'), tie('value'), { maxKeys: 3 }),
    ),
  }))
  .value.map((value): Json => JSON.parse(JSON.stringify(value)));

let sealer: Sealer;

beforeEach(async () => {
  sealer = await createSealer({ store: await newSqliteStore()(), masterKey: newMasterKey() });
});

describe('the secrets in a value', () => {
  it('are replaced by placeholders in its text, and are restored when it is opened', async () => {
    const value = config('sk-one', 'sk-two');
    const { text, sealed } = await sealLiterals(sealer, { value, pointers: keys, at });
    expect(JSON.parse(text)).toEqual(config('gw-sealed:/targets/0/api_key', 'gw-sealed:/targets/1/api_key'));
    expect(`${text}${JSON.stringify(sealed)}`).not.toMatch(/sk-(?:one|two)/);
    expect(Object.keys(sealed)).toEqual(keys);
    expect(await openLiterals(sealer, { text, sealed: JSON.parse(JSON.stringify(sealed)), at })).toEqual(value);
  });

  it('are restored in any value and at any places', async () => {
    await fc.assert(
      fc.asyncProperty(anyJson, fc.array(fc.nat(), { maxLength: 4 }), async (value, picks) => {
        const places = allPlaces(value);
        const pointers = picks.flatMap((pick) => places[pick % places.length] ?? []);
        const stored = await sealLiterals(sealer, { value, pointers, at });
        expect(await openLiterals(sealer, { ...stored, at })).toEqual(value);
      }),
      { numRuns: 200 },
    );
  });

  it('cannot be opened at another place of the value, or in another record', async () => {
    const { text, sealed } = await sealLiterals(sealer, { value: config('sk-one', 'sk-two'), pointers: keys, at });
    const [first = '', second = ''] = keys;
    const swapped = Object.fromEntries([
      [first, sealed[second]],
      [second, sealed[first]],
    ]);
    await expect(openLiterals(sealer, { text, sealed: JSON.parse(JSON.stringify(swapped)), at })).rejects.toThrow(
      SecretError,
    );
    await expect(openLiterals(sealer, { text, sealed, at: { ...at, id: '2' } })).rejects.toThrow(SecretError);
  });

  it('cannot be opened without their placeholders, and no placeholder without its secret', async () => {
    const { text, sealed } = await sealLiterals(sealer, { value: config('sk-one', 'sk-two'), pointers: keys, at });
    const message = (pointer: string): SecretError =>
      new SecretError(
        `The text and the sealed secrets of the field text of the record 1 of config_versions do not belong together at "${pointer}": save the record again.`,
      );
    await expect(openLiterals(sealer, { text: '{"targets":[]}', sealed, at })).rejects.toThrow(
      message('/targets/0/api_key'),
    );
    await expect(openLiterals(sealer, { text, sealed: {}, at })).rejects.toThrow(message('/targets/0/api_key'));
  });

  it('are kept if a client sends their placeholders back, also in another version of the record', async () => {
    const before = { ...(await sealLiterals(sealer, { value: config('sk-one', 'sk-two'), pointers: keys, at })), at };
    const sent = config('gw-sealed:/targets/0/api_key', 'sk-new');
    expect(keepSealed(sent, before.sealed).problems).toEqual([]);
    const next = { ...at, id: '2' };
    for (const pointers of [keys, keys.slice(1)]) {
      const stored = await sealLiterals(sealer, { value: sent, pointers, at: next, before });
      expect(await openLiterals(sealer, { ...stored, at: next })).toEqual(config('sk-one', 'sk-new'));
    }
  });

  it('are not sealed if the value has nothing at the place, or a placeholder without a secret', async () => {
    const missing = toPointer(['targets', 7, 'api_key']);
    await expect(sealLiterals(sealer, { value: config('a', 'b'), pointers: [missing], at })).rejects.toThrow(
      new SecretError(
        'There is no secret at "/targets/7/api_key" of the field text of the record 1 of config_versions: send the value again.',
      ),
    );
    const value = config('gw-sealed:/targets/0/api_key', 'b');
    await expect(sealLiterals(sealer, { value, pointers: keys, at })).rejects.toThrow(
      'no secret at "/targets/0/api_key"',
    );
  });
});

describe('a placeholder that a client sends', () => {
  const sent = config('gw-sealed:/targets/0/api_key', 'b');

  it('is accepted at its own place if the record has a secret there', async () => {
    const { sealed } = await sealLiterals(sealer, { value: config('a', 'b'), pointers: keys, at });
    expect(keepSealed(sent, sealed)).toEqual({
      kept: { '/targets/0/api_key': sealed['/targets/0/api_key'] },
      problems: [],
    });
  });

  it('is refused in a new record', () => {
    expect(keepSealed(sent, {})).toEqual({
      kept: {},
      problems: [
        {
          pointer: '/targets/0/api_key',
          message: 'This is the placeholder of a secret, but no secret is stored for this place.',
          hint: 'Send the secret itself.',
        },
      ],
    });
  });

  it('is refused at any place but its own: secrets do not follow targets that change places', async () => {
    const { sealed } = await sealLiterals(sealer, { value: config('a', 'b'), pointers: keys, at });
    const swapped = config('gw-sealed:/targets/1/api_key', 'gw-sealed:/targets/0/api_key');
    const { kept, problems } = keepSealed(swapped, sealed);
    expect(kept).toEqual({});
    expect(problems).toEqual(
      keys.map((pointer) => ({
        pointer,
        message: 'This is the placeholder of a secret at another place.',
        hint: `Send "gw-sealed:${pointer}" to keep the secret that is stored for this place, or send a new secret.`,
      })),
    );
  });

  it('is refused even where any text is allowed, and is not repeated in the message', async () => {
    const { sealed } = await sealLiterals(sealer, { value: config('a', 'b'), pointers: keys, at });
    const { problems } = keepSealed({ metadata: { note: 'gw-sealed:sk-mine' } }, sealed);
    expect(problems.map(({ pointer }) => pointer)).toEqual(['/metadata/note']);
    expect(JSON.stringify(problems)).not.toContain('sk-mine');
  });
});
