import { type GivenSink, sinkOptions } from '../../compiler/gateway-file-checks/check-sinks.ts';
import type { LoadedPlugins } from '../../plugins/host/load.ts';
import type { SinkEntry } from '../../plugins/sdk/sink/sink-entry.ts';

/** Returns the name of an entry without one: the id of its sink, with a number if that is taken. */
const freeName = (sink: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(sink)) return sink;
  let number = 2;
  while (taken.has(`${sink}-${number}`)) number += 1;
  return `${sink}-${number}`;
};

/** Returns the sinks that a gateway file names, in the form that their thread needs. */
export const toSinkEntries = (
  given: readonly GivenSink[],
  { plugins, files }: Pick<LoadedPlugins, 'plugins' | 'files'>,
): readonly SinkEntry[] => {
  const taken = new Set(given.flatMap(({ name }) => (typeof name === 'string' ? [name] : [])));
  return given.map((entry) => {
    const { sink, name, workspaces, sample } = entry;
    const owner = plugins.find(({ sinks = [] }) => sinks.some(({ id }) => id === sink));
    const file = files.find(({ plugin }) => plugin === owner?.name)?.file;
    const called = typeof name === 'string' ? name : freeName(sink, taken);
    taken.add(called);
    return {
      ...{ name: called, sink, options: sinkOptions(entry), sample: typeof sample === 'number' ? sample : 1 },
      ...(file === undefined ? {} : { file }),
      ...(Array.isArray(workspaces) ? { workspaces: workspaces.map(String) } : {}),
    };
  });
};
