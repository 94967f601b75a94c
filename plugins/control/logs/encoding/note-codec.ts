import type { ErrorCode } from '../../../../schema/errors/errors.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { LeafReport, StreamEnd } from '../../../sdk/http/http.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import type { RequestFacts } from '../../../sdk/logs/request-line.ts';
import { idBytes, idOfBytes } from '../../kernel/store/new-id.ts';
import type { NoteReader, NoteWriter } from './note-writer.ts';
import type { LoggedTarget, Note, NotedRequest } from './noted-request.ts';
import { readChecks, readTrail, writeChecks, writeTrail } from './trail-codec.ts';

/** The kind of the following data: a note in its layout, a note as JSON, bodies, or names of labels. */
const kinds = { note: 0, json: 1, bodies: 2, labels: 3 } as const;

/** The members of a note, as bits. */
const flags = { once: 1, stream: 2, empty: 4, balanced: 8, metadata: 16, leaf: 32, rare: 64, checks: 128 } as const;

/** Rare members, which are written as JSON. */
type Rare = Pick<NotedRequest, 'problem' | 'headers' | 'error'> & Pick<RequestFacts, 'planModel' | 'deadlineMs'>;

const isRare = ({ problem, headers, error, line: { planModel, deadlineMs } }: Note): boolean =>
  problem !== undefined ||
  headers !== undefined ||
  error !== undefined ||
  planModel !== undefined ||
  deadlineMs !== undefined;

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

/** Writes each label with its value. Most values are texts; others are written as JSON. */
const writeLabels = (to: NoteWriter, labels: JsonObject): void => {
  for (const name in labels) {
    const value = Object.hasOwn(labels, name) ? labels[name] : undefined;
    if (value === undefined) continue;
    if (typeof value === 'string') to.name(name).name(value);
    else to.name(name).name(null).text(JSON.stringify(value));
  }
  to.name(null);
};

const readLabels = (from: NoteReader): JsonObject =>
  Object.fromEntries(from.list((name): [string, Json] => [name, from.textOrNull() ?? fromJson(from.text())]));

const writeLeaf = (to: NoteWriter, { path, provider, retries, cache, maker }: LeafReport): void => {
  to.name(path).name(provider).number(retries).name(cache);
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
    to.name(path).name(target.id);
    to.name(target.provider ?? null)
      .name(target.slug ?? null)
      .name(target.model ?? null);
  }
  to.name(null);
};

const readTarget = (from: NoteReader): LoggedTarget => ({
  id: from.text(),
  provider: from.optionalText(),
  slug: from.optionalText(),
  model: from.optionalText(),
});

const readTargets = (from: NoteReader): NotedRequest['targets'] => {
  const targets: { [path: string]: LoggedTarget } = {};
  for (let path = from.textOrNull(); path !== null; path = from.textOrNull()) targets[path] = readTarget(from);
  return targets;
};

const writeLine = (to: NoteWriter, line: RequestFacts): void => {
  to.text(line.trace).number(line.seed).name(line.plan).name(line.route).number(line.status).name(line.end);
  to.name(line.cause ?? null)
    .number(line.ms)
    .name(line.key ?? null);
  if (line.metadata !== undefined) writeLabels(to, line.metadata);
  writeTrail(to, line.trail);
};

const readLine = (from: NoteReader, presence: number, { planModel, deadlineMs }: Rare): RequestFacts => ({
  once: presence & flags.once ? true : undefined,
  stream: presence & flags.stream ? true : undefined,
  empty: presence & flags.empty ? true : undefined,
  trace: from.text(),
  seed: from.number(),
  plan: from.textOrNull(),
  planModel,
  route: from.text(),
  status: from.number(),
  end: from.text() as StreamEnd,
  deadlineMs,
  cause: from.optionalText() as ErrorCode | undefined,
  ms: from.number(),
  key: from.optionalText(),
  metadata: presence & flags.metadata ? readLabels(from) : undefined,
  trail: readTrail(from),
});

