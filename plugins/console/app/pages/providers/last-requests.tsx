import { useEffect, useRef, useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { useLoaded } from '../../api/load.ts';
import { SafeText } from '../../components/safe-text.tsx';
import { Badge } from '../../components/small.tsx';
import { Time } from '../../components/time.tsx';
import { texts } from '../../texts/providers.ts';

interface LoggedRequest {
  readonly created_at: number;
  readonly is_success: boolean;
}

/** How many of the last requests are read to judge the health of a provider. */
const lastRequests = 20;

const Outcomes = ({ slug }: { readonly slug: string }) => {
  const list = useLoaded(
    (signal) =>
      get<{ readonly data: readonly LoggedRequest[] }>('/logs', { query: { slug, limit: lastRequests }, signal }),
    [slug],
  );
  const state = list.state.value;
  if (state.status === 'failed')
    return (
      <span class="muted">
        <SafeText text={texts.healthUnknown(state.error.message)} />
      </span>
    );
  if (state.status === 'loading') return <span class="muted">…</span>;
  const { data } = state.value;
  const [last] = data;
  if (last === undefined) return <span class="muted">{texts.neverUsed}</span>;
  const good = data.filter(({ is_success }) => is_success).length;
  const isHealthy = good === data.length;
  return (
    <span class="row">
      <Badge tone={isHealthy ? 'good' : last.is_success ? 'warning' : 'bad'}>
        {isHealthy ? texts.healthy(good) : texts.unhealthy(good, data.length)}
      </Badge>
      <Time seconds={last.created_at} />
    </span>
  );
};

/**
 * Shows how the last requests to a provider ended, and when the last one was sent. They are read from the log once the row comes into
 * sight, because a page has many rows.
 */
export const LastRequests = ({ slug }: { readonly slug: string }) => {
  const element = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    if (element.current !== null) observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="last-requests" ref={element}>
      {isSeen ? <Outcomes slug={slug} /> : <span class="muted">…</span>}
    </div>
  );
};
