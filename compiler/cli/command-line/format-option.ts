/** `--format`, which every command here has. */
export const formatOption = {
  type: 'string',
  choices: ['human', 'json'],
  describe: 'Text, or one JSON document.',
} as const;

/** `--config`, which every command here has too. */
export const configOption = {
  type: 'string',
  value: 'FILE',
  describe:
    'The gateway file, with plugins, saved providers and guardrails. Default: gateway.json, .jsonc, .yaml or .yml.',
} as const;

/** The options that choose the store in which names are looked up that files do not have. */
export const storeOptions = {
  profile: {
    type: 'string',
    value: 'NAME',
    describe: 'A profile (a gateway and a key) in ~/.config/gatewright/profiles.json.',
  },
  workspace: {
    type: 'string',
    value: 'NAME',
    describe: 'The workspace to use, if the key belongs to an organisation.',
  },
} as const;
