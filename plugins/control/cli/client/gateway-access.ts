import type { FlagSpec } from '../../kernel/resource/api-command.ts';
import { unusable } from '../command-line/command-failure.ts';
import type { ControlServices, FlagValues } from '../command-line/services.ts';
import { hasDefaultProfile, type Profile, profilesFile, readProfile } from './profiles.ts';

/** What comes before the path of a control route: `http://127.0.0.1:8787/v1`. `from` says whose the text is. */
const baseUrl = (text: string, from: string): string => {
  const hint = 'Write it as http://127.0.0.1:8787 or https://gateway.example.com.';
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw unusable(`${from} is not the URL of a gateway.`, hint);
  if (url.username !== '' || url.password !== '')
    throw unusable(`${from} has a user or a password in it, which a gateway does not ask for.`, hint);
  if (url.search !== '' || url.hash !== '') throw unusable(`${from} has more than a host and a path.`, hint);
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path.endsWith('/v1') ? path : `${path}/v1`}`;
};

/** Which gateway is asked, and as whom. */
export interface GatewayAccess {
  /** Ends with `/v1`. */
  readonly base: string;
  readonly key: string | undefined;
  /** The id or slug of the workspace that a key of an organisation acts in. */
  readonly workspace: string | undefined;
}

/** The flags that each command of the API has. */
export const accessFlags: { readonly [flag: string]: FlagSpec } = {
  url: {
    type: 'string',
    value: 'URL',
    describe: 'The gateway. Environment: GW_URL; http://127.0.0.1:8787 by default.',
  },
  profile: { type: 'string', value: 'NAME', describe: 'A gateway and a key of ~/.config/gatewright/profiles.json.' },
  workspace: { type: 'string', value: 'NAME', describe: 'The workspace that a key of an organisation acts in.' },
};

export const accessNotes: string = [
  'The service key is that of GW_API_KEY, or that of the profile. Without --profile and without these variables, the profile',
  '"default" is used where there is one.',
].join('\n');

const defaultUrl = 'http://127.0.0.1:8787';

const findText = (value: FlagValues[string]): string | undefined => (typeof value === 'string' ? value : undefined);

const checkKey = (key: string | undefined, from: string): string | undefined => {
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key;
  throw unusable(
    `The key of ${from} has a character that a header cannot carry, such as a space or a line break.`,
    'Copy the key again, without anything around it.',
  );
};

const checkWorkspace = (workspace: string | undefined): string | undefined => {
  if (workspace === undefined || /^[\w-]+$/.test(workspace)) return workspace;
  throw unusable('Names of workspaces have letters, digits, - and _ only.', 'Correct --workspace, or the profile.');
};

/** A key of a profile goes to no other gateway than that of the profile. */
const ofProfile = (profile: Profile, url: string | undefined, name: string): Omit<GatewayAccess, 'workspace'> => {
  const base = baseUrl(profile.url, `The url of the profile "${name}"`);
  const asked = url === undefined ? base : baseUrl(url, '--url');
  if (profile.key !== undefined && new URL(asked).origin !== new URL(base).origin)
    throw unusable(
      `The profile "${name}" has a key for ${new URL(base).origin}, which is not sent to ${new URL(asked).origin}.`,
      'Set GW_API_KEY to a key of that gateway, or name another profile with --profile.',
    );
  return { base: asked, key: checkKey(profile.key, `the profile "${name}"`) };
};

/** A key on the command line can be read by every user of the machine, and stays in the history of the shell. */
export const refuseKeyFlag = (argv: readonly string[]): void => {
  const flag = argv.find((argument) => /^--(?:api-)?key(?:=|$)/.test(argument))?.replace(/=.*/s, '');
  if (flag !== undefined)
    throw unusable(
      `A service key is not given as ${flag}: others on this machine could read it.`,
      'Set GW_API_KEY, or write it into a profile.',
    );
};

/** Whether anything says which gateway to ask: a flag, the environment, or a profile that is used by default. */
export const isGatewaySet = async (
  { env, home }: Pick<ControlServices, 'env' | 'home'>,
  { url, profile }: FlagValues,
): Promise<boolean> =>
  [url, profile, env.GW_URL || undefined, env.GW_API_KEY || undefined].some((value) => value !== undefined) ||
  hasDefaultProfile(profilesFile(home));

/**
 * Which gateway to ask: that of `--profile`; or else of the environment, if `GW_URL` or `GW_API_KEY` is set; or else of the
 * profile `default`. `--url` and `--workspace` replace those of any. Throws a `CommandFailure`.
 */
export const gatewayAccess = async (
  { env, home }: Pick<ControlServices, 'env' | 'home'>,
  values: FlagValues,
): Promise<GatewayAccess> => {
  const [url, name, workspace] = [findText(values.url), findText(values.profile), findText(values.workspace)];
  const [envUrl, envKey] = [env.GW_URL || undefined, env.GW_API_KEY || undefined];
  const isEnvironment = name === undefined && (envUrl !== undefined || envKey !== undefined);
  const profile = isEnvironment ? undefined : await readProfile(profilesFile(home), name);
  if (profile !== undefined)
    return { ...ofProfile(profile, url, name ?? 'default'), workspace: checkWorkspace(workspace ?? profile.workspace) };
  const base = url === undefined ? baseUrl(envUrl ?? defaultUrl, 'GW_URL') : baseUrl(url, '--url');
  return { base, key: checkKey(envKey, 'GW_API_KEY'), workspace: checkWorkspace(workspace) };
};
