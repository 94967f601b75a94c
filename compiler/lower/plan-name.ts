import type { CompileOptions } from '../compile-options.ts';

/** `configs/prod.eu.jsonc` is `prod.eu`. */
const baseName = (file: string): string => file.replace(/^.*[/\\]/, '').replace(/\.jsonc?$/i, '');

/** The name of a plan. A caller does not choose it: names are labels of metrics. */
export const planName = (
  own: string | undefined,
  { trust, name, file }: Pick<CompileOptions, 'trust' | 'name' | 'file'>,
): string => {
  if (trust === 'caller') return name ?? 'header';
  return own || name || (file === undefined ? '' : baseName(file)) || 'config';
};
