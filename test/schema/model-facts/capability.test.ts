import { expect, it } from 'vitest';
import gatewaySchema from '../../../schema/gateway.schema.json' with { type: 'json' };
import { capabilities, readCapabilities } from '../../../schema/model-facts/capability.ts';

it('the capabilities are those that gateway files can state', () => {
  const { properties } = gatewaySchema.properties.model_facts.items;
  expect(properties.capabilities.items.enum).toEqual(capabilities);
});

it('readCapabilities reads a list, and returns the first word that is not a capability', () => {
  expect(readCapabilities('tools, vision,')).toEqual({ wanted: ['tools', 'vision'], unknown: undefined });
  expect(readCapabilities('tools,toString,x')).toEqual({ wanted: ['tools'], unknown: 'toString' });
});
