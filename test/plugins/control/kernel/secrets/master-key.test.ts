import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  masterKeyFrom,
  masterKeyText,
  newMasterKey,
} from '../../../../../plugins/control/kernel/secrets/master-key.ts';
import { SecretError } from '../../../../../plugins/control/kernel/secrets/seal.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';

const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

describe('a master key', () => {
  it('is read from base64, base64url and hexadecimal digits, with or without padding and a line break', () => {
    fc.assert(
      fc.property(key, (bytes) => {
        const texts = [
          bytes.toString('base64'),
          bytes.toString('base64url'),
          bytes.toString('hex'),
          bytes.toString('hex').toUpperCase(),
          bytes.toString('base64').replace('=', ''),
          `${bytes.toString('base64url')}=`,
          ` ${bytes.toString('base64')}\r\n`,
        ];
        for (const text of texts) expect(masterKeyFrom(text).key.export()).toEqual(bytes);
      }),
      lawRuns,
    );
  });

  it('has a constant id that does not reveal its bytes', () => {
    const bytes = randomBytes(32);
    const { id } = masterKeyFrom(bytes.toString('hex'));
    expect(id).toBe(masterKeyFrom(bytes.toString('base64')).id);
    expect(id).toMatch(/^[\da-f]{16}$/);
    expect(bytes.toString('hex')).not.toContain(id.slice(0, 6));
    expect(newMasterKey().id).not.toBe(newMasterKey().id);
  });

  it('does not appear in inspected or serialised output', () => {
    const made = newMasterKey();
    expect(`${inspect(made, { depth: 9 })}${JSON.stringify(made)}`).not.toContain(masterKeyText(made).slice(0, 8));
    expect(masterKeyFrom(masterKeyText(made)).id).toBe(made.id);
  });

  const rule =
    'GW_MASTER_KEY must be 32 bytes as base64 or base64url (43 or 44 characters) or as 64 hexadecimal digits, but';
  const remedy = 'create one with `openssl rand -base64 32`.';

  it.each([
    ['', 'it is empty'],
    ['   \n', 'it is empty'],
    ['correct horse battery staple', 'it has 28 characters'],
    [randomBytes(16).toString('hex'), 'it has 32 characters'],
    [`${'A'.repeat(20)} ${'A'.repeat(22)}`, 'it has a character that none of these formats allows'],
    [`${'ä'.repeat(43)}`, 'it has a character that none of these formats allows'],
    [`+_${'A'.repeat(41)}`, 'it is none of these'],
    [`${'A'.repeat(42)}B`, 'it is none of these'],
    [`${'A'.repeat(44)}`, 'it is none of these'],
    ['g'.repeat(64), 'it is none of these'],
  ])('is refused as %j: %s', (text, why) => {
    expect(() => masterKeyFrom(text, 'GW_MASTER_KEY')).toThrow(new SecretError(`${rule} ${why}: ${remedy}`));
  });

  it('is refused with a message that does not repeat it', () => {
    const notBase64 = fc.string({ minLength: 4 }).filter((text) => text.trim().length > 3);
    fc.assert(
      fc.property(notBase64, (text) => {
        const said = ((): string => {
          try {
            return `${masterKeyFrom(`secret:${text}`).id}`;
          } catch (error) {
            return String(error);
          }
        })();
        expect(said).toMatch(/^SecretError: The master key must be 32 bytes/);
        expect(said).not.toContain('secret:');
      }),
      lawRuns,
    );
  });
});