const writeMembers = (to: NoteWriter, note: Note): void => {
  to.small(toFlags(note));
  const { problem, headers, error, line } = note;
  const { planModel, deadlineMs } = line;
  if (isRare(note)) to.text(JSON.stringify({ problem, headers, error, planModel, deadlineMs } satisfies Rare));
  to.name(note.organisation).name(note.workspace).name(note.operation);
  writeLine(to, note.line);
  to.name(note.config ?? null);
  if (note.leaf !== undefined) writeLeaf(to, note.leaf);
  writeTargets(to, note.targets);
  to.name(note.prompt ?? null).name(note.requestedModel ?? null);
  if (note.checks.length > 0) writeChecks(to, note.checks);
};

const noRare: Rare = {};
const noChecks: NotedRequest['checks'] = [];

const readMembers = (from: NoteReader, id: string): NotedRequest => {
  const presence = from.small();
  const rare: Rare = presence & flags.rare ? fromJson(from.text()) : noRare;
  const { problem, headers, error } = rare;
  // A single literal whose members are read in order. Spreading another object into it takes several times as long.
  return {
    id,
    problem,
    headers,
    error,
    organisation: from.text(),
    workspace: from.text(),
    operation: from.text(),
    line: readLine(from, presence, rare),
    config: from.optionalText(),
    leaf: presence & flags.leaf ? readLeaf(from) : undefined,
    targets: readTargets(from),
    balanced: (presence & flags.balanced) !== 0,
    prompt: from.optionalText(),
    requestedModel: from.optionalText(),
    checks: presence & flags.checks ? readChecks(from) : noChecks,
  };
};

/**
 * Writes a note of a request with its id, or with a new id that contains the end time of the request, in milliseconds since the
 * epoch.
 */
export const writeNote = (to: NoteWriter, note: Note, id: Uint8Array | number): void => {
  const before = to.length;
  try {
    writeMembers(to.small(kinds.note).idOrNew(id), note);
  } catch {
    // A text is missing or not valid Unicode, or a member has an unexpected type. JSON can express these.
    to.cut(before);
    to.small(kinds.json).idOrNew(id).text(JSON.stringify(note));
  }
};

/** Writes a note so that it can be read on its own. */
export const writeAlone = (to: NoteWriter, { id, ...note }: NotedRequest): void => {
  to.small(kinds.json).id(id).text(JSON.stringify(note));
};

/** Reads the next note. */
export const readNote = (from: NoteReader): NotedRequest => {
  const kind = from.small();
  const id = from.id();
  if (kind === kinds.note) return readMembers(from, id);
  if (kind === kinds.json) return { id, ...(fromJson(from.text()) as Note) };
  throw new RangeError(`There is no note of the kind ${kind}.`);
};

/** Returns the id bytes of the note that begins at an offset. */
export const findId = (notes: Uint8Array, at: number): Uint8Array => notes.subarray(at + 1, at + 1 + idBytes);

/** Reads the id of the note that begins at an offset. */
export const readId = (notes: Uint8Array, at: number): string => idOfBytes(toBuffer(findId(notes, at)));

/** Bodies sealed as JSON, by the id of their request. */
export type SealedBodies = ReadonlyMap<string, string>;

/** Writes bodies, which precede the notes that they belong to. */
export const writeBodies = (to: NoteWriter, bodies: SealedBodies): void => {
  to.small(kinds.bodies).text(JSON.stringify([...bodies]));
};

/** Reads the bodies that come next, if there are any. */
export const readBodies = (from: NoteReader): SealedBodies =>
  new Map(from.passes(kinds.bodies) ? fromJson(from.text()) : []);

/** Writes the names of the labels that have hourly sums, which precede bodies and notes. */
export const writeLabelNames = (to: NoteWriter, names: readonly string[]): void => {
  to.small(kinds.labels).text(JSON.stringify(names));
};

/** Reads the names that come next, if there are any. */
export const readLabelNames = (from: NoteReader): readonly string[] =>
  from.passes(kinds.labels) ? fromJson(from.text()) : [];
