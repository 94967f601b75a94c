/** `--format`, which every command here has. */
export const formatOption = {
  type: 'string',
  choices: ['human', 'json'],
  describe: 'Text for people, or one JSON document.',
} as const;

/** `--config`, likewise. */
export const configOption = {
  type: 'string',
  value: 'FILE',
  describe:
    'The gateway file, with plugins, saved providers and guardrails; gateway.json, .jsonc, .yaml or .yml by default.',
} as const;

/** The options that choose the store to look up what files do not have. */
export const storeOptions = {
  profile: { type: 'string', value: 'NAME', describe: 'A gateway and a key of ~/.config/gatewright/profiles.json.' },
  workspace: { type: 'string', value: 'NAME', describe: 'The workspace that a key of an organisation acts in.' },
} as const;
