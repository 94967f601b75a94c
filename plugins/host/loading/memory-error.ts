import type { PluginEntry, ProblemText } from './plugin-entry.ts';

/** Memory can only be limited for a separate process. */
export const memoryError = ({ package: name, isolate, memory_mb }: PluginEntry): ProblemText | undefined =>
  memory_mb === undefined || isolate === true
    ? undefined
    : {
        code: 'not-isolable',
        message: `The plugin "${name}" has "memory_mb", which limits the process of an isolated plugin, but it is not isolated.`,
        hint: 'Add "isolate": true to its entry, or remove "memory_mb".',
      };
