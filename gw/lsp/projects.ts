import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CommandIo, CommandServices, Environment } from '../../compiler/cli/command-line/services.ts';
import { nodeIo } from '../../compiler/cli/files/node-io.ts';
import { EditorDocument } from '../../compiler/editor/editor-document.ts';
import type { EditorProject } from '../../compiler/editor/known-names.ts';
import { fileFormat } from '../../compiler/parse/read-tree.ts';
import { ownFolder } from '../../plugins/host/loading/own-version.ts';
import { gatewayFileNames, gatewayFileOf, hasFileEnding, isOtherFile } from '../../schema/config/file-names.ts';
import { namesConfigSchema } from '../../schema/config/names-config-schema.ts';
import { fromJson } from '../../schema/json/from-json.ts';
import { isJsonObject, type JsonObject } from '../../schema/json/json.ts';

/** A gateway file with its saved records, or the defaults for configs without one. */
export interface Project extends EditorProject {
  readonly services: CommandServices;
  readonly environment: Environment;
  /** The JSON Schema of gateway files. */
  readonly gatewaySchema: JsonObject;
  /** The absolute path; absent if there is none. */
  readonly gatewayFile?: string;
  /** Why no command accepts the files of this project: one folder has two gateway files. */
  readonly conflict?: string;
  /** Why configs are not checked: the gateway file has an error, so what they use of it is not known. */
  readonly unread?: string;
}

/** The gateway file that a file belongs to. */
interface Nearest {
  readonly file: string;
  readonly conflict?: string;
}

/** How many folders above a file are searched. */
const maxLevels = 30;

const readSchema = (name: string): JsonObject => {
  const schema: unknown = fromJson(readFileSync(path.join(ownFolder, 'schema', name), 'utf8'));
  return isJsonObject(schema) ? schema : {};
};

/**
 * Returns what is known of a project whose gateway file has an error: why its configs are not checked, and their folder, unless even
 * that cannot be read.
 */
const readPartly = (file: string, text: string, environment: Environment): Pick<Project, 'environment' | 'unread'> => {
  const error = environment.diagnostics.find(({ severity }) => severity === 'error');
  const folder = new EditorDocument(text, fileFormat(file)).valueAt(['configs']);
  const where = `${path.basename(file)} has an error in line ${error?.span.line ?? 1}`;
  return {
    environment: {
      ...environment,
      ...(typeof folder === 'string' && { configsFolder: path.resolve(path.dirname(file), folder) }),
    },
    unread: `This config is not checked, because ${where}.\n${error?.message ?? ''}`.trimEnd(),
  };
};

interface Held {
  readonly text: string | undefined;
  readonly project: Promise<Project>;
}

/** Connects the compiler with plugins, for files as they are in a folder. */
export type OpenServices = (io: CommandIo) => Promise<CommandServices>;

export interface ProjectsOptions {
  readonly openServices: OpenServices;
  /** Returns the text of a file that is open in the editor; undefined for others. */
  readonly openText: (file: string) => string | undefined;
  /** Writes a note to the log of the server. */
  readonly note: (text: string) => void;
}

/** Finds the project of each file in an editor. A gateway file is read again when its text has changed. */
export class Projects {
  readonly #options: ProjectsOptions;
  readonly #schema: JsonObject = readSchema('config.schema.json');
  readonly #gatewaySchema: JsonObject = readSchema('gateway.schema.json');
  readonly #held = new Map<string, Held>();

  constructor(options: ProjectsOptions) {
    this.#options = options;
  }

  /** Returns the nearest gateway file in the folder of a file, or above it; undefined if there is none. */
  async #nearest(file: string): Promise<Nearest | undefined> {
    let folder = path.dirname(file);
    const isFile = async (found: string): Promise<boolean> =>
      this.#options.openText(found) !== undefined || (await this.#io(folder).readKind(found)) === 'file';
    for (let level = 0; level < maxLevels; level += 1) {
      const here = folder;
      const found = await gatewayFileOf((name) => isFile(path.join(here, name)));
      if (found.kind === 'one') return { file: path.join(folder, found.name) };
      if (found.kind === 'several') {
        // Each of them is its own gateway file.
        const isOne = path.dirname(file) === folder && gatewayFileNames.includes(path.basename(file));
        return { file: isOne ? file : path.join(folder, found.first), conflict: `${found.message}\nKeep one of them.` };
      }
      const above = path.dirname(folder);
      if (above === folder) return undefined;
      folder = above;
    }
    return undefined;
  }

  async of(file: string): Promise<Project> {
    const { file: gatewayFile, conflict } = (await this.#nearest(file)) ?? {};
    const project = await this.#hold(path.dirname(gatewayFile ?? file), gatewayFile);
    return conflict === undefined ? project : { ...project, conflict };
  }

  async #hold(folder: string, gatewayFile: string | undefined): Promise<Project> {
    const text = gatewayFile === undefined ? undefined : await this.#readText(gatewayFile);
    const key = gatewayFile ?? '';
    const held = this.#held.get(key);
    if (held !== undefined && held.text === text) return held.project;
    const project = this.#open(folder, gatewayFile, text);
    this.#held.set(key, { text, project });
    project.catch(() => this.#held.delete(key));
    return project;
  }

  /** Plugins and models may have changed in files that are not JSON. */
  forget(): void {
    this.#held.clear();
  }

  async #readText(file: string): Promise<string> {
    return this.#options.openText(file) ?? this.#io(path.dirname(file)).readFile(file);
  }

  /** Writes nothing to the standard output, where it would be read as a protocol message. */
  #io(cwd: string): CommandIo {
    const log = { write: (line: string) => this.#options.note(line), colour: false };
    return nodeIo({ cwd, out: log, err: log });
  }

  async #open(cwd: string, gatewayFile: string | undefined, text: string | undefined): Promise<Project> {
    const services = await this.#options.openServices(this.#io(cwd));
    const shown = gatewayFile && path.relative(cwd, gatewayFile);
    const environment = await services.environment(shown, text);
    const isUnread = gatewayFile !== undefined && text !== undefined && environment.unread === true;
    return {
      ...{ services, environment, schema: this.#schema, gatewaySchema: this.#gatewaySchema },
      ...{ catalogue: environment.catalogue, saved: environment.saved },
      ...(gatewayFile !== undefined && { gatewayFile }),
      ...(isUnread && readPartly(gatewayFile, text, environment)),
    };
  }
}

/** Whether a file is a config: it is in the folder of configs of its gateway file, or it names the schema of configs. */
export const isConfig = (file: string, text: string, { environment: { configsFolder } }: Project): boolean => {
  if (isOtherFile(path.basename(file))) return false;
  if (configsFolder !== undefined && hasFileEnding(file)) {
    const inside = path.relative(configsFolder, file);
    if (inside !== '' && !inside.startsWith('..') && !path.isAbsolute(inside)) return true;
  }
  return namesConfigSchema(text);
};
