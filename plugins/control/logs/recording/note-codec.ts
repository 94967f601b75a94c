import type { ErrorCode } from '../../../../schema/errors/errors.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { Writable } from '../../../../schema/json/writable.ts';
import type { LeafReport, StreamEnd } from '../../../sdk/http/http.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import type { RequestFacts } from '../../../sdk/logs/request-line.ts';
import { idBytes, idOfBytes } from '../../kernel/store/new-id.ts';
import { readChecks, writeChecks } from './checks-codec.ts';
import type { NoteReader, NoteWriter } from './note-writer.ts';
import type { LoggedTarget, Note, NotedRequest } from './noted-request.ts';
import { readTrail, writeTrail } from './trail-codec.ts';

/** What follows: a note in its layout, one as JSON, or bodies. */
const kinds = { note: 0, json: 1, bodies: 2 } as const;

/** Which members are there, as bits. */
const flags = { once: 1, stream: 2, empty: 4, balanced: 8, metadata: 16, leaf: 32, rare: 64, checks: 128 } as const;

/** What few requests have, which is written as JSON. */
type Rare = Pick<NotedRequest, 'problem' | 'headers' | 'error'>;

const isRare = ({ problem, headers, error }: Note): boolean =>
  problem !== undefined || headers !== undefined || error !== undefined;

const rareText = ({ problem, headers, error }: Note): string => {
  const rare: Rare = { problem, headers, error };
  return JSON.stringify(rare);
};

const toFlags = (note: Note): number => {
  const { once, stream, empty, metadata } = note.line;
  return (
    (once === true ? flags.once : 0) |
    (stream === true ? flags.stream : 0) |
    (empty === true ? flags.empty : 0) |
    (note.balanced ? flags.balanced : 0) |
    (metadata === undefined ? 0 : flags.metadata) |
    (note.leaf === undefined ? 0 : flags.leaf) |
    (isRare(note) ? flags.rare : 0) |
    (note.checks.length > 0 ? flags.checks : 0)
  );
};

/** Each label with its value; the value of most is a text, and of others JSON. */
const writeLabels = (to: NoteWriter, labels: JsonObject): void => {
  for (const name in labels) {
    if (!Object.hasOwn(labels, name)) continue;
    const value = labels[name];
    if (value === undefined) continue;
    to.name(name);
    to.name(typeof value === 'string' ? value : null);
    if (typeof value !== 'string') to.text(JSON.stringify(value));
  }
  to.name(null);
};

const readLabels = (from: NoteReader): JsonObject => {
  const labels: [string, Json][] = [];
  for (let name = from.textOrNull(); name !== null; name = from.textOrNull())
    labels.push([name, from.textOrNull() ?? fromJson(from.text())]);
  return Object.fromEntries(labels);
};

const writeLeaf = (to: NoteWriter, { path, provider, retries, cache, maker }: LeafReport): void => {
  to.name(path);
  to.name(provider);
  to.number(retries);
  to.name(cache);
  to.text(maker === undefined ? null : JSON.stringify(maker));
};

const readLeaf = (from: NoteReader): LeafReport => {
  const leaf = {
    path: from.text() as JsonPointer,
    provider: from.text(),
    retries: from.number(),
    cache: from.text() as LeafReport['cache'],
  };
  const maker = from.textOrNull();
  return maker === null ? leaf : { ...leaf, maker: fromJson(maker) };
};

const writeTargets = (to: NoteWriter, targets: NotedRequest['targets']): void => {
  for (const path in targets) {
    const target = targets[path];
    if (target === undefined) continue;
    to.name(path);
    to.name(target.id);
    to.name(target.provider ?? null);
    to.name(target.slug ?? null);
    to.name(target.model ?? null);
  }
  to.name(null);
};

const readTarget = (from: NoteReader): LoggedTarget => {
  const id = from.text();
  const provider = from.textOrNull();
  const slug = from.textOrNull();
  const model = from.textOrNull();
  const target: Writable<LoggedTarget> = { id };
  if (provider !== null) target.provider = provider;
  if (slug !== null) target.slug = slug;
  if (model !== null) target.model = model;
  return target;
};

const readTargets = (from: NoteReader): NotedRequest['targets'] => {
  const targets: { [path: string]: LoggedTarget } = {};
  for (let path = from.textOrNull(); path !== null; path = from.textOrNull()) targets[path] = readTarget(from);
  return targets;
};

