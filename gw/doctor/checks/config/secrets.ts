import { stat } from 'node:fs/promises';
import { isSendableSecret, unsendableReason } from '../../../../plugins/sdk/http/sendable-headers.ts';
import { listReferences } from '../../../../runtime/cli/settings/list-references.ts';
import { readSecret } from '../../../../runtime/cli/settings/secret-reader.ts';
import { placeholderFact } from '../../../../schema/config/placeholder-fact.ts';
import { placeholderSecret, savedSecrets } from '../../../../schema/config/saved.ts';
import { credentialSecrets, type SecretRef, secretRefs } from '../../../../schema/plan/plan.ts';
import { errorCode } from '../../../../schema/text/error-code.ts';
import type { Check, Finding } from '../../set-up/finding.ts';
import { type SetUp, shownFile } from '../../set-up/set-up.ts';

/** Returns the places of each reference in the gateway file and its configs, described for people. */
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

interface KindsOfRefs {
  /** Certificates, which everybody may read. */
  readonly certificates: ReadonlySet<string>;
  /** Credentials of providers, most of which are sent in headers. */
  readonly credentials: ReadonlySet<string>;
}

const findKinds = async (setUp: SetUp): Promise<KindsOfRefs> => {
  const { providers = {}, virtual_keys = {}, trusted_authorities } = setUp.settings;
  const { files } = await setUp.plans().catch(() => ({ files: [] }));
  const saved = [...Object.values(providers), ...Object.values(virtual_keys)];
  const targets = files.flatMap(({ plan }) => plan?.targets ?? []);
  const certificates = [...saved, ...targets].flatMap(({ tls }) => [tls?.ca, tls?.cert]);
  return {
    certificates: new Set([trusted_authorities, ...certificates].flatMap((ref) => ref ?? [])),
    credentials: new Set([
      ...saved.flatMap(savedSecrets),
      ...targets.flatMap(({ credential }) => secretRefs(credentialSecrets(credential))),
    ]),
  };
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
  readonly isCredential: boolean;
}

const isReadableByOthers = async (name: string): Promise<boolean> =>
  process.platform !== 'win32' && ((await findMode(name)) ?? 0) % 0o10 >= 0o4;

const spaceFindings = (value: string, { ref, name, places, isCredential }: Asked): readonly Finding[] => {
  const subject = ref.startsWith('${file:') ? `the file ${name}` : `the variable ${name}`;
  const used = `It is used in ${places.join(', ')}.`;
  if (isCredential && !isSendableSecret(value))
    return [
      {
        ...{ severity: 'error', subject: ref },
        what: `Its value cannot be sent in a header: ${unsendableReason}. ${used}`,
        remedy: `Copy the credential into ${subject} again.`,
      },
    ];
  if (value === value.trim()) return [];
  return [
    {
      ...{ severity: 'warning', subject: ref },
      what: `Its value begins or ends with white space, which would be sent. ${used}`,
      remedy: `Take the white space out of ${subject}.`,
    },
  ];
};

const valueFindings = async (value: string, asked: Asked): Promise<readonly Finding[]> => {
  const { ref, name, places, isPublic } = asked;
  if (isPublic) return [];
  const isFile = ref.startsWith('${file:');
  const placeholder: readonly Finding[] =
    value === placeholderSecret
      ? [{ severity: 'warning', subject: ref, ...placeholderFact(`${isFile ? 'file' : 'variable'} ${name}`, places) }]
      : [];
  const padded = spaceFindings(value, asked);
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

/** Describes why a file has no value. */
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
  description:
    'references to secrets: variables that are unset, empty or still have the value of an example; credentials that are not valid in a header; files that are missing, empty, not readable, or readable by everybody',
  async run(setUp) {
    const [places, { certificates, credentials }] = await Promise.all([listPlaces(setUp), findKinds(setUp)]);
    const found = await Promise.all(
      [...places].map(([ref, where]) =>
        secretFindings(setUp.env, {
          ref,
          name: ref.replace(/^\$\{(?:env|file):(.*)\}$/s, '$1'),
          places: where,
          isPublic: certificates.has(ref),
          isCredential: credentials.has(ref),
        }),
      ),
    );
    return found.flat();
  },
};
