import type { Part, ToolCallPart, Turn } from '../../../../../schema/conversation/conversation.ts';

/** The calls so far: those without a result yet, and the ids in use. */
interface Calls {
  readonly waiting: ToolCallPart[];
  readonly used: Set<string>;
}

const unused = (id: string, { used }: Calls): string => {
  const free = used.has(id) ? `${id}_${used.size}` : id;
  used.add(free);
  return free;
};

const place = (part: Part, calls: Calls, servers: Set<string>): readonly Part[] => {
  switch (part.kind) {
    case 'tool-call': {
      const call = { ...part, id: unused(part.id, calls) };
      calls.waiting.push(call);
      return [call];
    }
    case 'tool-result': {
      const call = calls.waiting.shift();
      if (call === undefined) return [];
      const named = part.name === undefined ? {} : { name: call.name };
      return [{ ...part, id: call.id, ...named, ...(call.input && { input: call.input }) }];
    }
    case 'server-tool-call':
      if (servers.has(part.id)) return [];
      servers.add(part.id);
      return [part];
    case 'server-tool-result':
      return servers.has(part.id) ? [part] : [];
    default:
      return [part];
  }
};

/** Returns the parts with a unique id for each call. */
export const uniqueCalls = (parts: readonly Part[]): readonly Part[] => {
  const calls: Calls = { waiting: [], used: new Set() };
  const servers = new Set<string>();
  return parts.flatMap((part) => place(part, calls, servers));
};

/** Removes the system turns at the start, because they are the system prompt and not turns. */
const withoutPrompt = (turns: readonly Turn[]): readonly Turn[] => {
  const first = turns.findIndex(({ role }) => role !== 'system');
  return first < 0 ? [] : turns.slice(first);
};

/** Returns the turns with a unique id for each call, and with each result answering an earlier call. */
export const wellFormed = (turns: readonly Turn[]): readonly Turn[] => {
  const calls: Calls = { waiting: [], used: new Set() };
  const servers = new Set<string>();
  const placed = turns
    .map((turn) => ({ ...turn, parts: turn.parts.flatMap((part) => place(part, calls, servers)) }))
    .filter(({ role, parts }) => role !== 'tool' || parts.length > 0);
  return withoutPrompt(placed);
};
