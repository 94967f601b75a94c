import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import { isStoredByProvider } from '../../../plugins/sdk/models/kept-by-provider.ts';
import { isSuccess } from '../../../schema/http/status.ts';
import type { NonEmptyArray } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import { mirrorWeights } from '../../../schema/plan/mirror-weights.ts';
import type { LeafNode, Mirror } from '../../../schema/plan/plan.ts';
import { findStage, listChecks } from '../../../schema/plan/stages.ts';
import { isInputDenial } from '../../../schema/trail/is-input-denial.ts';
import type { TrailEvent, TrailEventOf } from '../../../schema/trail/trail.ts';
import { defaultAnswerBounds } from '../call/answer-bounds.ts';
import { clientFraming } from '../call/client-framing.ts';
import type { LinkContext } from '../call/context.ts';
import type { MirrorPlace } from '../call/mirrors.ts';
import { readableBody } from '../call/readable-body.ts';
import type { Run } from '../call/run.ts';
import { type DeliveredAnswer, deliveredText } from './delivered-text.ts';
import { isCopyable } from './is-copyable.ts';
import { mirrorArm } from './mirror-arm.ts';
import { type CopySource, copySource, MirrorExchange } from './mirror-exchange.ts';
import { RecordingStream } from './recording-stream.ts';
import { type ExecuteNode, sendCopy } from './send-copy.ts';

/** The longest answer to a copy that is read, in bytes. */
const longestAnswer = 4 * 1024 * 1024;

/** A node that was visited, with what is copied from it. */
interface Visited {
  readonly run: Run;
  readonly sent: Exchange;
  readonly events: () => readonly TrailEvent[];
  readonly response: GatewayResponse;
  readonly ms: number;
}

/** Links the target of a mirror. Passed as an argument, because its stages link nodes. */
export type LinkLeaf<Context> = (leaf: LeafNode, context: Context) => { readonly execute: ExecuteNode };

interface LinkedMirror {
  isDrawn(exchange: Exchange): boolean;
  /** Copies the request once it is answered. Returns the answer. */
  copy(visited: Visited): GatewayResponse;
}

const isAttempt = (event: TrailEvent): event is TrailEventOf<'attempted'> => event.kind === 'attempted';

const isKept = (sent: Exchange): boolean => {
  const body = readableBody(sent);
  return body === undefined || isStoredByProvider(body, sent.route.dialect);
};

const compares = (leaf: LeafNode, { names }: Pick<LinkContext, 'names'>): boolean =>
  leaf.stages.flatMap(listChecks).some(({ check }) => names.check(check)?.comparesAnswers === true);

const bytesOf = ({ request: { body } }: Exchange): number => (body.kind === 'bytes' ? body.bytes.length : 0);

/** The client's answer, which may be recorded while it is sent. */
interface SentAnswer {
  readonly response: GatewayResponse;
  /** Returns what was recorded, once it has been sent. Undefined if nothing was. */
  delivered(): DeliveredAnswer | undefined;
}

const unrecorded = (response: GatewayResponse): SentAnswer => ({ response, delivered: () => undefined });

/** Records the client's answer, which is compared with that to the copy. Errors are not recorded. */
const recorded = (response: GatewayResponse, run: Run, place: MirrorPlace): SentAnswer => {
  const { body, status } = response;
  if (!isSuccess(status)) return unrecorded(response);
  if (body.kind === 'bytes')
    return place.hold(body.bytes.length)
      ? { response, delivered: () => ({ bytes: body.bytes }) }
      : unrecorded(response);
  const stream = new RecordingStream(body, (bytes) => place.hold(bytes));
  const framing = clientFraming(run);
  return {
    response: { ...response, body: stream },
    delivered: () => stream.bytes && { bytes: stream.bytes, framing },
  };
};

/** A copy's leaf reads smaller answers than others, and their memory counts as that of copies. */
const copyContext = <Context extends LinkContext>(context: Context): Context => {
  const { bounds = defaultAnswerBounds } = context.ports;
  const answerBytes = Math.min(bounds.answerBytes, longestAnswer);
  const { answerMemory } = context.mirrors();
  return { ...context, ports: { ...context.ports, bounds: { ...bounds, answerBytes }, answerMemory } };
};

