import * as resources from '@opentelemetry/resources';
import { describe, expect, it } from 'vitest';
import { resourceAttributes } from '../../../../../plugins/telemetry/otlp/export/resource.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const read = (env: NodeJS.ProcessEnv, serviceName?: string) => {
  const messages: string[] = [];
  const log = (text: string): number => messages.push(text);
  return { attributes: resourceAttributes({ serviceName, serviceVersion: '1.2.3', resources, env, log }), messages };
};

const listed = (value: string) => read({ OTEL_RESOURCE_ATTRIBUTES: value });

describe('the resource of exported telemetry', () => {
  it('names the service, this process and the SDK', () => {
    const { attributes, messages } = read({});
    expect(attributes).toEqual({
      'service.name': 'gatewright',
      'service.version': '1.2.3',
      'service.instance.id': expect.stringMatching(uuid),
      'telemetry.sdk.name': 'opentelemetry',
      'telemetry.sdk.language': 'nodejs',
      'telemetry.sdk.version': expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    expect(messages).toEqual([]);
    expect(read({}).attributes['service.instance.id']).not.toBe(attributes['service.instance.id']);
  });

  it('takes its name from the gateway file, then OTEL_SERVICE_NAME, then OTEL_RESOURCE_ATTRIBUTES', () => {
    const list = { OTEL_RESOURCE_ATTRIBUTES: 'service.name=third' };
    const both = { ...list, OTEL_SERVICE_NAME: 'second' };
    expect(read(both, 'first').attributes['service.name']).toBe('first');
    expect(read(both).attributes['service.name']).toBe('second');
    expect(read(list).attributes['service.name']).toBe('third');
    // An empty variable counts as unset.
    expect(read({ OTEL_SERVICE_NAME: '', OTEL_RESOURCE_ATTRIBUTES: '' }).attributes['service.name']).toBe('gatewright');
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['team=search', { team: 'search' }],
    [' team = search , region=eu ,', { team: 'search', region: 'eu' }],
    ['team=a%2Cb%3D%25,k%3D=%C3%A9', { team: 'a,b=%', 'k=': 'é' }],
    ['empty=', { empty: '' }],
    ['twice=1,twice=2', { twice: '2' }],
    ['service.instance.id=pod-1,service.version=9', { 'service.instance.id': 'pod-1', 'service.version': '9' }],
    ['__proto__=x', JSON.parse('{"__proto__":"x"}')],
    [`long=${'x'.repeat(1000)}`, { long: 'x'.repeat(256) }],
  ])('contains the attributes in %j', (value, expected) => {
    const { attributes, messages } = listed(value);
    expect(Object.entries(attributes)).toEqual(expect.arrayContaining(Object.entries(expected)));
    expect(messages).toEqual([]);
  });

  it.each([
    ['team', 'entry 1 of it has no equals sign'],
    ['good=1,a=b=c', 'entry 2 of it has more than one equals sign'],
    ['good=1,=value', 'entry 2 of it has no key before its equals sign'],
    ['good=1,,bad=%zz', 'entry 3 of it has a percent sign that begins no encoded character'],
    ['bad=%ff', 'entry 1 of it has a percent sign that begins no encoded character'],
  ])('contains nothing from %j, and the reason is logged', (value, why) => {
    const { attributes, messages } = listed(value);
    expect(Object.keys(attributes).toSorted()).toEqual(Object.keys(read({}).attributes).toSorted());
    expect(messages).toEqual([expect.stringContaining(`OTEL_RESOURCE_ATTRIBUTES is ignored, because ${why}. Write `)]);
  });
});
