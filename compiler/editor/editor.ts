import type { Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import { gatewayFileNames } from '../../schema/config/file-names.ts';
import { nothingSaved, type Saved } from '../../schema/config/saved.ts';
import type { Trust } from '../../schema/config/trust.ts';
import type { Diagnostic } from '../../schema/errors/diagnostic.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { indexFacts } from '../../schema/model-facts/find-facts.ts';
import { joinFacts } from '../../schema/model-facts/join-facts.ts';
import type { StatedFacts } from '../../schema/model-facts/model-facts.ts';
import { operatorFacts } from '../../schema/model-facts/operator-facts.ts';
import type { KeptCompileResult, RoutingPlan } from '../../schema/plan/plan.ts';
import { type GatewayFileReading, readGatewayFile } from '../cli/files/read-gateway-file.ts';
import { compile } from '../compile.ts';
import type { CompileOptions, KnownModels } from '../compile-options.ts';
import { fileFormat } from '../parse/read-tree.ts';
import type { CatalogueData } from '../plugin-catalogue/catalogue-data.ts';
import { restoreCatalogue } from '../plugin-catalogue/restore-catalogue.ts';
import { type Completion, complete, type Hover, hover } from './complete.ts';
import { EditorDocument, type Piece } from './editor-document.ts';
import { type EditorFile, type FoundReference, findReferences, occurrenceAt } from './find-references.ts';
import type { EditorProject } from './known-names.ts';
import { providePortableModules } from './portable-modules.ts';
import { type CompiledText, type QuickFix, quickFixes } from './quick-fixes.ts';
import { type EditorSymbol, renameProblem } from './symbols.ts';
import type { TextChange } from './text-change.ts';

export interface EditorOptions {
  /** Everything that the plugins of the gateway provide; created by `describeCatalogue` of `gatewright/compiler`. */
  readonly catalogue: CatalogueData;
  /** The JSON Schemas that come with the package: `schema/config.schema.json` and `schema/gateway.schema.json`. */
  readonly schemas: { readonly config: JsonObject; readonly gateway: JsonObject };
  /** The names that configs can use if no gateway file is open; none if absent. */
  readonly saved?: Saved;
  /**
   * The facts about models, created by `describeModels` of `gatewright/compiler`, and the day (`2026-11-24`) for which warnings
   * about models are given. `model_facts` of an open gateway file take precedence. If absent, there are no findings about models.
   */
  readonly models?: { readonly facts: readonly StatedFacts[]; readonly today: string };
  /** The owner of the configs; `operator` if absent. Configs that a tenant saves are `saved`: they contain secrets. */
  readonly trust?: Exclude<Trust, 'caller'>;
  /**
   * Whether to warn about what other gateways for their format do not support, as `gw check --portable` does; false if absent.
   */
  readonly portable?: boolean;
}

/** The findings of a text. */
export interface EditorFindings {
  readonly diagnostics: readonly Diagnostic[];
  /**
   * The questions that only the code of a plugin can answer, such as `check acme.tone`. They give no findings here; a dry run at
   * the gateway answers them.
   */
  readonly unanswered: readonly string[];
  /** The plan of a config without errors, as plain data without secrets. */
  readonly plan?: RoutingPlan;
}

/** A place in an open file, in UTF-16 code units. */
export interface EditorReference extends Piece {
  readonly file: string;
  readonly isDefinition: boolean;
}

/** The changes of a renaming by file, or a sentence on why it is not possible. */
export type Renaming = { readonly changes: ReadonlyMap<string, readonly TextChange[]> } | { readonly problem: string };

/**
 * An editor of configs without any input or output: it knows only the files that are open in it. A file named `gateway.json` or
 * the like is the gateway file. All others are configs, and their names determine their formats. Offsets count UTF-16 code units.
 * A file that is not open has no findings and no names.
 */
export interface Editor {
  /** Opens a file, or replaces its text. */
  open(file: string, text: string): void;
  close(file: string): void;
  /** Replaces the names that configs can use if no gateway file is open. */
  save(saved: Saved): void;
  findings(file: string): EditorFindings;
  completions(file: string, offset: number): readonly Completion[];
  hover(file: string, offset: number): Hover | undefined;
  /** Returns all places that contain the name at an offset, including its definition; empty if there is no name. */
  references(file: string, offset: number): readonly EditorReference[];
  /** Returns undefined if there is no name at the offset. */
  rename(file: string, offset: number, name: string): Renaming | undefined;
  /** Returns the changes that correct what is wrong in a range, safe ones first. */
  quickFixes(file: string, range: Piece): Promise<readonly QuickFix[]>;
}

const baseName = (file: string): string => file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);

const isGateway = (file: string): boolean => gatewayFileNames.includes(baseName(file));

class OpenEditor implements Editor {
  readonly #texts = new Map<string, string>();
  readonly #schemas: EditorOptions['schemas'];
  readonly #catalogue: Catalogue;
  readonly #unanswered = new Set<string>();
  readonly #options: Pick<EditorOptions, 'models' | 'portable' | 'trust'>;
  #given: Saved;
  /** The open gateway file, after it was read. */
  #read: GatewayFileReading | undefined;
  /** The facts about models with those of the open gateway file, after they were first needed. */
  #models: KnownModels | undefined;

