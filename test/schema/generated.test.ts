import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { validateConfig } from '../../schema/generated/validate-config.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';

const fileAt = (path: string): string => fileURLToPath(new URL(`../../schema/${path}`, import.meta.url));
const toSchema = (name: string): JsonObject => JSON.parse(readFileSync(fileAt(name), 'utf8'));

/** Returns every schema below one that defines the members of an object. */
const objectSchemas = (schema: Json): readonly JsonObject[] => {
  if (Array.isArray(schema)) return schema.flatMap(objectSchemas);
  if (!isJsonObject(schema)) return [];
  const inside = Object.values(schema).flatMap(objectSchemas);
  return isJsonObject(schema.properties) && schema.type !== undefined ? [schema, ...inside] : inside;
};

describe.each(['config.schema.json', 'gateway.schema.json', 'route-test.schema.json'])('%s', (name) => {
  it('rejects unknown members at every level, except in options for which a sink has a schema', () => {
    const closed = objectSchemas(toSchema(name)).map(({ additionalProperties }) =>
      isJsonObject(additionalProperties) ? additionalProperties.type : additionalProperties,
    );
    expect(closed.length).toBeGreaterThan(5);
    const isSink = ({ properties }: JsonObject): boolean => isJsonObject(properties) && 'sink' in properties;
    const open = objectSchemas(toSchema(name)).filter(isSink).length;
    expect(closed.filter((rest) => rest !== false && rest !== 'object')).toEqual(
      Array.from({ length: open }, () => true),
    );
  });

  it('describes every member for editors', () => {
    for (const { properties } of objectSchemas(toSchema(name)))
      for (const [member, schema] of Object.entries(isJsonObject(properties) ? properties : {}))
        expect([member, isJsonObject(schema) && (schema.description ?? schema.$ref)]).not.toContain(undefined);
  });

  it('has only examples that it accepts', () => {
    const schema = toSchema(name);
    const validate = new Ajv({ strict: false }).compile(schema);
    const examples = Array.isArray(schema.examples) ? schema.examples : [];
    for (const example of examples) expect(validate(example)).toBe(true);
  });
});

describe('generated files', () => {
  it('are up to date with the schemas', () => {
    const { status, stderr } = spawnSync(process.execPath, [fileAt('generate.ts'), '--check'], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  it('need no validator library at run time', () => {
    expect(readFileSync(fileAt('generated/validate-config.ts'), 'utf8')).not.toMatch(/require\(|from 'ajv/);
  });

  it('validate as the library does', () => {
    const validate = new Ajv({ strict: false }).compile(toSchema('config.schema.json'));
    for (const value of [{}, { provider: 'x' }, { retry: { attempts: 9 } }, [], { targets: [{}], strategy: {} }])
      expect(validateConfig(value).length === 0).toBe(validate(value));
  });
});
