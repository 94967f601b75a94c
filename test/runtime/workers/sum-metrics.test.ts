import { describe, expect, it } from 'vitest';
import { lastingPage, sumPages, toPage } from '../../../runtime/workers/owner-process/sum-metrics.ts';

const page = (
  requests: number,
  running: number,
  lag: string,
  start: number,
): string => `# HELP gw_requests_total Requests.
# TYPE gw_requests_total counter
gw_requests_total{plan="a b",cause="}"} ${requests}

# HELP gw_seconds Seconds.
# TYPE gw_seconds histogram
gw_seconds_bucket{le="1"} 1
gw_seconds_bucket{le="+Inf"} ${requests}
gw_seconds_sum 0.5
gw_seconds_count ${requests}

# HELP gw_running Running.
# TYPE gw_running gauge
gw_running ${running}

# HELP gw_nodejs_eventloop_lag_p99_seconds Lag.
# TYPE gw_nodejs_eventloop_lag_p99_seconds gauge
gw_nodejs_eventloop_lag_p99_seconds ${lag}

# HELP gw_process_start_time_seconds Start.
# TYPE gw_process_start_time_seconds gauge
gw_process_start_time_seconds ${start}

# HELP gw_process_open_fds Files.
# TYPE gw_process_open_fds gauge
gw_process_open_fds ${100 / start}

# HELP gw_admitted_ratio Admitted.
# TYPE gw_admitted_ratio gauge
gw_admitted_ratio ${start / 100}

# HELP gw_nodejs_version_info Version.
# TYPE gw_nodejs_version_info gauge
gw_nodejs_version_info{version="v24"} 1
`;

describe('the sum of pages of metrics', () => {
  it('adds counters, histograms and gauges, and takes values that cannot be added from one page', () => {
    const text = toPage(sumPages([page(2, 3, '0.25', 20), page(5, 1, '0.5', 10), page(1, 0, 'NaN', 30)]));
    expect(text).toBe(page(8, 4, '0.5', 10).replace('le="1"} 1', 'le="1"} 3').replace('_sum 0.5', '_sum 1.5'));
  });

  it('includes what only one page has, and is a page itself', () => {
    const more = '# HELP gw_other_total Other.\n# TYPE gw_other_total counter\ngw_other_total{a="b"} 7\n';
    const text = toPage(sumPages([page(1, 1, '1', 1), more]));
    expect(text).toContain('gw_other_total{a="b"} 7');
    expect(toPage(sumPages([text]))).toBe(text);
  });

  it('keeps the values of an ended process that must not decrease', () => {
    const kept = lastingPage(page(2, 3, '1', 1));
    expect(kept).toContain('gw_requests_total{plan="a b",cause="}"} 2');
    expect(kept).toContain('gw_seconds_count 2');
    expect(kept).not.toContain('gw_running');
    expect(lastingPage('')).toBe('\n');
  });
});
