import { describe, expect, it } from 'vitest';
import { schemaCheck } from '../../../../plugins/sdk/parameters/schema-check.ts';
import { schemaError } from '../../../../plugins/sdk/parameters/schema-error.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';

const toFault = (keyword: string, params: object): string => {
  const error = { keyword, params: { ...params }, instancePath: toPointer(['slug']), schemaPath: '#' };
  const { message, hint } = schemaError(error, { keysAt: () => [], holderOf: () => undefined });
  return `${message} ${hint}`;
};

describe('a violation of a schema', () => {
  it.each([
    ['minItems', { limit: 1 }, '"slug" must have at least 1 item. Add the missing items.'],
    ['maxItems', { limit: 2 }, '"slug" must have at most 2 items. Remove some items.'],
    ['minLength', { limit: 1 }, '"slug" must have at least 1 character. Use a longer string.'],
    [
      'pattern',
      { pattern: '^[a-zA-Z0-9_-]+$' },
      '"slug" may only have letters from A to Z, digits, "_" and "-". Remove all other characters.',
    ],
    ['pattern', { pattern: '^#[0-9a-fA-F]{6}$' }, '"slug" must be a colour. Write it as #0a7d33.'],
    ['pattern', { pattern: '^a' }, '"slug" must match ^a. Use a string that matches it.'],
  ])('is described in words: %s %j', (keyword, params, words) => {
    expect(toFault(keyword, params)).toBe(words);
  });
});

describe('a value of a wrong type', () => {
  it.each([
    ['number', '0.9', 'a number. Write 0.9, without quotes.'],
    ['integer', '60', 'a whole number. Write 60, without quotes.'],
    ['integer', '0.9', 'a whole number. Write a whole number.'],
    ['integer', 'many', 'a whole number. Write a whole number.'],
    ['boolean', 'true', 'true or false. Write true, without quotes.'],
    ['string', 5, 'a string. Put double quotes around it.'],
    ['array', { type: 'requests' }, 'a list. Put brackets around it: [{ … }].'],
    ['array', 'a', 'a list. Put brackets around it: ["…"].'],
    ['array', 5, 'a list. Write [5].'],
    ['object', [{}], 'an object. Write one object, without brackets around it.'],
    ['array', null, 'a list. Write a list, or remove "limit".'],
  ] as const)('is reported with the correct spelling if that is known: %s, not %j', (type, found, words) => {
    const verdict = schemaCheck({ type: 'object', properties: { limit: { type } } }, { limit: found });
    expect(verdict.kind === 'fits' ? [] : verdict.errors.map(({ message, hint }) => `${message} ${hint}`)).toEqual([
      `"limit" must be ${words}`,
    ]);
  });
});

describe('an unknown member', () => {
  const settings = { type: 'object', additionalProperties: true, properties: { custom_host: {} } } as const;
  const saved = { type: 'object', properties: { provider: { type: 'string' }, settings } } as const;
  const hintOf = (value: object): string | undefined => {
    const verdict = schemaCheck({ type: 'object', properties: { saved } }, { saved: value });
    return verdict.kind === 'fits' ? undefined : verdict.errors[0]?.hint;
  };

  it('is moved in the hint to the member whose schema lists it', () => {
    expect(hintOf({ custom_host: 'https://a.example/v1' })).toBe('Write it as saved.settings.custom_host.');
  });

  it('gets a hint with a similar name if there is one, and with the known names otherwise', () => {
    expect(hintOf({ setings: {} })).toBe('Did you mean "settings"?');
    expect(hintOf({ elsewhere: 1 })).toBe('Use one of provider, settings.');
  });

  it('is accepted if the schema is open', () => {
    expect(hintOf({ settings: { elsewhere: 1 } })).toBeUndefined();
  });

  it('is reported together with the missing member that it misspells, as one finding', () => {
    const schema = {
      type: 'object',
      required: ['limit', 'unit'],
      properties: { limit: { type: 'number' }, unit: { type: 'string' }, name: {} },
    } as const;
    const found = (value: object): readonly string[] => {
      const verdict = schemaCheck(schema, value);
      return verdict.kind === 'fits' ? [] : verdict.errors.map(({ message, hint }) => `${message} ${hint}`);
    };
    expect(found({ limits: 1, unit: 'usd' })).toEqual(['There is no option "limits". Did you mean "limit"?']);
    expect(found({ limits: 1 })).toEqual([
      'The option "unit" is missing. Add it.',
      'There is no option "limits". Did you mean "limit"?',
    ]);
    expect(found({ nam: 1, unit: 'usd' })).toEqual([
      'The option "limit" is missing. Add it.',
      'There is no option "nam". Did you mean "name"?',
    ]);
  });
});