const writeLine = (to: NoteWriter, line: RequestFacts): void => {
  to.text(line.trace);
  to.number(line.seed);
  to.name(line.plan);
  to.name(line.route);
  to.number(line.status);
  to.name(line.end);
  to.name(line.cause ?? null);
  to.number(line.ms);
  to.name(line.key ?? null);
  if (line.metadata !== undefined) writeLabels(to, line.metadata);
  writeTrail(to, line.trail);
};

const readLine = (from: NoteReader, presence: number): RequestFacts => ({
  once: presence & flags.once ? true : undefined,
  stream: presence & flags.stream ? true : undefined,
  empty: presence & flags.empty ? true : undefined,
  trace: from.text(),
  seed: from.number(),
  plan: from.textOrNull(),
  route: from.text(),
  status: from.number(),
  end: from.text() as StreamEnd,
  cause: from.optionalText() as ErrorCode | undefined,
  ms: from.number(),
  key: from.optionalText(),
  metadata: presence & flags.metadata ? readLabels(from) : undefined,
  trail: readTrail(from),
});

const writeMembers = (to: NoteWriter, note: Note): void => {
  to.small(toFlags(note));
  to.name(note.organisation);
  to.name(note.workspace);
  to.name(note.operation);
  writeLine(to, note.line);
  to.name(note.config ?? null);
  if (note.leaf !== undefined) writeLeaf(to, note.leaf);
  writeTargets(to, note.targets);
  to.name(note.prompt ?? null);
  to.name(note.requestedModel ?? null);
  if (note.checks.length > 0) writeChecks(to, note.checks);
  if (isRare(note)) to.text(rareText(note));
};

const noRare: Rare = {};
const noChecks: NotedRequest['checks'] = [];

const readMembers = (from: NoteReader, id: string): NotedRequest => {
  const presence = from.small();
  const organisation = from.text();
  const workspace = from.text();
  const operation = from.text();
  const line = readLine(from, presence);
  const config = from.optionalText();
  const leaf = presence & flags.leaf ? readLeaf(from) : undefined;
  const targets = readTargets(from);
  const balanced = (presence & flags.balanced) !== 0;
  const prompt = from.optionalText();
  const requestedModel = from.optionalText();
  const checks = presence & flags.checks ? readChecks(from) : noChecks;
  const { problem, headers, error }: Rare = presence & flags.rare ? fromJson(from.text()) : noRare;
  // One literal: to spread another into it takes several times as long.
  return {
    id,
    organisation,
    workspace,
    operation,
    line,
    problem,
    config,
    leaf,
    targets,
    balanced,
    prompt,
    requestedModel,
    checks,
    headers,
    error,
  };
};

/** Writes what is noted of a request that ends at this time, in milliseconds since the epoch, with a new id. */
export const writeNote = (to: NoteWriter, note: Note, time: number): void => {
  const before = to.length;
  try {
    to.small(kinds.note);
    to.newId(time);
    writeMembers(to, note);
  } catch {
    // A text is none, or no Unicode, or a member is something else than it should be: JSON can say more.
    to.cut(before);
    to.small(kinds.json);
    to.newId(time);
    to.text(JSON.stringify(note));
  }
};

/** Writes a note so that it can be read alone. */
export const writeAlone = (to: NoteWriter, { id, ...note }: NotedRequest): void => {
  to.small(kinds.json);
  to.id(id);
  to.text(JSON.stringify(note));
};

/** Reads the next note. */
export const readNote = (from: NoteReader): NotedRequest => {
  const kind = from.small();
  const id = from.id();
  if (kind === kinds.note) return readMembers(from, id);
  if (kind === kinds.json) return { id, ...(fromJson(from.text()) as Note) };
  throw new RangeError(`No note is of the kind ${kind}.`);
};

/** The id of a note that begins there. */
export const readId = (notes: Uint8Array, at: number): string =>
  idOfBytes(toBuffer(notes.subarray(at + 1, at + 1 + idBytes)));

/** Sealed as JSON, by the id of their request. */
export type SealedBodies = ReadonlyMap<string, string>;

/** Writes bodies, which come before the notes that they belong to. */
export const writeBodies = (to: NoteWriter, bodies: SealedBodies): void => {
  to.small(kinds.bodies);
  to.text(JSON.stringify([...bodies]));
};

/** Reads those that come next, if there are any. */
export const readBodies = (from: NoteReader): SealedBodies =>
  new Map(from.passes(kinds.bodies) ? fromJson(from.text()) : []);
