import { errorCode } from '../../../schema/text/error-code.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { toSentence } from '../../../schema/text/to-sentence.ts';
import { createHooks } from '../../sdk/hooks/hooks.ts';
import { callApply, type Plugin } from '../../sdk/plugin/plugin.ts';
import { bindOptions } from '../loading/bind-options.ts';

/** The hooks that a plugin taps. `undefined` if that is unknown because the plugin needs options or files. */
export interface TappedHooks {
  readonly hooks?: readonly string[];
  readonly errors: readonly string[];
}

const isRefused = (error: unknown): boolean => errorCode(error) === 'ERR_ACCESS_DENIED';

/** Applies a plugin with its default options to a new set of hooks. */
export const tappedHooks = (plugin: Plugin): TappedHooks => {
  const bound = bindOptions(plugin);
  if (bound.kind === 'errors') return { errors: [] };
  const hooks = createHooks();
  try {
    callApply(bound.plugin, hooks, {});
  } catch (error) {
    return { errors: isRefused(error) ? [] : [`It fails when it is applied: ${toSentence(errorText(error))}`] };
  }
  const tapped = Object.entries(hooks).filter(([, hook]) => 'isUsed' in hook && hook.isUsed());
  return { hooks: tapped.map(([name]) => name), errors: [] };
};
