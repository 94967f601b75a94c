import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import { referredVariable } from './references.ts';
import { Variables } from './variables.ts';

/** Part of the source that has no place in the result. */
export interface Loss {
  /** Its place in the source. */
  readonly pointer: JsonPointer;
  /** The reason, as a sentence. */
  readonly why: string;
  /** How to do it here, as a sentence. */
  readonly instead: string;
  /** Present if the other gateway checked something that is no longer checked. */
  readonly unchecked?: true;
}

/** A secret of the source, which is replaced by a variable in the result. */
export interface MovedSecret {
  readonly pointer: JsonPointer;
  readonly variable: string;
}

/** Returns a name for a file, a config or a saved provider. */
export const toSlug = (name: string): string => {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100);
  return slug === '' ? 'config' : slug;
};

/** The name under which the origins of records of the gateway file are recorded; no config has it. */
export const gatewayFile = 'gateway.json';

const savedTables = ['providers', 'virtual_keys'] as const;

/** A table of the gateway file whose records configs can name. */
type SavedTable = (typeof savedTables)[number];

interface SavedName {
  readonly table: SavedTable;
  readonly name: string;
}

/** Whether the text of configs, as JSON without white space, names a saved record. */
export const isNamed = (text: string, { table, name }: SavedName): boolean =>
  table === 'virtual_keys'
    ? text.includes(`"virtual_key":"${name}"`)
    : [`"@${name}"`, `"@${name}/`].some((each) => text.includes(each));

/** The set-up that is built from a source. */
export class Draft {
  readonly configs: Map<string, JsonObject> = new Map();
  readonly gateway: Record<string, Json> = { configs: 'configs' };
  readonly losses: Loss[] = [];
  readonly secrets: MovedSecret[] = [];
  /** The targets of the source that are left out, by their places; one may be listed several times. */
  readonly leftOut: JsonPointer[] = [];
  /** The names of parts of the source that should have become configs but did not. */
  readonly lostConfigs: string[] = [];
  /** The names by which clients of the source request its models. */
  readonly models: Set<string> = new Set();
  /** Whether clients reach a saved provider by the model alone. */
  hasReachableProvider = false;
  /** The variables that the result refers to. */
  readonly variables: Variables;
  readonly #origins = new Map<string, JsonPointer>();
  /** The names of saved records here, by their names in the other gateway. */
  readonly #savedNames = new Map<string, string>();
  readonly #savedLosses = new Map<Loss, SavedName>();
  /** How many losses belong to earlier files. */
  #lossesBefore = 0;

  /** Reserves the names that the sources use for variables, so that no new variable gets one of them. */
  constructor(reserved?: ReadonlySet<string>) {
    this.variables = new Variables(reserved);
  }

  lose(pointer: JsonPointer, why: string, instead: string): Loss {
    const loss = { pointer, why, instead };
    this.losses.push(loss);
    return loss;
  }

  /** Starts another file, in which a place may be the same as in an earlier file. */
  beginFile(): void {
    this.#lossesBefore = this.losses.length;
  }

  /** Returns the losses of the current file. */
  lossesOfFile(): readonly Loss[] {
    return this.losses.slice(this.#lossesBefore);
  }

  /** Does the same for a check, whose subject is no longer checked. */
  loseCheck(pointer: JsonPointer, why: string, instead: string): void {
    this.losses.push({ pointer, why, instead, unchecked: true });
  }

  /** Removes losses that another loss covers. */
  removeLosses(losses: readonly Loss[]): void {
    for (const loss of losses) this.losses.splice(this.losses.indexOf(loss), 1);
  }

  /** Returns the reference for a secret of the source: to the variable that it names or to a new one, never the secret itself. */
  secret(value: string, hint: string, pointer: JsonPointer): string {
    const referred = referredVariable(value);
    if (referred !== undefined) return this.variable(referred);
    const variable = this.variables.make(JSON.stringify(['literal', value]), hint);
    this.secrets.push({ pointer, variable });
    return `\${env:${variable}}`;
  }

  /** Returns the reference for a credential for which the source has neither a text nor the name of a variable. */
  absentSecret(credential: string, hint: string): string {
    return `\${env:${this.variables.make(JSON.stringify(['absent', credential]), hint)}}`;
  }

  /** Saves a record in a table of the gateway file, and returns its name, which nothing else in the table has. */
  save(table: 'guardrails' | 'providers' | 'virtual_keys', hint: string, saved: JsonObject): string {
    const member = this.gateway[table];
    const known = isJsonObject(member) ? member : {};
    const slug = toSlug(hint);
    for (let at = 1; ; at += 1) {
      const tried = at === 1 ? slug : `${slug}-${at}`;
      const there = lookUp(known, tried);
      if (there !== undefined && JSON.stringify(there) !== JSON.stringify(saved)) continue;
      this.gateway[table] = { ...known, [tried]: saved };
      return tried;
    }
  }

  /**
   * Returns the name of a record that the other gateway has saved under a name. On first use it is saved here, with a loss that
   * states so.
   */
  saveOnce(
    table: SavedTable,
    slug: string,
    toSaved: () => { readonly saved: JsonObject; readonly loss: Loss },
  ): string {
    const key = JSON.stringify([table, slug]);
    const known = this.#savedNames.get(key);
    if (known !== undefined) return known;
    const { saved, loss } = toSaved();
    const name = this.save(table, slug, saved);
    this.#savedNames.set(key, name);
    this.#savedLosses.set(loss, { table, name });
    return name;
  }

  /**
   * Drops saved records that no config names, such as those of a config that is left out. Returns the losses that state that they
   * are saved.
   */
  dropUnnamed(): ReadonlySet<Loss> {
    const text = JSON.stringify([...this.configs.values()]);
    for (const table of savedTables) {
      const saved = this.gateway[table];
      if (!isJsonObject(saved)) continue;
      const named = Object.entries(saved).filter(([name]) => isNamed(text, { table, name }));
      if (named.length === 0) delete this.gateway[table];
      else this.gateway[table] = Object.fromEntries(named);
    }
    const isDropped = ([, saved]: readonly [Loss, SavedName]): boolean => !isNamed(text, saved);
    return new Set([...this.#savedLosses].filter(isDropped).map(([loss]) => loss));
  }

  /** Returns the reference to a variable that the source names, or that the other gateway reads by default. */
  variable(name: string): string {
    this.variables.referred.add(name);
    return `\${env:${name}}`;
  }

  /** Returns a name for a config that no other config has. */
  configName(name: string): string {
    const slug = toSlug(name);
    for (let at = 1; ; at += 1) {
      const tried = at === 1 ? slug : `${slug}-${at}`;
      if (!this.configs.has(tried)) return tried;
    }
  }

  /** Records where in the source a place of a config comes from. */
  recordOrigin(config: string, place: JsonPointer, source: JsonPointer): void {
    this.#origins.set(`${config}\n${place}`, source);
  }

  /** Returns the place in the source that a place of a config comes from, or that of its nearest ancestor. */
  origin(config: string, place: JsonPointer): JsonPointer {
    for (let at: string = place; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const found = this.#origins.get(`${config}\n${at}`);
      // Two concatenated pointers are one pointer.
      if (found !== undefined) return `${found}${place.slice(at.length)}` as JsonPointer;
      if (at === '') return place;
    }
  }
}
