import { type Counter, type Histogram, type Metrics } from '@skein/platform';

const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** What session-svc counts. */
export class ServiceMetrics {
  readonly batchUnits: Histogram;
  readonly batchSeconds: Histogram;
  readonly fencedUnits: Counter;
  readonly replayedUnits: Counter;
  readonly guesses: Counter;
  readonly leaseTakeovers: Counter;
  readonly invocationsEnded: Counter;
  readonly invocationSeconds: Histogram;
  /** By `disposition`: applied and stored count, retried ones are followed by another attempt; duplicate, late (given up before it), unknown and forged are dropped. */
  readonly results: Counter;
  readonly resentCalls: Counter;
  readonly overdueCalls: Counter;
  readonly deadLetters: Counter;
  readonly orphans: Counter;
  readonly publishSeconds: Histogram;
  readonly publishFailures: Counter;

  constructor(metrics: Metrics) {
    this.batchUnits = metrics.histogram(
      'skein_append_batch_units',
      'Append units that one statement stored.',
      [],
      BATCH_BUCKETS,
    );
    this.batchSeconds = metrics.histogram(
      'skein_append_duration_seconds',
      'How long a batch of append units took to be stored, refused or given up.',
    );
    this.fencedUnits = metrics.counter(
      'skein_append_fenced_total',
      'Append units refused because their epoch passed.',
    );
    this.replayedUnits = metrics.counter('skein_append_replayed_total', 'Append units found stored already.');
    this.guesses = metrics.counter(
      'skein_claim_guesses_total',
      'Claims that a runner was told of before they were made, by whether they came to be as guessed: right, wrong (a model may have been asked in vain), unbegun (the runner did not have the session as it was guessed).',
      ['outcome'],
    );
    this.leaseTakeovers = metrics.counter(
      'skein_lease_takeovers_total',
      'Invocations taken back from a lost owner.',
    );
    this.invocationsEnded = metrics.counter(
      'skein_invocations_ended_total',
      'Segments of invocations that ended, by app and by status: completed, waiting, failed, cancelled, dead.',
      ['app', 'status'],
    );
    this.invocationSeconds = metrics.histogram(
      'skein_invocation_duration_seconds',
      'From the request that began an invocation until it completed, failed, was cancelled or given up; what it waited for people is in it.',
      ['app', 'status'],
      [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600, 86_400],
    );
    this.results = metrics.counter(
      'skein_tool_results_total',
      'Tool results that came by the queue, by what became of them: applied, stored, retried, duplicate, late, unknown, forged.',
      ['disposition'],
    );
    this.resentCalls = metrics.counter(
      'skein_tool_calls_resent_total',
      'Tool calls sent again by the sweeper.',
    );
    this.overdueCalls = metrics.counter(
      'skein_tool_calls_overdue_total',
      'Tool calls ended by their deadline.',
    );
    this.deadLetters = metrics.counter(
      'skein_tool_calls_dead_total',
      'Calls the plane ended without their tool, by the code of the reason.',
      ['code'],
    );
    this.orphans = metrics.counter(
      'skein_orphans_collected_total',
      'Objects deleted because no artifact refers to them.',
    );
    this.publishSeconds = metrics.histogram(
      'skein_event_publish_delay_seconds',
      'From the commit of events until the stream of events has them.',
    );
    this.publishFailures = metrics.counter(
      'skein_event_publish_failures_total',
      'Publishes given up and left to the sweep.',
    );
  }
}
