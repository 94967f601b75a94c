import { stat } from 'node:fs/promises';
import { listReferences } from '../../../../runtime/cli/settings/list-references.ts';
import { readSecret } from '../../../../runtime/cli/settings/secret-reader.ts';
import { placeholderFact } from '../../../../schema/config/placeholder-fact.ts';
import { placeholderSecret } from '../../../../schema/config/saved.ts';
import type { SecretRef } from '../../../../schema/plan/plan.ts';
import { errorCode } from '../../../../schema/text/error-code.ts';
import type { Check, Finding } from '../../set-up/finding.ts';
import { type SetUp, shownFile } from '../../set-up/set-up.ts';

/** Where each reference of the gateway file and of its configs stands, for people. */
const listPlaces = async (setUp: SetUp): Promise<ReadonlyMap<SecretRef, readonly string[]>> => {
  const places = new Map<SecretRef, string[]>();
  const add = (ref: SecretRef, place: string): void => void places.set(ref, [...(places.get(ref) ?? []), place]);
  const { settings, file = '' } = setUp;
  for (const { ref, pointer } of listReferences(settings)) add(ref, `${shownFile(setUp, file)} (${pointer})`);
  const { files } = await setUp.plans().catch(() => ({ files: [] }));
  for (const { file: own, plan } of files)
    for (const ref of plan?.requires.secrets ?? []) add(ref, shownFile(setUp, own));
  return places;
};

/** References to certificates, which everybody may read. */
const findPublic = async (setUp: SetUp): Promise<ReadonlySet<string>> => {
  const { providers = {}, virtual_keys = {}, trusted_authorities } = setUp.settings;
  const { files } = await setUp.plans().catch(() => ({ files: [] }));
  const all = [
    ...Object.values(providers),
    ...Object.values(virtual_keys),
    ...files.flatMap(({ plan }) => plan?.targets ?? []),
  ];
  return new Set([trusted_authorities, ...all.flatMap(({ tls }) => [tls?.ca, tls?.cert])].flatMap((ref) => ref ?? []));
};

const findMode = async (file: string): Promise<number | undefined> => {
  try {
    return (await stat(file)).mode;
  } catch {
    return undefined;
  }
};

interface Asked {
  readonly ref: SecretRef;
  readonly name: string;
  readonly places: readonly string[];
  /** Whether it is a certificate. */
  readonly isPublic: boolean;
}

const isReadableByOthers = async (name: string): Promise<boolean> =>
  process.platform !== 'win32' && ((await findMode(name)) ?? 0) % 0o10 >= 0o4;

const valueFindings = async (value: string, { ref, name, places, isPublic }: Asked): Promise<readonly Finding[]> => {
  if (isPublic) return [];
  const isFile = ref.startsWith('${file:');
  const placeholder: readonly Finding[] =
    value === placeholderSecret
      ? [{ severity: 'warning', subject: ref, ...placeholderFact(`${isFile ? 'file' : 'variable'} ${name}`, places) }]
      : [];
  const padded: readonly Finding[] =
    value === value.trim()
      ? []
      : [
          {
            severity: 'warning',
            subject: ref,
            what: `Its value begins or ends with white space, which would be sent. It is used in ${places.join(', ')}.`,
            remedy: `Take the white space out of ${isFile ? name : `the variable ${name}`}.`,
          },
        ];
  if (!isFile || !(await isReadableByOthers(name))) return [...placeholder, ...padded];
  return [
    ...placeholder,
    ...padded,
    {
      severity: 'warning',
      subject: ref,
      what: `Every user of this machine can read the file ${name}.`,
      remedy: `Run: chmod o-r ${name} (in Kubernetes: "defaultMode: 0440" of the volume, with "fsGroup" of the pod).`,
    },
  ];
};

/** Says why a file has no value. */
const fileReason = (error: unknown, name: string): Pick<Finding, 'what' | 'remedy'> => {
  const code = errorCode(error);
  if (error === undefined) return { what: `The file ${name} is empty.`, remedy: `Write the secret to ${name}.` };
  if (code === 'ENOENT')
    return {
      what: `There is no file ${name}.`,
      remedy: `Mount or write the secret at ${name}, or correct the reference.`,
    };
  return {
    what: `The file ${name} cannot be read (${code ?? 'not a regular file'}).`,
    remedy: `Give the user of the gateway the right to read ${name}.`,
  };
};

const secretFindings = async (env: SetUp['env'], asked: Asked): Promise<readonly Finding[]> => {
  const { ref, name, places } = asked;
  const { value, error } = readSecret(env, ref);
  if (value !== undefined) return valueFindings(value, asked);
  if (ref.startsWith('${file:')) {
    const { what, remedy } = fileReason(error, name);
    return [{ severity: 'error', subject: ref, what: `${what} It is used in ${places.join(', ')}.`, remedy }];
  }
  const state = env[name] === undefined ? 'is not set' : 'is empty';
  return [
    {
      severity: 'error',
      subject: ref,
      what: `The variable ${name} ${state}. It is used in ${places.join(', ')}.`,
      remedy: `Set ${name} in the environment of the gateway.`,
    },
  ];
};

export const secrets: Check = {
  id: 'secrets',
  looksAt:
    'references to secrets: variables that are unset or empty, or that have the value of an example; files that are missing, empty, not readable, or readable by everybody',
  async run(setUp) {
    const [places, certificates] = await Promise.all([listPlaces(setUp), findPublic(setUp)]);
    const found = await Promise.all(
      [...places].map(([ref, where]) =>
        secretFindings(setUp.env, {
          ref,
          name: ref.replace(/^\$\{(?:env|file):(.*)\}$/s, '$1'),
          places: where,
          isPublic: certificates.has(ref),
        }),
      ),
    );
    return found.flat();
  },
};
