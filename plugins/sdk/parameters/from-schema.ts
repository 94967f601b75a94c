import type { Json } from '../../../schema/json/json.ts';

/** The subset of JSON Schema (draft-07) that describes the parameters and options of a plugin. */
export interface ParameterSchema {
  /** The name of the described type, such as `Provider`. `openapi.json` contains a component of this name. */
  readonly title?: string;
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  readonly description?: string;
  readonly default?: Json;
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly properties?: { readonly [name: string]: ParameterSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | ParameterSchema;
  readonly items?: ParameterSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly maxProperties?: number;
  /**
   * `regex` is a pattern that runs in linear time (RE2), `date-time` a time according to RFC 3339. A `secret` is a text that is
   * never part of a plan: files contain a reference to it, and secrets in a config that a request brings are removed from it.
   */
  readonly format?: 'regex' | 'uri' | 'uuid' | 'date-time' | 'secret';
  /** At least one of them must match. Options may require members that are next to them. */
  readonly anyOf?: readonly ParameterSchema[];
  /** Exactly one of them must match. */
  readonly oneOf?: readonly ParameterSchema[];
  /** All of them must match. */
  readonly allOf?: readonly ParameterSchema[];
}

type Members<Properties, Required extends PropertyKey> = {
  readonly [Name in keyof Properties as IsPresent<Properties[Name], Name, Required> extends true
    ? Name
    : never]: FromSchema<Properties[Name]>;
} & {
  readonly [Name in keyof Properties as IsPresent<Properties[Name], Name, Required> extends true
    ? never
    : Name]?: FromSchema<Properties[Name]>;
};

/** A member is present if it is required or has a default. */
type IsPresent<Schema, Name, Required> = Name extends Required ? true : Schema extends { default: Json } ? true : false;

type RequiredOf<Schema> = Schema extends { required: readonly (infer Name extends string)[] } ? Name : never;

type PropertiesOf<Schema> = Schema extends { properties: infer Properties } ? Properties : Record<never, never>;

type ObjectWord = 'type' | 'properties' | 'required';

/** An object schema and one of its options as one schema. */
type Merged<Schema, Option, Used extends string> = Omit<Schema, ObjectWord | Used> &
  Omit<Option, ObjectWord> & {
    type: 'object';
    properties: Omit<PropertiesOf<Schema>, keyof PropertiesOf<Option>> & PropertiesOf<Option>;
    required: readonly (RequiredOf<Schema> | RequiredOf<Option>)[];
  };

/** The values of an option. For an object, with the members next to the options. */
type OfOption<Schema, Option, Used extends string, Rest extends readonly unknown[] = []> = Option extends unknown
  ? Schema extends { type: 'object' } | { properties: unknown }
    ? FromSchema<Merged<Schema, Option, Used> & (Rest extends [] ? unknown : { allOf: Rest })>
    : FromSchema<Option>
  : never;

/** The TypeScript type of the values that a schema accepts, with defaults filled in. */
export type FromSchema<Schema> = Schema extends { const: infer Value }
  ? Value
  : Schema extends { enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { anyOf: readonly (infer Option)[] }
      ? OfOption<Schema, Option, 'anyOf'>
      : Schema extends { oneOf: readonly (infer Option)[] }
        ? OfOption<Schema, Option, 'oneOf'>
        : Schema extends { allOf: readonly [infer First, ...infer Rest] }
          ? OfOption<Schema, First, 'allOf', Rest>
          : Schema extends { type: 'object'; properties: infer Properties }
            ? Members<Properties, RequiredOf<Schema>>
            : Schema extends { type: 'object'; additionalProperties: infer Rest extends object }
              ? { readonly [name: string]: FromSchema<Rest> }
              : Schema extends { type: 'object' }
                ? { readonly [name: string]: Json }
                : Schema extends { type: 'array'; items: infer Item }
                  ? readonly FromSchema<Item>[]
                  : Schema extends { type: 'array' }
                    ? readonly Json[]
                    : Schema extends { type: 'string' }
                      ? string
                      : Schema extends { type: 'number' | 'integer' }
                        ? number
                        : Schema extends { type: 'boolean' }
                          ? boolean
                          : Schema extends { type: 'null' }
                            ? null
                            : Json;