  constructor({ catalogue, schemas, saved = nothingSaved, ...options }: EditorOptions) {
    this.#schemas = schemas;
    this.#options = options;
    this.#given = saved;
    this.#catalogue = restoreCatalogue(catalogue, (what) => this.#unanswered.add(what));
  }

  open(file: string, text: string): void {
    this.#texts.set(file, text);
    if (isGateway(file)) this.#forgetGateway();
  }

  close(file: string): void {
    this.#texts.delete(file);
    if (isGateway(file)) this.#forgetGateway();
  }

  save(saved: Saved): void {
    this.#given = saved;
  }

  findings(file: string): EditorFindings {
    const text = this.#texts.get(file);
    if (text === undefined) return { diagnostics: [], unanswered: [] };
    this.#unanswered.clear();
    const { diagnostics, plan } = this.#compile(file, text);
    return { diagnostics, unanswered: [...this.#unanswered].sort(), ...(plan === undefined ? {} : { plan }) };
  }

  completions(file: string, offset: number): readonly Completion[] {
    const document = this.#document(file);
    return document === undefined ? [] : complete(document, offset, this.#project(file));
  }

  hover(file: string, offset: number): Hover | undefined {
    const document = this.#document(file);
    return document && hover(document, offset, this.#project(file));
  }

  references(file: string, offset: number): readonly EditorReference[] {
    return this.#found(file, offset).references.map(({ file: inFile, piece, isDefinition }) => ({
      ...{ file: inFile, isDefinition, offset: piece.offset, length: piece.length },
    }));
  }

  rename(file: string, offset: number, name: string): Renaming | undefined {
    const { symbol, references } = this.#found(file, offset);
    if (symbol === undefined) return undefined;
    const problem = renameProblem(symbol, name);
    if (problem !== undefined) return { problem };
    const changes = new Map<string, TextChange[]>();
    for (const each of references) changes.set(each.file, [...(changes.get(each.file) ?? []), each.rename(name)]);
    return { changes };
  }

  async quickFixes(file: string, range: Piece): Promise<readonly QuickFix[]> {
    const text = this.#texts.get(file);
    if (text === undefined) return [];
    const compileText = (changed: string): CompiledText => this.#compile(file, changed);
    return quickFixes(compileText(text), range, { project: this.#project(file), compile: compileText });
  }

  #compile(file: string, text: string): CompiledText & Pick<KeptCompileResult, 'plan'> {
    if (isGateway(file)) return { file, text, diagnostics: readGatewayFile(text, file).diagnostics };
    const settings = this.#gateway()?.settings;
    const known = this.#knownModels(settings?.model_facts);
    const options: CompileOptions = {
      trust: this.#options.trust ?? 'operator',
      catalogue: this.#catalogue,
      saved: this.#saved(),
      file,
      portable: this.#options.portable,
      makesVectors: settings && settings.cache?.semantic !== undefined,
      ...(known === undefined ? {} : { models: known }),
    };
    return { file, text, ...compile(text, options) };
  }

  #document(file: string): EditorDocument | undefined {
    const text = this.#texts.get(file);
    return text === undefined ? undefined : new EditorDocument(text, fileFormat(file));
  }

  #forgetGateway(): void {
    this.#read = undefined;
    this.#models = undefined;
  }

  #gateway(): GatewayFileReading | undefined {
    const file = [...this.#texts.keys()].find(isGateway);
    if (file === undefined) return undefined;
    this.#read ??= readGatewayFile(this.#texts.get(file) ?? '', file);
    return this.#read;
  }

  #saved(): Saved {
    return this.#gateway()?.saved ?? this.#given;
  }

  #knownModels(own: GatewayFileReading['settings']['model_facts'] = []): KnownModels | undefined {
    const { models } = this.#options;
    if (models === undefined) return undefined;
    const { facts, today } = models;
    this.#models ??= { find: indexFacts(joinFacts([...facts, ...operatorFacts(own, today)])), today };
    return this.#models;
  }

  #project(file: string): EditorProject {
    const { config, gateway } = this.#schemas;
    return { schema: isGateway(file) ? gateway : config, catalogue: this.#catalogue, saved: this.#saved() };
  }

  #files(): readonly EditorFile[] {
    return [...this.#texts].map(([file, text]) => ({ file, text, isGatewayFile: isGateway(file) }));
  }

  #found(
    file: string,
    offset: number,
  ): { readonly symbol?: EditorSymbol; readonly references: readonly FoundReference[] } {
    const files = this.#files();
    const asked = files.find((each) => each.file === file);
    const symbol = asked && occurrenceAt(asked, offset)?.symbol;
    if (asked === undefined || symbol === undefined) return { references: [] };
    return { symbol, references: findReferences(symbol, symbol.kind === 'target' ? [asked] : files) };
  }
}

/**
 * Creates an editor. It runs wherever JavaScript does, including a worker of a browser that forbids generating code from strings.
 */
export const createEditor = (options: EditorOptions): Editor => {
  providePortableModules();
  return new OpenEditor(options);
};
