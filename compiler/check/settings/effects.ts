import { toCredentialFields } from '../../../plugins/sdk/provider/to-credential-fields.ts';
import { credentialFields, settingFields } from '../../../schema/config/provider-fields.ts';
import type { Fix } from '../../../schema/errors/fix.ts';
import type { Config } from '../../../schema/generated/config.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import type { IrGroup, IrNode, IrSource } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck, type IrParent } from '../visitor/define-check.ts';

type Field = keyof Config;

/** A setting (a path below its config) and why it has no effect. */
interface Idle {
  readonly path: readonly [Field, ...(string | number)[]];
  readonly why: string;
  /** The advice, if it is not to remove the setting. */
  readonly hint?: string;
}

const idle = (why: string, fields: readonly Field[], hint?: string): readonly Idle[] =>
  fields.map((field) => ({ path: [field], why, ...(hint === undefined ? {} : { hint }) }));

const ofParent = (parent: IrParent | undefined): readonly Idle[] =>
  parent?.group.mode === 'loadbalance' || (parent !== undefined && parent.group.mode === undefined)
    ? []
    : idle('only targets of a load balance have weights', ['weight']);

const ofStrategy = ({ strategy, on_status_codes: beside }: Config, parent: IrParent | undefined): readonly Idle[] => {
  const path = (member: string): Idle['path'] => ['strategy', member];
  const isConditional = strategy === undefined || strategy.mode === 'conditional';
  const isFallback = strategy?.mode === 'fallback';
  const isBalanced = strategy === undefined || strategy.mode === 'loadbalance';
  const hint =
    parent?.group.mode === 'fallback' ? 'Move it into the "strategy" of the fallback that has this target.' : undefined;
  return [
    ...(isConditional ? [] : [path('conditions'), path('default')]).map((at) => ({
      path: at,
      why: 'only a conditional strategy uses it',
    })),
    ...(isBalanced ? [] : [path('balance'), path('sticky')]).map((at) => ({
      path: at,
      why: 'only a load balance uses it',
    })),
    ...(isBalanced || isFallback ? [] : [path('require')]).map((at) => ({
      path: at,
      why: 'only a fallback and a load balance use it',
    })),
    ...(isFallback ? [] : [path('on_status_codes'), path('hedge'), path('continue')]).map((at) => ({
      path: at,
      why: 'only a fallback uses it',
    })),
    ...(isFallback ? [] : idle('only a fallback uses it', ['on_status_codes'], hint)),
    ...(isFallback && strategy.on_status_codes !== undefined && beside !== undefined
      ? idle('the strategy has its own list', ['on_status_codes'])
      : []),
  ];
};

const ofTimeout = ({ request_timeout: ms }: Config): readonly Idle[] =>
  ms === 0
    ? idle('0 is the same as omitting it', ['request_timeout'], 'Remove it, or write a number of milliseconds.')
    : [];

const ofRetry = ({ retry }: Config, parent: IrParent | undefined): readonly Idle[] => {
  if (retry?.attempts !== 0) return [];
  const members = (['on_status_codes', 'use_retry_after_headers'] as const).filter(
    (member) => retry[member] !== undefined,
  );
  const idleMembers = members.map((member) => ({
    path: ['retry', member] as const,
    why: 'with 0 attempts nothing is retried',
  }));
  // If a group retries, a target with 0 attempts turns that off.
  const isNeeded = members.length > 0 || parent?.node.settings.retry !== undefined;
  return isNeeded ? idleMembers : idle('with 0 attempts nothing is retried', ['retry']);
};

const notInherited = idle(
  'targets do not inherit it',
  ['provider', 'virtual_key', 'prompt_id', 'keys', 'accounts', ...credentialFields, ...settingFields],
  'Move it into each target that needs it.',
);

const ofGroup = ({ mode, targets }: IrGroup): readonly Idle[] => [
  ...(mode === 'fallback' && targets.length === 1
    ? [{ path: ['strategy', 'hedge'] as const, why: 'there is no other target that could be called' }]
    : []),
  // If there are no targets, the strategy itself may be left over.
  ...(targets.length === 0 ? [] : notInherited),
  ...(mode === 'single'
    ? [
        {
          path: ['targets', 1] as const,
          why: 'a single strategy uses only its first target',
          hint: 'Remove the other targets, or use the mode "fallback" or "loadbalance".',
        },
      ]
    : []),
];

/** Whether the config contains only a parameter: its targets lack a strategy, which another check reports. */
const isNamedByModel = (source: IrSource): boolean => source.kind === 'saved' && source.by === 'override_params';

const ofSource = (source: IrSource): readonly Idle[] => {
  switch (source.kind) {
    case 'inline':
    case 'saved': {
      const { provider } = source;
      if (provider === undefined) return [];
      const used: readonly string[] = [...toCredentialFields(provider), ...(provider.settings ?? [])];
      // Beside a saved credential, another one is a mistake of its own.
      const fields = source.kind === 'inline' ? [...credentialFields, ...settingFields] : settingFields;
      const unread = fields.filter((field) => !used.includes(field));
      return [
        ...idle(`the provider "${provider.id}" does not read it`, unread),
        ...(isNamedByModel(source)
          ? []
          : idle(
              'a config without a strategy is its own target',
              ['targets'],
              'Add a "strategy", and move the provider into a target.',
            )),
        ...(provider.inProcess === undefined
          ? []
          : idle(`the provider "${provider.id}" has no address`, ['custom_host'])),
      ];
    }
    case 'request':
      return idle('a config without a provider leaves the credential to the request', ['keys', ...credentialFields]);
    case 'prompt':
    case 'none':
      return [];
  }
};

const ofAccounts = ({ keys, accounts }: Config): readonly Idle[] =>
  accounts !== undefined && keys === undefined
    ? idle('it assigns "keys" to accounts, and there are none', ['accounts'])
    : [];

/** Checks that every setting of a config has an effect. */
export const effects: Check = defineCheck({
  name: 'effects',
  create: ({ reporter, sound, spellings }) => {
    const report = ({ pointer, config }: IrNode, { path, why, hint }: Idle): void => {
      let value: unknown = config;
      for (const token of path)
        value = typeof value === 'object' && value !== null ? Reflect.get(value, token) : undefined;
      if (value === undefined) return;
      const named = path.findLast((token) => typeof token === 'string') ?? '';
      const setting = path.length === 1 ? spellings.readName(pointer, named) : named;
      const removal: Fix = { kind: 'safe', edits: [{ kind: 'remove', at: childPointer(pointer, ...path) }] };
      reporter.report(
        'no-effect',
        { pointer: childPointer(pointer, ...path), part: 'key', fix: hint === undefined ? removal : undefined },
        { setting, why, suggestion: hint ?? `Remove "${setting}".` },
      );
    };
    return {
      node(node, parent) {
        const { config, shape } = node;
        const found = [
          ...ofParent(parent),
          ...(sound.isUnusable(childPointer(node.pointer, 'strategy', 'mode')) ? [] : ofStrategy(config, parent)),
          ...ofTimeout(config),
          ...ofRetry(config, parent),
          ...(shape.kind === 'leaf' ? ofAccounts(config) : []),
          ...(shape.kind === 'group' ? ofGroup(shape) : sound.isUnusable(node.pointer) ? [] : ofSource(shape.source)),
        ];
        for (const each of found) report(node, each);
      },
    };
  },
});
