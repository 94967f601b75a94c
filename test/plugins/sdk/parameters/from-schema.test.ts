import { describe, expectTypeOf, it } from 'vitest';
import {
  defineGuardrail,
  definePlugin,
  type FromSchema,
  type Json,
  type ParameterSchema,
  pass,
} from '../../../../plugins/sdk/sdk.ts';

/** A stand-in for a value of an inline schema. Only its type matters. */
const toType = <const Schema extends ParameterSchema>(_: Schema): FromSchema<Schema> => ({}) as FromSchema<Schema>;

describe('FromSchema', () => {
  it('infers the primitive types', () => {
    expectTypeOf(toType({ type: 'string' })).toEqualTypeOf<string>();
    expectTypeOf(toType({ type: 'integer' })).toEqualTypeOf<number>();
    expectTypeOf(toType({ type: 'boolean' })).toEqualTypeOf<boolean>();
    expectTypeOf(toType({ type: 'null' })).toEqualTypeOf<null>();
    expectTypeOf(toType({ type: 'array', items: { type: 'number' } })).toEqualTypeOf<readonly number[]>();
    expectTypeOf(toType({ type: 'array' })).toEqualTypeOf<readonly Json[]>();
    expectTypeOf(toType({})).toEqualTypeOf<Json>();
  });

  it('infers enums, constants and unions', () => {
    expectTypeOf(toType({ enum: ['a', 'b'] })).toEqualTypeOf<'a' | 'b'>();
    expectTypeOf(toType({ const: 3 })).toEqualTypeOf<3>();
    expectTypeOf(toType({ anyOf: [{ type: 'string' }, { type: 'number' }] })).toEqualTypeOf<string | number>();
  });

  it('infers which members are present: the required ones and those with a default', () => {
    const value = toType({
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        limit: { type: 'integer', default: 3 },
        note: { type: 'string' },
      },
    });
    expectTypeOf(value.name).toEqualTypeOf<string>();
    expectTypeOf(value.limit).toEqualTypeOf<number>();
    expectTypeOf(value.note).toEqualTypeOf<string | undefined>();
    expectTypeOf(value).not.toHaveProperty('other');
  });

  it('keeps the members next to alternatives that only list required members', () => {
    type Both = { readonly minWords?: number; readonly maxWords?: number; readonly language: string };
    const value = toType({
      type: 'object',
      properties: { minWords: { type: 'integer' }, maxWords: { type: 'integer' }, language: { type: 'string' } },
      required: ['language'],
      anyOf: [{ required: ['minWords'] }, { required: ['maxWords'] }],
    });
    expectTypeOf(value).toExtend<Both>();
    expectTypeOf(value.language).toEqualTypeOf<string>();
    expectTypeOf(value.minWords).toEqualTypeOf<number | undefined>();
    expectTypeOf({ language: 'en' }).not.toExtend<typeof value>();
    expectTypeOf({ language: 'en', maxWords: 3 }).toExtend<typeof value>();
  });

  it('adds the members of an alternative, and of each part of allOf, to the members next to them', () => {
    const one = toType({
      type: 'object',
      properties: { note: { type: 'string' } },
      oneOf: [
        { properties: { kind: { const: 'a' }, x: { type: 'number' } }, required: ['kind', 'x'] },
        { properties: { kind: { const: 'b' } }, required: ['kind'] },
      ],
    });
    expectTypeOf(one.note).toEqualTypeOf<string | undefined>();
    expectTypeOf(one.kind).toEqualTypeOf<'a' | 'b'>();
    if (one.kind === 'a') expectTypeOf(one.x).toEqualTypeOf<number>();
    const all = toType({
      type: 'object',
      allOf: [{ properties: { a: { type: 'number' } }, required: ['a'] }, { properties: { b: { type: 'boolean' } } }],
    });
    expectTypeOf(all.a).toEqualTypeOf<number>();
    expectTypeOf(all.b).toEqualTypeOf<boolean | undefined>();
  });

  it('infers the parameters of a check and the options of a plugin', () => {
    defineGuardrail({
      id: 'a.b',
      parameters: { type: 'object', required: ['rule'], properties: { rule: { type: 'string' } } },
      create(parameters) {
        expectTypeOf(parameters).toEqualTypeOf<{ readonly rule: string } & Record<never, never>>();
        return () => pass();
      },
    });
    definePlugin({
      name: 'p',
      options: { type: 'object', properties: { mode: { enum: ['x', 'y'], default: 'x' } } },
      apply(_, { mode }) {
        expectTypeOf(mode).toEqualTypeOf<'x' | 'y'>();
      },
    });
  });
});
