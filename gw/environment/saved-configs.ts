import type { Saved } from '../../schema/config/saved.ts';

/** Returns configs that each name only one saved provider or virtual key, as text, with their names in messages. */
export const savedConfigs = ({
  providers,
  virtualKeys,
}: Saved): readonly { readonly name: string; readonly text: string }[] => [
  ...Object.keys(providers).map((slug) => ({ name: `@${slug}`, text: JSON.stringify({ provider: `@${slug}` }) })),
  ...Object.keys(virtualKeys).map((id) => ({ name: id, text: JSON.stringify({ virtual_key: id }) })),
];
