import type { ProblemText } from './plugin-entry.ts';

/** Reports a module that does not export a plugin. If it used `definePlugin`, part of the plugin is invalid. */
export const notPlugin = (name: string, errors: readonly string[], isDefined: boolean): ProblemText => ({
  code: 'not-a-plugin',
  message: `The package "${name}" does not export a plugin: ${errors.join('; ')}.`,
  hint: isDefined
    ? 'Correct the argument of definePlugin.'
    : 'Export the plugin as the default export of the module: export default definePlugin({ … }).',
});
