import { expect } from 'vitest';
import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { operationSamples } from './samples.ts';

/** A target whose provider speaks the dialect, at a host of the test. */
export const toTarget = ({ id }: Dialect, host: string, more: JsonObject = {}): JsonObject => {
  const { provider, settings = {} } = operationSamples[id] ?? expect.unreachable();
  return { provider, api_key: 'key-of-the-test', custom_host: host, ...settings, ...more };
};

/** The path to which clients of the dialect send requests for whole answers or streams. */
export const toRoute = ({ routes = [] }: Dialect, streams: boolean): string => {
  const route = routes.find(({ stream }) => stream === undefined || stream === streams) ?? expect.unreachable();
  const path = route.path.replace('{model}', 'm');
  const prefixed = path.startsWith('/v') ? path : `/v1${path}`;
  return route.framing === undefined || !streams ? prefixed : `${prefixed}?alt=sse`;
};
