import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import { referredVariable } from './references.ts';
import { Variables } from './variables.ts';

/** Something of the source that has no place in the result. */
export interface Loss {
  /** Its place in the source. */
  readonly pointer: JsonPointer;
  /** Why, as a sentence. */
  readonly why: string;
  /** The way to do it here, as a sentence. */
  readonly instead: string;
  /** Present where the other gateway checked something that is not checked any more. */
  readonly unchecked?: true;
}

/** A secret of the source, which the result refers to by a variable. */
export interface MovedSecret {
  readonly pointer: JsonPointer;
  readonly variable: string;
}

/** A name of a file, a config or a saved provider. */
export const toSlug = (name: string): string => {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100);
  return slug === '' ? 'config' : slug;
};

const savedTables = ['providers', 'virtual_keys'] as const;

/** A table of the gateway file whose records configs name. */
type SavedTable = (typeof savedTables)[number];

interface SavedName {
  readonly table: SavedTable;
  readonly name: string;
}

/** Whether the text of configs, as JSON without blanks, names something saved. */
const isNamed = (text: string, { table, name }: SavedName): boolean =>
  table === 'virtual_keys'
    ? text.includes(`"virtual_key":"${name}"`)
    : [`"@${name}"`, `"@${name}/`].some((each) => text.includes(each));

/** The set-up that is made of a source, while it is made. */
export class Draft {
  readonly configs: Map<string, JsonObject> = new Map();
  readonly gateway: Record<string, Json> = { configs: 'configs' };
  readonly losses: Loss[] = [];
  readonly secrets: MovedSecret[] = [];
  /** The targets of the source that are left out, each by its place; one may be there several times. */
  readonly leftOut: JsonPointer[] = [];
  /** The names of parts of the source that were to be configs, and of which none is made. */
  readonly lostConfigs: string[] = [];
  /** The names by which clients of the source ask for its models. */
  readonly models: Set<string> = new Set();
  /** Whether clients reach a saved provider by their model alone. */
  isReached = false;
  /** The variables that the result refers to. */
  readonly variables: Variables;
  readonly #origins = new Map<string, JsonPointer>();
  /** The names of what is saved here, by those that the other gateway has it by. */
  readonly #savedNames = new Map<string, string>();
  readonly #savedLosses = new Map<Loss, SavedName>();
  /** How many losses are of the files before this one. */
  #lossesBefore = 0;

  /** The names that the sources have for variables are reserved: none is made for something else. */
  constructor(reserved?: ReadonlySet<string>) {
    this.variables = new Variables(reserved);
  }

  lose(pointer: JsonPointer, why: string, instead: string): Loss {
    const loss = { pointer, why, instead };
    this.losses.push(loss);
    return loss;
  }

  /** Begins another file, in which a place may be the same as in one before it. */
  beginFile(): void {
    this.#lossesBefore = this.losses.length;
  }

  /** The losses of the file that is read now. */
  lossesOfFile(): readonly Loss[] {
    return this.losses.slice(this.#lossesBefore);
  }

  /** The same of a check: what it looked for is not looked for any more. */
  loseCheck(pointer: JsonPointer, why: string, instead: string): void {
    this.losses.push({ pointer, why, instead, unchecked: true });
  }

  /** Takes losses back, since another one says what follows from them. */
  takeBack(losses: readonly Loss[]): void {
    for (const loss of losses) this.losses.splice(this.losses.indexOf(loss), 1);
  }

  /** The reference for a secret of the source: to the variable that it names, or to a new one, and never the secret itself. */
  secret(value: string, hint: string, pointer: JsonPointer): string {
    const referred = referredVariable(value);
    if (referred !== undefined) return this.variable(referred);
    const variable = this.variables.make(JSON.stringify(['literal', value]), hint);
    this.secrets.push({ pointer, variable });
    return `\${env:${variable}}`;
  }

  /** The reference for a credential that the source has neither as a text nor by the name of a variable. */
  absentSecret(credential: string, hint: string): string {
    return `\${env:${this.variables.make(JSON.stringify(['absent', credential]), hint)}}`;
  }

  /** A name that nothing else in a table of the gateway file has, for what is saved now under it. */
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

  /** The name of what the other gateway has saved by a name, which is saved here when it is used first, with a loss that says so. */
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

  /** Drops what is saved and no config names, as of one that is left out. Returns the losses that say that it is saved. */
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

  /** The reference to a variable that the source names, or that the other gateway reads where it names none. */
  variable(name: string): string {
    this.variables.referred.add(name);
    return `\${env:${name}}`;
  }

  /** A name for a config that no other has. */
  configName(name: string): string {
    const slug = toSlug(name);
    for (let at = 1; ; at += 1) {
      const tried = at === 1 ? slug : `${slug}-${at}`;
      if (!this.configs.has(tried)) return tried;
    }
  }

  /** Notes where in the source a place of a config comes from. */
  comesFrom(config: string, place: JsonPointer, source: JsonPointer): void {
    this.#origins.set(`${config}\n${place}`, source);
  }

  /** The place in the source that a place of a config comes from, or that of what it is in. */
  origin(config: string, place: JsonPointer): JsonPointer {
    for (let at: string = place; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const found = this.#origins.get(`${config}\n${at}`);
      // Two pointers in a row are one.
      if (found !== undefined) return `${found}${place.slice(at.length)}` as JsonPointer;
      if (at === '') return place;
    }
  }
}
