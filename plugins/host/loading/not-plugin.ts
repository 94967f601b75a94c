import type { ProblemText } from './plugin-entry.ts';

/** Reports a module that exports something else than a plugin. Where it used `definePlugin`, a part of the plugin is wrong. */
export const notPlugin = (name: string, errors: readonly string[], isDefined: boolean): ProblemText => ({
  code: 'not-a-plugin',
  message: `The package "${name}" does not export a plugin: ${errors.join('; ')}.`,
  hint: isDefined
    ? 'Correct what definePlugin is given.'
    : 'Export the plugin as the default export of the module: export default definePlugin({ … }).',
});
