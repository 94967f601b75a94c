import path from 'node:path';
import { credentialFields, firstSpelling } from '../../../../../schema/config/provider-fields.ts';
import { credentialForm } from '../../../../../schema/credentials/credential-form.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { fromPointer, type JsonPointer } from '../../../../../schema/json/pointer.ts';
import { errorCode } from '../../../../../schema/text/error-code.ts';
import { readFileOrPipe } from '../../../../sdk/files/read-file-or-pipe.ts';
import { isPlaceholder, readPlaces } from '../../../kernel/secrets/literals.ts';
import type { ControlServices } from '../../command-line/services.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Problems } from './problems.ts';
import type { FolderFile } from './read-folder.ts';

const reference = /^\$\{(env|file):([^{}]+)\}$/;

const isReference = (value: Json): value is string => typeof value === 'string' && reference.test(value);

/** The values of references, by their pointers in a body. */
export type SecretValues = ReadonlyMap<JsonPointer, string>;

/** Finds the references to secrets in a body, with their texts. */
const findSecretReferences = ({ hasSecrets }: Kind, body: JsonObject): readonly (readonly [JsonPointer, string])[] =>
  hasSecrets ? (readPlaces(body, isReference) as readonly (readonly [JsonPointer, string])[]) : [];

const fields: ReadonlySet<string> = new Set(credentialFields);

/** Checks whether a place of a body contains a secret, whatever the gateway reports. */
const isSecretPlace = ({ folder, hasSecrets }: Kind, pointer: JsonPointer): boolean => {
  if (!hasSecrets) return false;
  const tokens = fromPointer(pointer);
  const [first] = tokens;
  if (folder === 'configs') return first === 'config' && fields.has(firstSpelling(tokens.at(-1) ?? ''));
  if (first === 'tls') return tokens.at(-1) !== 'server_name';
  return first === 'credential' || (first === 'keys' && tokens.at(-1) === 'api_key');
};

const written = {
  message: 'A secret is written here in plain text.',
  hint: 'Write a reference instead: "${env:NAME}" for an environment variable, "${file:PATH}" for a file.',
};

/** Reports literal secrets in files. */
export const noteWrittenSecrets = (files: readonly FolderFile[], problems: Problems): void => {
  for (const { kind, body, file } of files)
    for (const [pointer, value] of readPlaces(body, (each) => typeof each === 'string' && !isReference(each))) {
      const text = String(value);
      if (isPlaceholder(text))
        problems.at(file, pointer, { message: 'This is the placeholder of a secret.', hint: written.hint });
      else if ((isSecretPlace(kind, pointer) && text !== '') || credentialForm(text) !== undefined)
        problems.at(file, pointer, written);
    }
};

/** Reports literal secrets at the places that the gateway has named. */
export const noteSecretsAt = (
  { file, body }: Pick<FolderFile, 'file' | 'body'>,
  pointers: readonly string[],
  problems: Problems,
): void => {
  const places = new Set(pointers);
  for (const [pointer] of readPlaces(body, (value, at) => places.has(at) && !isReference(value)))
    problems.at(file, pointer, written);
};

/** Resolves references to secrets, each of them once. */
export class SecretReader {
  readonly #services: Pick<ControlServices, 'env' | 'cwd'>;
  readonly #known = new Map<string, Promise<string | undefined>>();

  constructor(services: Pick<ControlServices, 'env' | 'cwd'>) {
    this.#services = services;
  }

  /** Resolves the references of a file, and reports those that cannot be resolved. */
  async read({ kind, body, file }: FolderFile, problems: Problems): Promise<SecretValues> {
    const values = new Map<JsonPointer, string>();
    for (const [pointer, text] of findSecretReferences(kind, body)) {
      const value = await this.#value(text);
      if (value !== undefined && value !== '') values.set(pointer, value);
      else {
        const [, form, name = ''] = reference.exec(text) ?? [];
        problems.at(
          file,
          pointer,
          form === 'env'
            ? {
                message: `The variable ${name} is not set.`,
                hint: `Set ${name} to the secret, and run the command again.`,
              }
            : {
                message: `The file ${name} cannot be read, or is empty.`,
                hint: `Paths are relative to ${this.#services.cwd}.`,
              },
        );
      }
    }
    return values;
  }

  #value(text: string): Promise<string | undefined> {
    const known = this.#known.get(text) ?? this.#find(text);
    this.#known.set(text, known);
    return known;
  }

  async #find(text: string): Promise<string | undefined> {
    const [, form, name = ''] = reference.exec(text) ?? [];
    if (form === 'env') return Object.hasOwn(this.#services.env, name) ? this.#services.env[name] : undefined;
    try {
      const bytes = await readFileOrPipe(path.resolve(this.#services.cwd, name));
      return bytes.toString('utf8').replace(/\r?\n$/, '');
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return undefined;
    }
  }
}
