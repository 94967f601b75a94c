import type { LogSink } from '../sdk/sink/sink.ts';

/** The built-in sinks, by id. */
export const builtinSinks: Readonly<Record<string, () => Promise<LogSink>>> = {
  datadog: async () => (await import('./datadog/datadog.ts')).datadog,
  langfuse: async () => (await import('./langfuse/langfuse.ts')).langfuse,
  s3: async () => (await import('./s3.ts')).s3,
  webhook: async () => (await import('./webhook.ts')).webhook,
};

/** Loads a built-in sink. Throws a `RangeError` for an unknown id. */
export const loadBuiltinSink = async (id: string): Promise<LogSink> => {
  const load = Object.hasOwn(builtinSinks, id) ? builtinSinks[id] : undefined;
  if (load === undefined) throw new RangeError(`No sink "${id}" comes with the gateway.`);
  return load();
};
