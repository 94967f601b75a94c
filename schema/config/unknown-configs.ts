import type { GatewayFile } from '../generated/gateway-file.ts';
import { childPointer, type JsonPointer, rootPointer } from '../json/pointer.ts';
import { suggestName } from '../text/closest-name.ts';
import { listNames } from '../text/list-names.ts';
import { readVirtualTargets } from './virtual-models.ts';

/** A place in the gateway file that names a config that does not exist. */
export interface UnknownConfig {
  readonly code: 'unknown-config';
  readonly pointer: JsonPointer;
  readonly message: string;
  readonly hint: string;
}

/** Finds the places in a gateway file that name a config other than these. */
export const findUnknownConfigs = (
  { default_config: byDefault, models = {} }: Pick<GatewayFile, 'default_config' | 'models'>,
  names: readonly string[],
): readonly UnknownConfig[] => {
  const known = names.length === 0 ? 'There is no config.' : listNames(names.map((name) => `"${name}"`));
  const unless = (config: string, pointer: JsonPointer, named: string): readonly UnknownConfig[] =>
    names.includes(config)
      ? []
      : [
          {
            code: 'unknown-config',
            pointer,
            message: `${named} does not exist.`,
            hint: suggestName(config, names, known),
          },
        ];
  return [
    ...(byDefault === undefined
      ? []
      : unless(byDefault, childPointer(rootPointer, 'default_config'), `The default config "${byDefault}"`)),
    ...[...readVirtualTargets(models)].flatMap(([name, target]) =>
      target.kind === 'config'
        ? unless(
            target.config,
            childPointer(rootPointer, 'models', name),
            `The virtual model "${name}" stands for the config "${target.config}", which`,
          )
        : [],
    ),
  ];
};