const linkMirror = <Context extends LinkContext>(
  mirror: Mirror,
  context: Context,
  linkLeaf: LinkLeaf<Context>,
): LinkedMirror => {
  const { path, leaf } = mirror;
  const { ports, hooks, plan } = context;
  const { chance, clock } = ports;
  const odds = mirrorWeights(mirror);
  const target = plan.targets[leaf.target]?.id ?? '';
  const inside = copyContext(context);
  const isComparing = compares(leaf, context);
  const judged = linkLeaf(leaf, inside);
  // If one of the two answers is missing, there is nothing to compare.
  const unjudged = isComparing ? linkLeaf({ ...leaf, stages: [] }, inside) : judged;
  const { needs } = leaf;
  const isJudged = findStage(leaf, 'output-checks') !== undefined && needs.answer === 'read';

  const start = (source: CopySource, place: MirrorPlace, text: string | undefined, visited: Visited): void => {
    const mirrors = context.mirrors();
    const { run, response, events, ms } = visited;
    const { traceId } = source;
    const { dialect } = run;
    const copy = new MirrorExchange(source, {
      ...{ path, cancellation: place.cancellation, answerText: text, startedAt: clock.monotonic() },
    });
    mirrors.placeOf(copy, place);
    const { status, origin, leaf: report } = response;
    const primary = () =>
      mirrorArm({
        traceId,
        events: events(),
        response: { status, origin, ...(report === undefined ? {} : { leaf: report }) },
        ms,
      });
    const called = isComparing && isJudged && text === undefined ? unjudged : judged;
    place.run(() => sendCopy(copy, { execute: called.execute, mirrors, hooks, clock, dialect, target, primary }));
  };

  return {
    isDrawn: ({ seed }) => chance.pick({ seed, path: leaf.path, visit: 1 }, odds) === 0,
    copy: (visited) => {
      const mirrors = context.mirrors();
      const { run, sent } = visited;
      const { exchange } = run;
      const place = mirrors.take(exchange.principal.tenant, bytesOf(sent));
      if (place === undefined) {
        mirrors.report({ path, target, result: 'dropped' }, exchange);
        return visited.response;
      }
      exchange.trail.push({ kind: 'mirrored', path, target });
      if (!mirrors.sends) {
        place.release();
        return visited.response;
      }
      const source = copySource(exchange, sent);
      const { cancellation } = exchange;
      // The rest of an answer that broke off elsewhere cannot be compared.
      const { response, delivered } =
        isComparing && run.continuation === undefined
          ? recorded(visited.response, run, place)
          : unrecorded(visited.response);
      // Runs after everything that follows from the answer, because the client comes first.
      const follow = (): void => {
        clock.after(0, () => {
          if (cancellation.cancelled) {
            place.release();
            mirrors.report({ path, target, result: 'dropped' }, exchange);
            return;
          }
          const answer = delivered();
          start(source, place, answer && deliveredText(answer, run.dialect), visited);
        });
      };
      const { body } = response;
      if (body.kind === 'stream') body.onEnd(follow);
      else follow();
      return response;
    },
  };
};

export interface MirroredNode<Context> {
  readonly mirrors: NonEmptyArray<Mirror>;
  readonly execute: ExecuteNode;
  /** The paths of its leaves. */
  readonly leaves: ReadonlySet<JsonPointer>;
  readonly linkLeaf: LinkLeaf<Context>;
}

/** Executes a node and copies some of its requests in the background once they are answered. Other requests are not affected. */
export const linkMirrors = <Context extends LinkContext>(
  { mirrors, execute, leaves, linkLeaf }: MirroredNode<Context>,
  context: Context,
): ExecuteNode => {
  const { clock } = context.ports;
  const linked = mirrors.map((mirror) => linkMirror(mirror, context, linkLeaf));

  const executeCopied = async (run: Run, drawn: readonly LinkedMirror[]): Promise<GatewayResponse> => {
    const { exchange } = run;
    const { trail } = exchange;
    const from = trail.length;
    const beganAt = clock.monotonic();
    run.calls ??= new Map();
    const answer = await execute(run);
    const ms = clock.monotonic() - beganAt;
    // Another branch may be running at the same time. The usage of a stream, and what checks find in it, are known at its end.
    const own = (): readonly TrailEvent[] =>
      trail.slice(from).filter((event) => 'path' in event && leaves.has(event.path));
    const events = own();
    const attempt = events.findLast(isAttempt);
    if (attempt === undefined || events.some(isInputDenial)) return answer;
    // A group can answer by itself, after attempts of other branches.
    const call = (answer.leaf && run.calls.get(answer.leaf.path)) ?? run.calls.get(attempt.path);
    const sent = call?.exchange;
    if (sent === undefined) return answer;
    if (run.isCut || exchange.cancellation.cancelled || (context.mirrors().sends && isKept(sent))) return answer;
    return drawn.reduce((given, mirror) => mirror.copy({ run, sent, events: own, response: given, ms }), answer);
  };

  return (run) => {
    const { exchange } = run;
    const drawn = isCopyable(exchange) ? linked.filter((mirror) => mirror.isDrawn(exchange)) : [];
    return drawn.length === 0 ? execute(run) : executeCopied(run, drawn);
  };
};
